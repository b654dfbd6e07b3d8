import { ageOn } from './age.ts'
import { safeHref } from '../link.ts'
import { maxImageBytes } from '../limits.ts'
import { linesOf } from './profiles.ts'
import { defaultSettings, ownDefaults, settingKeys } from './defaults.ts'
import type { OwnKey, OwnSettings, SettingKey, SettingValues } from './settings.ts'
import { cleanText, fill, isStorable, lengthOf } from '../text.ts'
import { fieldErrors } from '../texts/site.ts'
import type { Checked } from '../validate.ts'
import { valueErrors } from '../texts/value-errors.ts'

/** What a parameter takes: a string on the wire, typed by its kind. */
export type SettingKind =
  | { readonly is: 'text'; readonly required?: true }
  /** Addresses, one a line. */
  | { readonly is: 'urls' }
  | { readonly is: 'url' | 'email' | 'flag' | 'theme' | 'sections' | 'date' | 'birth' | 'color' }
  | { readonly is: 'number'; readonly min: number; readonly max: number }

const text = { is: 'text' } as const
const url = { is: 'url' } as const
const flag = { is: 'flag' } as const
const color = { is: 'color' } as const

/** The kind of every parameter; who only reads the site needs none of this. */
export const settingKinds: Readonly<Record<OwnKey, SettingKind>> = {
  location_text: text,
  age_text: text,
  birth_date: { is: 'birth' },
  availability_text: text,
  email: { is: 'email' },
  linkedin_url: url,
  github_url: url,
  profile_urls: { is: 'urls' },
  default_theme: { is: 'theme' },
  sections_hidden: { is: 'sections' },
  sections_shown: { is: 'sections' },
  sections_order: { is: 'sections' },
  banner_text: text,
  banner_until: { is: 'date' },
  banner_url: url,
  contact_enabled: flag,
  contact_reply_text: text,
  contact_disabled_text: { is: 'text', required: true },
  push_prompt_enabled: flag,
  typing_image_url: url,
  typing_color_dark: color,
  typing_color_light: color,
  max_image_mb: { is: 'number', min: 1, max: maxImageBytes / 1024 / 1024 },
  maintenance_readonly: flag,
  config_refresh_minutes: { is: 'number', min: 5, max: 1440 },
  notice_seconds: { is: 'number', min: 2, max: 60 },
  removal_seconds: { is: 'number', min: 2, max: 60 },
  copied_seconds: { is: 'number', min: 1, max: 60 },
  reload_seconds: { is: 'number', min: 1, max: 60 },
}

const maxSettingLength = 500
/** A list of addresses is longer than any other value; more of them are no help to a visitor. */
const maxListLength = 2000
export const maxAddresses = 12
const maxAge = 130

const longestOf = ({ is }: SettingKind) => (is === 'urls' ? maxListLength : maxSettingLength)

/** Kinds that always say something; the others may be left empty. */
const neverEmpty: ReadonlySet<SettingKind['is']> = new Set(['flag', 'theme', 'color', 'number'])

const accepts: Readonly<Record<SettingKind['is'], (value: string, kind: SettingKind) => boolean>> =
  {
    text: () => true,
    sections: () => true,
    flag: (value) => value === 'true' || value === 'false',
    theme: (value) => value === 'dark' || value === 'light' || value === 'device',
    url: (value) => safeHref(value) !== undefined,
    urls: (value) =>
      linesOf(value).length <= maxAddresses &&
      linesOf(value).every((line) => safeHref(line) !== undefined),
    email: (value) => /^[^\s@]+@[^\s@]+$/u.test(value),
    date: isDay,
    birth: (value) => isDay(value) && isBirth(value, new Date()),
    color: (value) => /^#?[0-9a-f]{6}$/i.test(value),
    number: (value, kind) =>
      kind.is === 'number' &&
      /^\d{1,6}$/.test(value) &&
      Number(value) >= kind.min &&
      Number(value) <= kind.max,
  }

