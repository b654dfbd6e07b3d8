import { parseEntry, type SiteData } from '../api.ts'
import type { Entry, Section } from '../sections/section.ts'

/*
 * Entries that only the owner sees. That an entry is hidden is a field beside those of its section: it is made, changed, queued
 * and asked about as they are. What visitors read has neither the field nor the entry.
 */

/** Path of the owner's call below the API base; apart from the others, since no visitor's page asks. */
export const hiddenCall = 'hidden'

/** Name of the field, and of its column. */
export const hiddenField = 'hidden'
/** Says in the field that the entry is hidden; otherwise it is empty, or not there. */
export const isHiddenValue = 'true'

/** False for an entry as visitors get it, which does not have the field. */
export function isHidden({ fields }: Pick<Entry, 'fields'>): boolean {
  return fields[hiddenField] === isHiddenValue
}

/** Leaves the `counts` as they are: hidden entries are not among what is counted. */
export function withoutHidden(data: SiteData): SiteData {
  const shown = Object.entries(data.entries).map(
    ([key, entries]) => [key, entries.filter((entry) => !isHidden(entry))] as const,
  )
  return { ...data, entries: Object.fromEntries(shown) }
}

/** The field as an entry carries it: absent where everybody sees the entry. */
export function visibilityIn(row: Readonly<Record<string, unknown>>): Entry['fields'] {
  return row[hiddenField] === isHiddenValue ? { [hiddenField]: isHiddenValue } : {}
}

/** One entry of an answer to its owner. Throws on anything else. */
export function parseOwnEntry(section: Section, json: unknown): Entry {
  const entry = parseEntry(section, json)
  return {
    ...entry,
    fields: { ...entry.fields, ...visibilityIn(json as Readonly<Record<string, unknown>>) },
  }
}

/** A hidden entry with its place in the whole list. */
export interface HiddenEntry {
  readonly section: string
  /** The nearest that it stands behind: one that visitors see, and the one directly before it where that is another. */
  readonly behind: readonly string[]
  readonly entry: Entry
}

export type SentHiddenEntry = Omit<HiddenEntry, 'entry'> & {
  readonly entry: Readonly<Record<string, string | number>>
}

/**
 * The ids that an entry of a list stands behind: one for whoever has only what visitors see of it, one for whoever has it
 * all.
 */
export function behindIn(
  rows: readonly { readonly id: string; readonly isHidden: boolean }[],
  index: number,
): readonly string[] {
  const before = rows.slice(0, index)
  const seen = before.findLast((row) => !row.isHidden)
  return [...new Set([seen, before.at(-1)])].flatMap((row) => (row ? [row.id] : []))
}
