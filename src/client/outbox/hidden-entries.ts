import { queryOptions, type QueryClient } from '@tanstack/react-query'
import {
  behindIn,
  hiddenCall,
  isHidden,
  parseOwnEntry,
  type HiddenEntry,
  type SentHiddenEntry,
} from '#contract/hidden.ts'
import { serverWaitMs } from '#contract/offline.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { ApiError } from '#client/data/api.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { forgetHidden, keepHidden, readHidden } from './hidden-copy.ts'
import { placeBehind } from './place.ts'

/*
 * What only the owner sees, beside the lists that everybody reads: those are kept on the device for whoever opens it, so hidden
 * entries never stand in them. Her pages lay the ones over the others.
 */

const none: readonly HiddenEntry[] = []
/** Where this device has nothing else to show, it waits longer. */
const answerWithinMs = 20_000

/** The owner's hidden entries in their sections' order; without a server those that this device keeps for her. */
export const hiddenQuery = queryOptions<readonly HiddenEntry[]>({
  queryKey: ['hidden'],
  queryFn: async ({ client }): Promise<readonly HiddenEntry[]> => {
    const kept = await readHidden()
    // At once: it may take its time until the server is heard, or is known to be silent.
    client.setQueryData(hiddenQuery.queryKey, (old) => old ?? kept?.flatMap(parsed))
    const held = hiddenIn(client)
    try {
      const signal = AbortSignal.timeout(held ? serverWaitMs : answerWithinMs)
      const { json } = await callInBackground('GET', hiddenCall, { signal })
      const sent = json as readonly SentHiddenEntry[]
      if (kept || sent.length > 0) void keepHidden(sent)
      return sent.flatMap(parsed)
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401) void forgetHidden()
        throw error
      }
      // Nobody answered: what is not kept here is told when somebody does.
      return held ?? none
    }
  },
})

/** Nothing for a section that this build does not have. */
function parsed({ section: key, behind, entry }: SentHiddenEntry): readonly HiddenEntry[] {
  const section = sections.find((one) => one.key === key)
  return section ? [{ section: key, behind, entry: parseOwnEntry(section, entry) }] : []
}

function hiddenIn(queryClient: QueryClient): readonly HiddenEntry[] | undefined {
  return queryClient.getQueryData(hiddenQuery.queryKey)
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
  const next = change(storedEntries(queryClient, section))
  queryClient.setQueryData(
    entriesQuery(section).queryKey,
    (old) => old && next.filter((entry) => !isHidden(entry)),
  )
  const places = next.map((entry) => ({ id: entry.id, isHidden: isHidden(entry) }))
  const own = next.flatMap((entry, index) =>
    isHidden(entry) ? [{ section: key, behind: behindIn(places, index), entry }] : [],
  )
  queryClient.setQueryData(hiddenQuery.queryKey, (old) =>
    old || own.length > 0
      ? [...(old ?? none).filter((one) => one.section !== key), ...own]
      : undefined,
  )
}
