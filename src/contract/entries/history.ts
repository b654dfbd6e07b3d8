import type { LastChange } from '../api.ts'
import type { FieldValues } from '../fields.ts'

/** Path of the call below the API base; apart from the others, since no visitor's page asks. */
export const historyCall = 'history'

/** How many earlier versions of an entry, or of the profile, are kept. */
export const mostEarlier = 20

/** What an entry or the profile said until something else took its place. */
export interface EarlierVersion {
  /** Tells the versions of one thing apart; the higher is the later. */
  readonly number: number
  /** When and on which device it came to be so; absent where nobody wrote it down. */
  readonly made?: LastChange
  readonly replacedAt: string
  readonly fields: FieldValues
}

export interface History {
  /** When and on which device the present version came to be so; absent where nobody wrote it down. */
  readonly changed?: LastChange
  /** The latest first. */
  readonly versions: readonly EarlierVersion[]
}
