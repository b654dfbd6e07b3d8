import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Refusal } from '#client/outbox/operation.ts'
import type { ChangeResult, WaitReason } from '#client/outbox/pending-callers.ts'
import { showNotice, pageNotices } from '#client/ui/notices.ts'
import { openQueue } from './open-queue.ts'

const pictureCodes = /^(?:imagen-|svg-|tipo-no-admitido|categoria-|nombre-no-valido)/

/** The server's sentence when it refused the picture, so that the rest of the form was never sent. */
export function pictureTrouble({ code, reason }: Refusal): string | undefined {
  return pictureCodes.test(code) ? reason : undefined
}

/** Only without a network does a kept change wait for the connection's return. */
const waits: Readonly<Record<Exclude<WaitReason, 'trouble' | 'not-kept' | 'superfluous'>, string>> =
  {
    offline: offlineTexts.queued,
    'no-answer': queueTexts.keptSilent,
    login: offlineTexts.queuedForLogin,
    'read-only': queueTexts.keptClosed,
    blocked: queueTexts.keptBlocked,
    conflict: queueTexts.conflict,
  }

interface ResultWords {
  /** Absent where the page shows it by itself. */
  readonly saved?: string
  readonly failed: string
}

/** Says what became of a change that no form takes back: that it waits, that it failed, or that it is done. */
export function tellResult(result: ChangeResult, { saved, failed }: ResultWords): void {
  if (result.state === 'queued') void tellKept(result, failed)
  else if (result.state === 'refused') void showNotice('error-snackbar', failed)
  else if (saved !== undefined) void showNotice('success-snackbar', saved)
}

/**
 * Says why the change waits, or in the product's words that it failed, with a button to the queue; or that it is not
 * kept, so that it is lost with the page. Of what a later change made superfluous that one has said all.
 */
export async function tellKept(
  { because }: Extract<ChangeResult, { state: 'queued' }>,
  failed: string,
): Promise<void> {
  if (because === 'superfluous') return
  const isKept = because !== 'trouble' && because !== 'not-kept'
  const words = isKept ? waits[because] : because === 'trouble' ? failed : queueTexts.unkept
  // An equal notice of an earlier change makes way: three of them would cover the page.
  for (const { id, text } of pageNotices.get()) if (text === words) pageNotices.close(id, false)
  const options = { action: offlineTexts.seeChanges }
  if (await showNotice(isKept ? 'info-snackbar' : 'error-snackbar', words, options)) openQueue()
}
