import { safeHref } from './link.ts'
import { cleanText, fill, isStorable, lengthOf } from './text.ts'
import { fieldErrors } from './texts.ts'
import type { FieldErrors } from './validate.ts'

type SettingKind = 'text' | 'url' | 'email' | 'flag' | 'theme' | 'sections'

/** One remote parameter: a string on the wire, typed by its kind. */
export interface Setting {
  readonly kind: SettingKind
  readonly fallback: string
}

/** Every parameter and its default; unknown keys are ignored, so never put a secret here: all of it is public. */
export const settings = {
  location_text: { kind: 'text', fallback: '' },
  age_text: { kind: 'text', fallback: '' },
  availability_text: { kind: 'text', fallback: 'Abierto a ofertas.' },
  email: { kind: 'email', fallback: '' },
  linkedin_url: { kind: 'url', fallback: '' },
  github_url: { kind: 'url', fallback: '' },
  default_theme: { kind: 'theme', fallback: 'dark' },
  contact_enabled: { kind: 'flag', fallback: 'true' },
  banner_text: { kind: 'text', fallback: '' },
  sections_hidden: { kind: 'sections', fallback: '' },
  typing_image_url: { kind: 'url', fallback: '' },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingKey = keyof typeof settings
/** Parameter values as they travel: every key with its text. */
export type SettingValues = Readonly<Record<SettingKey, string>>

export const settingKeys = Object.keys(settings) as SettingKey[]

const maxSettingLength = 500

/** The default of every parameter. */
export const defaultSettings: SettingValues = parseSettings({})

/** The value as it may be stored, or undefined when its kind refuses it. */
export function parseSetting(key: SettingKey, input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const value = cleanText(input)
  if (!isStorable(value) || lengthOf(value) > maxSettingLength) return undefined
  const { kind } = settings[key]
  if (value === '') return kind === 'flag' || kind === 'theme' ? undefined : ''
  if (kind === 'flag') return value === 'true' || value === 'false' ? value : undefined
  if (kind === 'theme') return value === 'dark' || value === 'light' ? value : undefined
  if (kind === 'url') return safeHref(value) === undefined ? undefined : value
  if (kind === 'email') return /^[^\s@]+@[^\s@]+$/u.test(value) ? value : undefined
  return value
}

/** Every parameter's value from whatever source: what is absent or refused takes its default. Never throws. */
export function parseSettings(input: unknown): SettingValues {
  const source =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  return Object.fromEntries(
    settingKeys.map((key) => [key, parseSetting(key, source[key]) ?? settings[key].fallback]),
  ) as SettingValues
}

type CheckedSettings =
  | { readonly ok: true; readonly value: Partial<SettingValues> }
  | { readonly ok: false; readonly errors: FieldErrors }

/** The parameters a change names, cleaned, or one message per refused one; unknown keys are dropped. */
export function checkSettings(input: Readonly<Record<string, unknown>>): CheckedSettings {
  const value: Partial<Record<SettingKey, string>> = {}
  const errors: Record<string, string> = {}
  for (const key of settingKeys.filter((known) => Object.hasOwn(input, known))) {
    const parsed = parseSetting(key, input[key])
    if (parsed === undefined) errors[key] = settingError(key, input[key])
    else value[key] = parsed
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, value }
}

function settingError(key: SettingKey, input: unknown): string {
  const { kind } = settings[key]
  if (typeof input === 'string' && lengthOf(cleanText(input)) > maxSettingLength) {
    return fill(fieldErrors.tooLong, { n: maxSettingLength })
  }
  return kind === 'url' || kind === 'email' ? fieldErrors[kind] : fieldErrors.setting
}

/** The keys of the sections a visitor's navigation leaves out. */
export function hiddenSections(values: SettingValues): readonly string[] {
  return values.sections_hidden
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
}
