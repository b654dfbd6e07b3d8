import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { behindIn, isHidden, type HiddenEntry } from '#contract/entries/hidden.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { placeBehind } from './place.ts'

/*
 * What only the owner sees, beside the lists that everybody reads: those are kept on the device for whoever opens it, so hidden
 * entries never stand in them. Her pages lay the ones over the others.
 */

const none: readonly HiddenEntry[] = []

/** The owner's hidden entries in their sections' order; read on her own pages alone. */
export const hiddenKey = queryOptions<readonly HiddenEntry[]>({ queryKey: ['hidden'] }).queryKey

function hiddenIn(queryClient: QueryClient): readonly HiddenEntry[] | undefined {
  return queryClient.getQueryData(hiddenKey)
}

/** The hidden entries as far as this page has read them. */
export function hiddenOf(queryClient: QueryClient): readonly HiddenEntry[] {
  return hiddenIn(queryClient) ?? none
}

/** A section's list with the hidden entries in their places; of one that both have read, the newer reading counts. */
export function withHidden(
  section: string,
  rows: readonly Entry[],
  hidden: readonly HiddenEntry[],
): readonly Entry[] {
  return hidden
    .filter((one) => one.section === section)
    .reduce((whole, { entry, behind }) => {
      const known = whole.find(({ id }) => id === entry.id)
      if (!known) return placeBehind(whole, entry, behind)
      return known.version < entry.version
        ? whole.map((row) => (row === known ? entry : row))
        : whole
    }, rows)
}

/** All that the server has of a section, as far as this page has read it. */
export function storedEntries(queryClient: QueryClient, section: Section): readonly Entry[] {
  const rows = queryClient.getQueryData(entriesQuery(section).queryKey) ?? []
  return withHidden(section.key, rows, hiddenOf(queryClient))
}

/** Changes a section's whole list in the cache: what is hidden in it then leaves what everybody reads, and the other way round. */
export function changeEntries(
  queryClient: QueryClient,
  section: Section,
  change: (rows: readonly Entry[]) => readonly Entry[],
): void {
  const { key } = section
  // What is only kept among them until both lists are read may be hidden by now.
  const seen = new Set(hiddenOf(queryClient).map(({ entry }) => entry))
  const isOwn = (entry: Entry) => isHidden(entry) || seen.has(entry)
  const next = change(storedEntries(queryClient, section))
  queryClient.setQueryData(
    entriesQuery(section).queryKey,
    (old) => old && next.filter((entry) => !isOwn(entry)),
  )
  const places = next.map((entry) => ({ id: entry.id, isHidden: isOwn(entry) }))
  const own = next.flatMap((entry, index) =>
    isOwn(entry) ? [{ section: key, behind: behindIn(places, index), entry }] : [],
  )
  queryClient.setQueryData(hiddenKey, (old) =>
    old || own.length > 0
      ? [...(old ?? none).filter((one) => one.section !== key), ...own]
      : undefined,
  )
}
