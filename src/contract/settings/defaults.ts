import type { OwnKey, PrivateKey, SettingKey } from './settings.ts'

/**
 * Every parameter and its default. All of it is public, so no secret belongs here. A page gets all values from the server
 * and carries none of these.
 */
export const defaultSettings = {
  location_text: '',
  age_text: '',
  availability_text: 'Abierto a ofertas.',
  email: '',
  linkedin_url: '',
  github_url: '',
  profile_urls: '',
  default_theme: 'dark',
  sections_hidden: '',
  sections_shown: '',
  sections_order: '',
  banner_text: '',
  banner_until: '',
  banner_url: '',
  contact_enabled: 'true',
  contact_reply_text: 'Suelo responder en uno o dos días.',
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

/** What only the owner reads and writes, each by its own name, kept beside the others; in none of the answers above. */
export const privateSettings = { birth_date: '' } as const

export const ownDefaults = { ...defaultSettings, ...privateSettings } as const
export const ownKeys = Object.keys(ownDefaults) as OwnKey[]
export const privateKeys = Object.keys(privateSettings) as PrivateKey[]

export function isPrivate(key: string): key is PrivateKey {
  return Object.hasOwn(privateSettings, key)
}
