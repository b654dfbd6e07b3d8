import type { SettingValues } from './settings.ts'
import { fill } from '../text.ts'

/*
 * The age that is shown instead of one written by hand. Days are counted in UTC, so that the server and every device of the
 * owner's say the same.
 */

const words = { one: '1 año', more: '{n} años' } as const

/** The age on the day of a moment; whoever was born on a 29th of February is a year older on the 1st of March of other years. */
export function ageOn(birth: string, now: Date): number {
  const years = now.getUTCFullYear() - Number(birth.slice(0, 4))
  return now.toISOString().slice(4, 10) < birth.slice(4) ? years - 1 : years
}

/** In words, such as «34 años»; `birth` is a day as `YYYY-MM-DD`. */
export function ageText(birth: string, now: Date): string {
  const years = ageOn(birth, now)
  return years === 1 ? words.one : fill(words.more, { n: years })
}

/** The settings with the age that follows from the birth date, where there is one. */
export function withAge<V extends Pick<SettingValues, 'age_text'>>(
  values: V,
  birth: string,
  now: Date,
): V {
  return birth === '' ? values : { ...values, age_text: ageText(birth, now) }
}
