/** Every parameter and its default; unknown keys are ignored, so never put a secret here: all of it is public. */
export const settingDefaults = {
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
} as const

export type SettingKey = keyof typeof settingDefaults
/** Parameter values as they travel: every key with its text. */
export type SettingValues = Readonly<Record<SettingKey, string>>

export const settingKeys = Object.keys(settingDefaults) as SettingKey[]

/** The default of every parameter. */
export const defaultSettings: SettingValues = settingDefaults

/** The values in an answer of the server, which has checked them; what an older copy of one lacks has its default. */
export function settingsOf(answer: unknown): SettingValues {
  return { ...defaultSettings, ...(answer as Partial<SettingValues>) }
}

/** The keys of the sections a visitor's navigation leaves out. */
export function hiddenSections(values: SettingValues): readonly string[] {
  return values.sections_hidden
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
}

/** The moment from which the notice on the home page is over, in milliseconds: when its last day has ended everywhere. */
export function bannerEnd({ banner_until: day }: SettingValues): number {
  return day ? Date.parse(`${day}T23:59-12:00`) : Infinity
}
