import {
  hashKey,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { entryToJson } from '#contract/api.ts'
import {
  behindIn,
  hiddenCall,
  isHidden,
  parseOwnEntry,
  type HiddenEntry,
  type SentHiddenEntry,
} from '#contract/entries/hidden.ts'
import { serverWaitMs } from '#contract/offline/offline.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { ApiError } from '#client/data/api.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { getSession, isAdmin } from '#client/data/session.ts'
import { hiddenKey, hiddenOf, storedEntries } from '#client/outbox/hidden-entries.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { forgetHidden, keepHidden, keepsHidden, readHidden } from '#client/session/hidden-copy.ts'

/** The caches that have begun to read; entries there before came from an earlier list. */
const readers = new WeakSet<QueryClient>()

/** The caches that have all hidden entries, of the server's answer or of the device's copy, and not only what a change hid. */
const complete = new WeakSet<QueryClient>()

/** In their sections' order; without a server, the entries that this device keeps. */
export const hiddenQuery = queryOptions<readonly HiddenEntry[]>({
  queryKey: hiddenKey,
  queryFn: async ({ client, signal: cancelled }): Promise<readonly HiddenEntry[]> => {
    // The queue lays hidden entries over the lists: where it came later, a list would first be seen without them.
    pageOutbox(client)
    const kept = await readHidden()
    const old = client.getQueryData(hiddenKey)
    // Shown at once, because hearing the server, or its silence, may take a while.
    if (kept && !(old && readers.has(client))) {
      complete.add(client)
      client.setQueryData(hiddenKey, [...kept.flatMap(parsed), ...(old ?? [])])
    }
    readers.add(client)
    const present = client.getQueryData(hiddenKey)
    try {
      // Without kept entries to show, the call waits longer.
      const signal = present && AbortSignal.timeout(serverWaitMs)
      const { json } = await callInBackground('GET', hiddenCall, { signal })
      const sent = json as readonly SentHiddenEntry[]
      const read = sent.flatMap(parsed)
      if (!cancelled.aborted) await readListsBehind(client, read)
      // A change has overtaken it; the next reading has that, too.
      if (cancelled.aborted) return present ?? []
      complete.add(client)
      if (kept || sent.length > 0 || keepsHidden()) void keepHidden(sent)
      return read
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401) {
          complete.delete(client)
          void forgetHidden()
        }
        throw error
      }
      // No answer came; entries that are not kept here appear with the next one.
      return present ?? []
    }
  },
})

/** Empty for a section that this build does not have. */
function parsed({ section: key, behind, entry }: SentHiddenEntry): readonly HiddenEntry[] {
  const section = sections.find((one) => one.key === key)
  return section ? [{ section: key, behind, entry: parseOwnEntry(section, entry) }] : []
}

/**
 * An entry that is no longer hidden is in the public list, or gone: it stays as it was shown until that list is read.
 */
async function readListsBehind(client: QueryClient, read: readonly HiddenEntry[]): Promise<void> {
  const stay = new Set(read.map(({ entry }) => entry.id))
  const left = hiddenOf(client).filter(({ entry }) => isHidden(entry) && !stay.has(entry.id))
  const lists = sections.filter(({ key }) => left.some(({ section }) => section === key))
  await Promise.all(
    lists.map((section) =>
      client.refetchQueries({ queryKey: entriesQuery(section).queryKey, exact: true }),
    ),
  )
}

/**
 * Keeps an entry that a new reading of a public list lacks until the hidden entries were read after it: an entry hidden
 * just now is for a moment in neither.
 */
export function keepUntilHiddenIsRead(queryClient: QueryClient): () => void {
  const listOf = (section: Section) => queryClient.getQueryData(entriesQuery(section).queryKey)
  const before = new Map(sections.map((section) => [section, listOf(section)]))
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const section = sections.find(
      (one) => hashKey(entriesQuery(one).queryKey) === event.query.queryHash,
    )
    if (!section) return
    const rows = before.get(section) ?? []
    before.set(section, listOf(section))
    // A change of this page itself goes into both at once.
    if (event.action.manual || !isAdmin(getSession())) return
    const places = rows.map(({ id }) => ({ id, isHidden: false }))
    const stay = new Set(storedEntries(queryClient, section).map(({ id }) => id))
    const gone = rows.flatMap((entry, index) =>
      stay.has(entry.id) ? [] : [{ section: section.key, behind: behindIn(places, index), entry }],
    )
    if (gone.length === 0) return
    queryClient.setQueryData(hiddenKey, (old = []) => [...old, ...gone])
    void queryClient.refetchQueries({ queryKey: hiddenKey })
  })
}

/**
 * Has the device's copy follow the changes that the server has made: where the server is slow, the next page would else begin
 * with what was, and an edit from there meet a conflict with itself.
 */
export function keepChanges(queryClient: QueryClient): () => void {
  let last = queryClient.getQueryData(hiddenKey)
  const isListRead = ({ section: key }: HiddenEntry) =>
    sections.some(
      (one) =>
        one.key === key && queryClient.getQueryData(entriesQuery(one).queryKey) !== undefined,
    )
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (event.query.queryHash !== hashKey(hiddenKey)) return
    const before = last
    const places = new Map(before?.map(({ entry, behind }) => [entry.id, behind]))
    // Where the list between which they stand was not read, nobody knows their places anew.
    last = hiddenOf(queryClient).map((one) =>
      isListRead(one) ? one : { ...one, behind: places.get(one.entry.id) ?? one.behind },
    )
    // What was read keeps itself, and a part of it would stand for all of it.
    if (!event.action.manual || !before || !complete.has(queryClient)) return
    // A tab that nobody looks at hears of the change as well, and may have read less than the one in which it was made.
    if (globalThis.document?.visibilityState === 'hidden') return
    const hidden = ownOf(last)
    if (JSON.stringify(hidden) === JSON.stringify(ownOf(before))) return
    void keepHidden(hidden.map((one) => ({ ...one, entry: entryToJson(one.entry) })))
  })
}

/** Without what is only kept among them until both lists are read. */
function ownOf(rows: readonly HiddenEntry[]): readonly HiddenEntry[] {
  return rows.filter(({ entry }) => isHidden(entry))
}

/** Reads the hidden entries for the owner; an entry that was just hidden stays on her screen until they are read. */
export function useHiddenEntries(isOwner: boolean): void {
  const queryClient = useQueryClient()
  useQuery({ ...hiddenQuery, enabled: isOwner })
  useEffect(() => keepUntilHiddenIsRead(queryClient), [queryClient])
  useEffect(() => keepChanges(queryClient), [queryClient])
}

/** Whether a list may be shown as its owner's: where the device keeps hidden entries, not before they are read. */
export function useIsHiddenRead(): boolean {
  const { data, isFetching } = useQuery({ ...hiddenQuery, enabled: isAdmin(getSession()) })
  return data !== undefined || !isFetching || !keepsHidden()
}
