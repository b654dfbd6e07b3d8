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
  /** Opens a path of the site in this tab. */
  readonly open: (url: string) => void
}

let isFollowing = false

/**
 * Checks from the owner's first page on that this device still rings, and carries out the worker's messages about
 * notifications. A tab without a session leaves their presses to the worker.
 */
export function followNotifications({ queryClient, open }: Following): void {
  if (isFollowing) return
  isFollowing = true
  void healNotifications(queryClient)
  followMessageSession(queryClient)
  onWorkerMessage((message) => {
    if (!isAdmin(getSession())) return false
    void refreshMessages(queryClient)
    if (message.type === 'PUSH_MOVED') void healNotifications(queryClient)
    if (message.type === 'PUSH_OPEN') open(message.url)
    return true
  })
}

/** The listener returns whether the page carries the message out; otherwise the worker finds another way. */
function onWorkerMessage(listener: (message: WorkerMessage) => boolean): void {
  serviceWorkers()?.addEventListener('message', ({ data, ports }: MessageEvent<unknown>) => {
    const message = parseWorkerMessage(data)
    if (message && listener(message)) ports[0]?.postMessage(pushTaken)
  })
}
