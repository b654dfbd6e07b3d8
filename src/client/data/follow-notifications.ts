import type { QueryClient } from '@tanstack/react-query'
import { onPushWord } from '#client/platform/push-words.ts'
import { followMessageSession, refreshMessages } from './messages.ts'
import { healNotifications } from './notifications.ts'
import { getSession, isAdmin } from './session.ts'

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
  onPushWord((word) => {
    if (!isAdmin(getSession())) return false
    void refreshMessages(queryClient)
    if (word.type === 'PUSH_MOVED') void healNotifications(queryClient)
    if (word.type === 'PUSH_OPEN') open(word.url)
    return true
  })
}
