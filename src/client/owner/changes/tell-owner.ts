import { messageNotices } from '#contract/messages/messages.ts'
import { personNotices } from '#contract/texts/person.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { queueUrl } from '#contract/notifications/worker-messages.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { isForeign, type Operation } from '#client/outbox/operation.ts'
import { presentAccount } from '#client/outbox/page-outbox.ts'
import { sectionOf } from '#client/outbox/section-of.ts'
import { allowedRegistration } from '#client/session/shown-notifications.ts'
import { showNotice } from '#client/ui/notices.ts'
import { labelOf, titleOf } from './describe-operation.ts'
import { openQueue } from './open-queue.ts'

/**
 * Shows a system notification where the owner allowed them before, and never asks; one that tells of the same change is
 * replaced. The worker handles its press, which opens the list of changes.
 */
export async function tellStopped(operation: Operation): Promise<void> {
  const registration = await allowedRegistration()
  await registration?.showNotification(noticeTexts.changeStopped, {
    body: titleOf(operation),
    tag: `change-${operation.id}`,
    icon: '/icon-192.png',
    data: { url: queueUrl },
  })
}

/** Says that the browser threw these away, with a button to where they wait for her. */
export async function tellRescued(operations: readonly Operation[]): Promise<void> {
  const account = presentAccount()
  // The next person on this device hears nothing of it.
  const n = account ? operations.filter((one) => !isForeign(one, account)).length : 0
  if (n === 0) return
  const text = n === 1 ? queueTexts.rescuedOne : fill(queueTexts.rescuedMany, { n })
  if (await showNotice('error-snackbar', text, { action: offlineTexts.seeChanges })) openQueue()
}

/** A single change has its own words; several are told together. */
export function tellDelivered(operations: readonly Operation[]): void {
  const [only, ...others] = operations
  if (!only) return
  const text =
    others.length === 0 ? noticeOf(only) : fill(queueTexts.delivered, { n: operations.length })
  void showNotice('success-snackbar', text)
}

function noticeOf({ subject, verb, values, label }: Operation): string {
  if (subject.on === 'resume') return label
  if (subject.on === 'answer') {
    return values['answered'] === 'true' ? messageNotices.answered : messageNotices.unanswered
  }
  if (subject.on === 'order') return orderTexts.saved
  if (subject.on === 'entry') {
    const { created, updated, deleted } = noticesOf(sectionOf(subject))
    const restored = fill(binTexts.restored, { name: label })
    const words = { create: created, update: updated, remove: deleted, restore: restored }
    return { ...words, erase: binTexts.erased }[verb]
  }
  if (subject.on === 'person') return personNotices.updated
  const [only, ...others] = Object.keys(values).map((name) => labelOf(subject, name))
  if (only === undefined || others.length > 0) return queueTexts.settingsDelivered
  return fill(queueTexts.settingDelivered, { name: only })
}
