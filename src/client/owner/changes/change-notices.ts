import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Refusal } from '#client/outbox/operation.ts'
import type { ChangeResult, WaitReason } from '#client/outbox/pending-callers.ts'
import { notify, pageNotices } from '#client/ui/notices.ts'
import { openQueue } from './open-queue.ts'

const pictureCodes = /^(?:imagen-|svg-|tipo-no-admitido|categoria-|nombre-no-valido)/

/** The server's sentence when it was the picture that it refused, so that the rest of the form was never sent. */
export function pictureTrouble({ code, reason }: Refusal): string | undefined {
  return pictureCodes.test(code) ? reason : undefined
}

/** What a kept change waits for; only without a network is it the connection's return. */
const waits: Readonly<Record<Exclude<WaitReason, 'trouble' | 'not-kept'>, string>> = {
  offline: offlineTexts.queued,
  'no-answer': queueTexts.keptSilent,
  login: offlineTexts.queuedForLogin,
  'read-only': queueTexts.keptClosed,
  blocked: queueTexts.keptHeld,
  conflict: queueTexts.conflict,
}

/**
 * Says that the change is kept here: why it waits, or in the product's words that it did not work, with the way to the queue;
 * or that it is not kept, so that it goes with the page.
 */
export async function tellKept(
  { because }: Extract<ChangeResult, { state: 'queued' }>,
  failed: string,
): Promise<void> {
  const isKept = because !== 'trouble' && because !== 'not-kept'
  const words = isKept ? waits[because] : because === 'trouble' ? failed : queueTexts.unkept
  // One that says the same, of a change just before, makes way: three of them would cover what she works on.
  for (const { id, text } of pageNotices.get()) if (text === words) pageNotices.close(id, false)
  const options = { action: offlineTexts.seeChanges }
  if (await notify(isKept ? 'info-snackbar' : 'error-snackbar', words, options)) openQueue()
}
