import {
  hashKey,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
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
import { callInBackground } from '#client/session/background-call.ts'
import { forgetHidden, keepHidden, readHidden } from '#client/session/hidden-copy.ts'

/** Who has begun to read: what stands there before came from a list that was read sooner. */
const readers = new WeakSet<QueryClient>()

/** The owner's hidden entries in their sections' order; without a server those that this device keeps for her. */
export const hiddenQuery = queryOptions<readonly HiddenEntry[]>({
  queryKey: hiddenKey,
  queryFn: async ({ client }): Promise<readonly HiddenEntry[]> => {
    const kept = await readHidden()
    // At once: it may take its time until the server is heard, or is known to be silent.
    client.setQueryData(hiddenKey, (old) =>
      (old && readers.has(client)) || !kept ? old : [...kept.flatMap(parsed), ...(old ?? [])],
    )
    readers.add(client)
    const held = client.getQueryData(hiddenKey)
    try {
      // Where this device has nothing else to show, it waits longer.
      const signal = held && AbortSignal.timeout(serverWaitMs)
      const { json } = await callInBackground('GET', hiddenCall, { signal })
      const sent = json as readonly SentHiddenEntry[]
      if (kept || sent.length > 0) void keepHidden(sent)
      const read = sent.flatMap(parsed)
      await readListsBehind(client, read)
      return read
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401) void forgetHidden()
        throw error
      }
      // Nobody answered: what is not kept here is told when somebody does.
      return held ?? []
    }
  },
})

/** Nothing for a section that this build does not have. */
function parsed({ section: key, behind, entry }: SentHiddenEntry): readonly HiddenEntry[] {
  const section = sections.find((one) => one.key === key)
  return section ? [{ section: key, behind, entry: parseOwnEntry(section, entry) }] : []
}

/** What is no longer hidden is in the list that everybody reads, or gone: until that list says which, it stays as it was shown. */
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
 * Keeps on the owner's pages what a new reading of a list that everybody reads no longer has, until the hidden entries were
 * read after it: what was just hidden is for a moment in neither.
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
    // What this page changes itself it puts into both at once.
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

/** Reads the owner's hidden entries on each of her pages, and keeps what moves between them and what everybody reads. */
export function useHiddenEntries(isOwner: boolean): void {
  const queryClient = useQueryClient()
  useQuery({ ...hiddenQuery, enabled: isOwner })
  useEffect(() => keepUntilHiddenIsRead(queryClient), [queryClient])
}
