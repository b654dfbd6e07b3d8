import { sections } from '../sections/index.ts'
import type { Section } from '../sections/section.ts'
import type { defaultSettings, privateSettings } from './defaults.ts'

export type SettingKey = keyof typeof defaultSettings
export type PrivateKey = keyof typeof privateSettings
export type OwnKey = SettingKey | PrivateKey
/** Parameter values as they travel: every key with its text. */
export type SettingValues = Readonly<Record<SettingKey, string>>
/** The same with what only the owner knows, as far as it is known. */
export type OwnSettings = SettingValues & Partial<Readonly<Record<PrivateKey, string>>>

/** The values in an answer of the server, which has checked and completed them. Throws on anything that is no such answer. */
export function settingsOf(answer: unknown): SettingValues {
  if (typeof answer === 'object' && answer && 'banner_text' in answer) {
    return answer as SettingValues
  }
  throw new TypeError('no settings')
}

type SectionSettings = Pick<SettingValues, 'sections_hidden'> & {
  /** Absent from what a device has kept since before there were any. */
  readonly sections_shown?: string
}

interface OrderSetting {
  /** Absent as above. */
  readonly sections_order?: string
}

/** Sections as their owner arranged them; those that her order does not name come last, as they stand in the list. */
export function inOrder<S extends Pick<Section, 'key'>>(
  list: readonly S[],
  { sections_order: order }: OrderSetting,
): readonly S[] {
  // Backwards, so that the place of what is not named, -1, is behind all others.
  const keys = keysIn(order).toReversed()
  return list.toSorted((a, b) => keys.indexOf(b.key) - keys.indexOf(a.key))
}

/** The keys of the sections that visitors have not: those that are turned off, and those that are not turned on. */
export function hiddenSections(values: SectionSettings): readonly string[] {
  const shown = keysIn(values.sections_shown)
  const waiting = sections.filter(({ key, startsOff }) => startsOff && !shown.includes(key))
  return [...keysIn(values.sections_hidden), ...waiting.map(({ key }) => key)]
}

/** Divided by commas, as a parameter holds them; a key may be of a section that is no more. */
export function keysIn(list = ''): readonly string[] {
  return list
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
}

/** The moment from which the banner on the home page is over, in milliseconds: when its last day has ended everywhere. */
export function bannerEnd({ banner_until: day }: SettingValues): number {
  return day ? Date.parse(`${day}T23:59-12:00`) : Infinity
}
