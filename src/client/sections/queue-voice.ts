import { contactNotices } from '#contract/contact.ts'
import { fill } from '#contract/text.ts'
import { messageTexts } from '#contract/texts-message.ts'
import { offlineTexts } from '#contract/texts-offline.ts'
import { isTooOld, type Operation } from '#client/data/outbox/operation.ts'
import type { Voice } from '#client/data/outbox/voice.ts'
import { logProblem } from '#client/platform/log.ts'
import { recall, remember } from '#client/platform/remembered.ts'
import { notify } from '#client/ui/notices.ts'

const told = 'told-nothing-kept'

/** The queue speaks in snackbars. */
export const queueVoice: Voice = { delivered, stopped, nothingKept }

/** Says, once per device, that its browser keeps nothing of this site; every time, it is logged. */
function nothingKept(cause: unknown): void {
  logProblem('This device keeps nothing of the site', cause)
  if (recall(told)) return
  remember(told, '1')
  void notify('info-snackbar', offlineTexts.nothingKept)
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
  void notify('error-snackbar', isTooOld(operation) ? expiredLate : refusedLate)
}

async function tellOutside(operation: Operation): Promise<void> {
  const { tellStopped } = await import('./tell-owner.ts')
  await tellStopped(operation)
}

/** Visitors' messages are told apart from the owner's changes, whose words only she loads. */
function delivered(operations: readonly Operation[]): void {
  const changes = operations.filter(({ subject }) => subject.on !== 'message')
  const n = operations.length - changes.length
  const { sent } = contactNotices
  if (n > 0) {
    void notify('success-snackbar', n === 1 ? sent : fill(messageTexts.sentMany, { n }))
  }
  if (changes.length > 0) void tellChanges(changes)
}

async function tellChanges(changes: readonly Operation[]): Promise<void> {
  const { tellDelivered } = await import('./tell-owner.ts')
  tellDelivered(changes)
}
