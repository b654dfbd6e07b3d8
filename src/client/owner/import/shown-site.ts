import {
  notifyManager,
  useQueryClient,
  useSuspenseQuery,
  type QueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Entry } from '#contract/sections/section.ts'
import { sections } from '#contract/sections/index.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { useOverlay } from '#client/data/overlay.ts'
import { entriesQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { hiddenKey } from '#client/outbox/hidden-entries.ts'
import { useStore } from '#client/ui/store.ts'
import type { Shown } from '#contract/resume/proposals.ts'

/** What the page knows of each section's list. */
interface Lists {
  readonly rows: readonly (readonly Entry[] | undefined)[]
  /** Whether what only she sees is in the overlay by now, as far as it can be known here. */
  readonly isHiddenRead: boolean
  readonly isUnread: boolean
}

/** The site with what is hidden or queued, as it changes; undefined until every list is there. */
export function useShownSite(): { readonly shown: Shown | undefined; readonly isUnread: boolean } {
  const queryClient = useQueryClient()
  const person = useSuspenseQuery(personQuery).data
  const settings = useSuspenseQuery(settingsQuery).data
  const overlay = useOverlay()
  const store = useMemo(() => storeOf(queryClient), [queryClient])
  const { rows, isHiddenRead, isUnread } = useStore(store, store.get())
  if (!isHiddenRead || rows.some((list) => list === undefined)) {
    return { shown: undefined, isUnread }
  }
  return {
    isUnread,
    shown: {
      person: overlay?.person(person) ?? person,
      settings: { ...defaultSettings, ...(overlay?.settings(settings) ?? settings) },
      entries: ({ key }) => {
        const own = rows[sections.findIndex((section) => section.key === key)] ?? []
        return overlay?.entries(key, own, true) ?? own
      },
    },
  }
}

/** All lists as one store: the route reads them, the queue changes them. */
function storeOf(queryClient: QueryClient) {
  // Once it was, it stays: what she sees is not taken away while it is read again.
  let isHiddenRead = false
  const look = (): Lists => {
    const states = sections.map((section) =>
      queryClient.getQueryState(entriesQuery(section).queryKey),
    )
    const hidden = queryClient.getQueryState(hiddenKey)
    isHiddenRead ||= hidden?.data !== undefined && hidden.fetchStatus === 'idle'
    const isUnread = [...states, hidden].some((state) => state?.status === 'error' && !state.data)
    return { rows: states.map((state) => state?.data), isHiddenRead, isUnread }
  }
  let last = look()
  return {
    // What the lists say changes with these alone, and told later: a page that is being drawn makes events of its own.
    subscribe: (listener: () => void) =>
      queryClient.getQueryCache().subscribe(
        notifyManager.batchCalls(({ type }: { readonly type: string }) => {
          if (type === 'updated' || type === 'removed') listener()
        }),
      ),
    get: () => {
      const next = look()
      const isSame =
        next.isUnread === last.isUnread &&
        next.isHiddenRead === last.isHiddenRead &&
        next.rows.every((rows, i) => rows === last.rows[i])
      last = isSame ? last : next
      return last
    },
  }
}
