import type { SettingKey } from './settings.ts'

/**
 * Every parameter and its default; unknown keys are ignored, so never put a secret here: all of it is public. A page gets
 * all values from the server and carries none of these.
 */
export const defaultSettings = {
  location_text: '',
  age_text: '',
  availability_text: 'Abierto a ofertas.',
  email: '',
  linkedin_url: '',
  github_url: '',
  default_theme: 'dark',
  sections_hidden: '',
  banner_text: '',
  banner_until: '',
  banner_url: '',
  contact_enabled: 'true',
  contact_disabled_text: 'El formulario de contacto está cerrado por ahora.',
  push_prompt_enabled: 'true',
  typing_image_url: '',
  typing_color_dark: 'e8f3f1',
  typing_color_light: '002540',
  max_image_mb: '10',
  maintenance_readonly: 'false',
  config_refresh_minutes: '60',
  notice_seconds: '3',
  removal_seconds: '5',
  copied_seconds: '2',
  reload_seconds: '3',
} as const

export const settingKeys = Object.keys(defaultSettings) as SettingKey[]
