/** Path of the call below the API base; apart from the others, since no visitor's page asks. */
export const binCall = 'bin'

/** The fragment under which the settings show the bin. */
export const binPlace = 'papelera'

/** How long what was deleted can be brought back, in days. */
export const binDays = 30

export interface BinnedEntry {
  readonly section: string
  readonly removedAt: string
  /** How much room its pictures take on the server that nothing else shows: they go when it is deleted for good. */
  readonly bytes: number
  /** What it stands behind once it is back, as far as that is there: none for the first of its section. */
  readonly behind: readonly string[]
  /** As entries travel. */
  readonly entry: Readonly<Record<string, string | number>>
}