/** Whether the calendar has the day: engines read the 31st of February as the 3rd of March. */
function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

/** Whether somebody who lives can have been born on that day: before today, and not beyond any age. */
function isBirth(day: string, now: Date): boolean {
  return day < now.toISOString().slice(0, 10) && ageOn(day, now) <= maxAge
}

/** The value as it may be stored, or undefined when its kind refuses it. */
export function parseSetting(key: OwnKey, input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const kind = settingKinds[key]
  const value = kind.is === 'urls' ? cleanLines(input) : cleanText(input)
  if (!isStorable(value) || lengthOf(value) > longestOf(kind)) return undefined
  if (value === '') return neverEmpty.has(kind.is) || 'required' in kind ? undefined : ''
  if (!accepts[kind.is](value, kind)) return undefined
  if (kind.is === 'color') return value.replace('#', '').toLowerCase()
  return kind.is === 'number' ? String(Number(value)) : value
}

/** A list as it is stored: each of its lines once, without white space around it. */
function cleanLines(input: string): string {
  const lines = cleanText(input).split('\n')
  return [...new Set(lines.map((line) => line.trim()).filter(Boolean))].join('\n')
}

/** The values a source names and that may be used, whatever the source: what is absent or refused is left out. Never throws. */
export function usableSettings(input: unknown): Partial<SettingValues> {
  const source =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  const values: Partial<Record<SettingKey, string>> = {}
  for (const key of settingKeys) {
    const value = parseSetting(key, source[key])
    if (value !== undefined) values[key] = value
  }
  return values
}

/** Every parameter's value from whatever source: what is absent or refused takes its default. Never throws. */
export function parseSettings(input: unknown): SettingValues {
  return { ...defaultSettings, ...usableSettings(input) }
}

/** The parameters a change names, cleaned, or one message per refused one; keys that may not be named are dropped. */
export function checkSettings(
  input: Readonly<Record<string, unknown>>,
  named: readonly OwnKey[] = settingKeys,
): Checked<Partial<OwnSettings>> {
  const value: Partial<Record<OwnKey, string>> = {}
  const errors: Record<string, string> = {}
  for (const key of named.filter((known) => Object.hasOwn(input, known))) {
    const parsed = parseSetting(key, input[key])
    if (parsed === undefined) errors[key] = settingError(key, input[key])
    else value[key] = parsed
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, value }
}

/** The Spanish sentence for a value that `parseSetting` has refused. */
export function settingError(key: OwnKey, input: unknown): string {
  const kind = settingKinds[key]
  if (typeof input === 'string' && lengthOf(cleanText(input)) > longestOf(kind)) {
    return fill(fieldErrors.tooLong, { n: longestOf(kind) })
  }
  if (kind.is === 'url' || kind.is === 'email') return fieldErrors[kind.is]
  if (kind.is === 'urls') return fill(valueErrors.urls, { max: maxAddresses })
  if (kind.is === 'number') return fill(valueErrors.number, { min: kind.min, max: kind.max })
  if (kind.is === 'birth') return fill(valueErrors.birth, { max: maxAge })
  return kind.is === 'date' || kind.is === 'color' ? valueErrors[kind.is] : valueErrors.setting
}

/** The largest picture taken, in bytes. */
export function imageLimit({ max_image_mb: megabytes }: SettingValues): number {
  return Number(megabytes) * 1024 * 1024
}

export type SettingOrigin = 'default' | 'own' | 'firebase'

/** Where a parameter's value comes from: a value equal to the default is the default, so nothing else need be kept of it. */
export function originOf(
  key: OwnKey,
  value: string,
  remote: Partial<SettingValues> = {},
): SettingOrigin {
  if (Object.hasOwn(remote, key)) return 'firebase'
  return value === ownDefaults[key] ? 'default' : 'own'
}
