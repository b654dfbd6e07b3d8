import { groupTag, messageTag } from '#contract/notifications/push.ts'
import type { Message } from '#contract/messages/messages.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { clearNotifications } from '#client/owner/notifications/notification.ts'

/**
 * Takes the notifications of these messages off the device, because they were read or are gone; of several in one, that
 * which names one of these as the newest. Never rejects.
 */
export async function closeNotifications(messages: readonly Message[]): Promise<void> {
  const tags = new Set(messages.flatMap(({ id }) => [messageTag + id, groupTag + id]))
  try {
    if (tags.size > 0) await clearNotifications((tag) => tags.has(tag))
  } catch (cause) {
    logProblem('A notification could not be taken off the device', cause)
  }
}
