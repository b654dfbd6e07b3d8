import type { defaultSettings } from './setting-defaults.ts'

export type SettingKey = keyof typeof defaultSettings
/** Parameter values as they travel: every key with its text. */
export type SettingValues = Readonly<Record<SettingKey, string>>

/** The values in an answer of the server, which has checked and completed them. Throws on anything that is no such answer. */
export function settingsOf(answer: unknown): SettingValues {
  if (typeof answer === 'object' && answer && 'banner_text' in answer)
    return answer as SettingValues
  throw new TypeError('no settings')
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
