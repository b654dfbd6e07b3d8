import { queueUrl } from '#contract/push-word.ts'
import { noticeTexts } from '#contract/texts-inbox.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import { showNotification } from '#client/platform/notification.ts'
import { titleOf } from './describe-operation.ts'

/** Tells the owner on her device's own surface that a change of hers was refused; a press opens the list of changes. */
export function tellStopped(operation: Operation): Promise<void> {
  return showNotification({
    title: noticeTexts.changeStopped,
    body: titleOf(operation),
    tag: `change-${operation.id}`,
    url: queueUrl,
  })
}
