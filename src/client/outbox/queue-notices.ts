import { contactNotices } from '#contract/messages/contact.ts'
import { fill } from '#contract/text.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { isTooOld, type Operation } from './operation.ts'
import type { OutboxListener } from './outbox-events.ts'
import { noteNotKept } from '#client/browser/keeping.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { showNotice } from '#client/ui/notices.ts'

/** What the queue has to tell, said in snackbars. */
export const queueNotices: OutboxListener = { delivered, stopped, nothingKept }

/** The band under the header says it for as long as the page lives. */
function nothingKept(cause: unknown): void {
  logProblem('This device keeps nothing', cause)
  noteNotKept(cause)
}

/**
 * A visitor has no list of changes to look into, so what became of the message is said wherever the visitor is. The owner
 * has one; she is told outside the page, where she allowed it, when she does not see the page.
 */
function stopped(operation: Operation): void {
  if (operation.subject.on !== 'message') {
    if (document.hidden) void tellOutside(operation)
    return
  }
  const { expiredLate, refusedLate } = messageTexts
  void showNotice('error-snackbar', isTooOld(operation) ? expiredLate : refusedLate)
}

async function tellOutside(operation: Operation): Promise<void> {
  try {
    const { tellStopped } = await import('#client/owner/changes/tell-owner.ts')
    await tellStopped(operation)
  } catch (cause) {
    logProblem('Nobody was told of a change that stopped', cause)
  }
}

/** Visitors' messages are told apart from the owner's changes, whose words only she loads. */
function delivered(operations: readonly Operation[]): void {
  const changes = operations.filter(({ subject }) => subject.on !== 'message')
  const n = operations.length - changes.length
  const { sent } = contactNotices
  if (n > 0) {
    void showNotice('success-snackbar', n === 1 ? sent : fill(messageTexts.sentMany, { n }))
  }
  if (changes.length > 0) void tellChanges(changes)
}

async function tellChanges(changes: readonly Operation[]): Promise<void> {
  try {
    const { tellDelivered } = await import('#client/owner/changes/tell-owner.ts')
    tellDelivered(changes)
  } catch (cause) {
    logProblem('Nobody was told of changes that arrived', cause)
  }
}
