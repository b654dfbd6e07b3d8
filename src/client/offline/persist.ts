import {
  persistQueryClientRestore,
  persistQueryClientSave,
  persistQueryClientSubscribe,
  type PersistedClient,
  type Persister,
} from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { sections } from '#contract/sections/index.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { dropWorkerCopies } from '#client/browser/saved-copy.ts'
import { openMirror, type Mirror } from './mirror.ts'
import { entriesQuery, latestQuery, settingsQuery } from '#client/data/queries.ts'
import { sectionsToKeep } from './warm.ts'

/** Raise when the shape of the kept data changes: a copy of another shape is thrown away, not read. */
const schemaVersion = '2'
const maxAgeMs = 90 * 24 * 60 * 60 * 1000
const key = 'queries'

/**
 * Whether the answer to this query may be kept on the device: the reads that everybody may see, and whatever else the cache
 * holds never leaves the page's memory. What its owner read of a section that visitors have not does not outlive her session.
 */
function isPublic(settings: SettingValues | undefined, queryKey: QueryKey): boolean {
  const [what, name, part] = queryKey
  if (what !== 'entries') return ['person', 'settings'].includes(queryKey.join())
  const isKept = sectionsToKeep(settings).some((section) => section.key === name)
  return isKept && (part === undefined || part === 'latest')
}

const settingsIn = (queryClient: QueryClient) => queryClient.getQueryData(settingsQuery.queryKey)

interface Options {
  readonly queryClient: QueryClient
  /** Told once when this device keeps nothing. */
  readonly onTrouble: (cause: unknown) => void
}

/** Opens the copy on the device, fills the cache from it and keeps it up to date from then on. */
export async function keepOffline({ queryClient, onTrouble }: Options): Promise<void> {
  const opening = openMirror({ database: 'tintero-cache', key, onTrouble })
  dropMirror = opening.then(async (copy) => {
    const stop = await followCache(queryClient, copy)
    return () => {
      stop()
      return copy.drop()
    }
  })
  await dropMirror
}

/** Also while the copy is still being opened, or what is opened then would be kept although it was dropped. */
let dropMirror: Promise<() => Promise<void>> | undefined

/**
 * Forgets what is kept of the site's content for reading it offline; the next page that is loaded begins anew. Queued
 * changes, drafts and the application itself stay. Rejects when the browser refuses.
 */
export async function dropCopy(): Promise<void> {
  const drop = await dropMirror
  await drop?.()
  await dropWorkerCopies()
}

/**
 * Fills the cache from the copy and lets the copy follow; returns how to stop. What the cache holds already stays, unless it
 * is old itself, and what comes from the copy counts as old, so that the first page to show it asks for news.
 */
export async function followCache(queryClient: QueryClient, copy: Mirror): Promise<() => void> {
  const options = {
    queryClient,
    persister: persisterOf(queryClient, copy),
    buster: schemaVersion,
    maxAge: maxAgeMs,
    dehydrateOptions: {
      shouldDehydrateMutation: () => false,
      // A query whose last refresh failed still has its data.
      shouldDehydrateQuery: ({ queryKey, state }: Query) =>
        state.data !== undefined && isPublic(settingsIn(queryClient), queryKey),
    },
  }
  await persistQueryClientRestore(options)
  const stops = [persistQueryClientSubscribe(options), followLists(queryClient)]
  // Once by hand: what the server drew was in the cache before anybody listened.
  await persistQueryClientSave(options)
  return () => {
    for (const stop of stops) stop()
  }
}

/** Has what stands alone of a list follow it: what has left the one is not to stay on the device as the other. */
function followLists(queryClient: QueryClient): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const { queryHash } = event.query
    const section = sections.find((one) => hashKey(entriesQuery(one).queryKey) === queryHash)
    if (!section) return
    const list = queryClient.getQueryData(entriesQuery(section).queryKey)
    queryClient.setQueryData(latestQuery(section).queryKey, (old) =>
      old === undefined ? old : (list?.at(-1) ?? null),
    )
  })
}

function persisterOf(queryClient: QueryClient, storage: Mirror): Persister {
  // Over the mirror all is memory, so there is nothing that an asynchronous persister would wait for.
  // oxlint-disable-next-line typescript/no-deprecated -- gone with the library's next major version only
  const persister = createSyncStoragePersister({ storage, key, throttleTime: 0 })
  const cache = queryClient.getQueryCache()
  return {
    ...persister,
    restoreClient: async () => {
      const kept = await persister.restoreClient()
      if (!kept) return undefined
      const { queries } = kept.clientState
      // A page without content has no settings yet; those of the copy tell which of its sections are hidden.
      const settings =
        settingsIn(queryClient) ??
        (queries.find((one) => one.queryHash === hashKey(settingsQuery.queryKey))?.state.data as
          | SettingValues
          | undefined)
      const isHers = ({ queryKey }: KeptQuery) => !isPublic(settings, queryKey)
      void forgetPictures(queries.filter(isHers))
      return without(kept, (query) => {
        if (isHers(query)) return true
        const { queryHash, state } = query
        const own = cache.get(queryHash)
        // What a page that the worker had kept brought along is old, and may be older than the copy.
        const isOlder = own?.state.isInvalidated && own.state.dataUpdatedAt < state.dataUpdatedAt
        // Of a list that is only asked for so far nothing is held.
        return own?.state.data !== undefined && !isOlder
      })
    },
  }
}

type KeptQuery = PersistedClient['clientState']['queries'][number]

/** Her session may have ended without this browser: the pictures of what she hides go with it. */
async function forgetPictures(left: readonly KeptQuery[]): Promise<void> {
  const entries = left.flatMap(({ state }) => (state.data ?? []) as readonly Entry[])
  if (entries.length === 0) return
  try {
    const { forgetPicturesOf } = await import('#client/session/hidden-copy.ts')
    await forgetPicturesOf(entries)
  } catch (cause) {
    logProblem('Pictures of hidden sections stay', cause)
  }
}

function without(kept: PersistedClient, isLeftOut: (query: KeptQuery) => boolean): PersistedClient {
  const { clientState } = kept
  const queries = clientState.queries
    .filter((query) => !isLeftOut(query))
    .map((query) => ({
      ...query,
      state: {
        ...query.state,
        status: 'success' as const,
        fetchStatus: 'idle' as const,
        error: null,
        isInvalidated: true,
      },
    }))
  return { ...kept, clientState: { ...clientState, queries } }
}
