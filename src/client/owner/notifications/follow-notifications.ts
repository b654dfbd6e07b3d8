import type { QueryClient } from '@tanstack/react-query'
import {
  parseWorkerMessage,
  pushTaken,
  type WorkerMessage,
} from '#contract/notifications/worker-messages.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { followMessageSession, refreshMessages } from '#client/owner/inbox/messages.ts'
import { healNotifications } from './notifications.ts'
import { getSession, isAdmin } from '#client/data/session.ts'

interface Following {
  readonly queryClient: QueryClient
  /** Shows a path of the site in this tab. */
  readonly open: (url: string) => void
}

let isFollowing = false

/**
 * From the owner's first page on: makes sure that this device still rings, and does what the worker says of notifications.
 * A tab in which nobody is signed in leaves their presses to the worker.
 */
export function followNotifications({ queryClient, open }: Following): void {
  if (isFollowing) return
  isFollowing = true
  void healNotifications(queryClient)
  followMessageSession(queryClient)
  onWorkerMessage((word) => {
    if (!isAdmin(getSession())) return false
    void refreshMessages(queryClient)
    if (word.type === 'PUSH_MOVED') void healNotifications(queryClient)
    if (word.type === 'PUSH_OPEN') open(word.url)
    return true
  })
}

/** Whether the page does what a word wishes; told to the worker, which else finds another way. */
type OnWord = (word: WorkerMessage) => boolean

/** Listens to what the worker tells of notifications, from now on. */
function onWorkerMessage(listener: OnWord): void {
  serviceWorkers()?.addEventListener('message', ({ data, ports }: MessageEvent<unknown>) => {
    const word = parseWorkerMessage(data)
    if (word && listener(word)) ports[0]?.postMessage(pushTaken)
  })
}
