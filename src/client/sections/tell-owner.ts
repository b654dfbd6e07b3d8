import { personNotices } from '#contract/person-notices.ts'
import { queueUrl } from '#contract/push-word.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts-inbox.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import { sectionOf } from '#client/data/outbox/section-of.ts'
import { showNotification } from '#client/platform/notification.ts'
import { notify } from '#client/ui/notices.ts'
import { labelOf, titleOf } from './describe-operation.ts'

/** Tells the owner on her device's own surface that a change of hers was refused; a press opens the list of changes. */
export function tellStopped(operation: Operation): Promise<void> {
  return showNotification({
    title: noticeTexts.changeStopped,
    body: titleOf(operation),
    tag: `change-${operation.id}`,
    url: queueUrl,
  })
}

/** Says that changes which had to wait are on the server now: one in its own words, several together. */
export function tellDelivered(operations: readonly Operation[]): void {
  const [only, ...others] = operations
  if (!only) return
  const text =
    others.length === 0 ? noticeOf(only) : fill(queueTexts.delivered, { n: operations.length })
  void notify('success-snackbar', text)
}

function noticeOf({ subject, verb, values }: Operation): string {
  if (subject.on === 'entry') {
    const { created, updated, deleted } = sectionOf(subject).notices
    return { create: created, update: updated, remove: deleted }[verb]
  }
  if (subject.on === 'person') return personNotices.updated
  const [only, ...others] = Object.keys(values).map((name) => labelOf(subject, name))
  if (only === undefined || others.length > 0) return queueTexts.settingsDelivered
  return fill(queueTexts.settingDelivered, { name: only })
}
