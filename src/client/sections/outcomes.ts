import { offlineTexts } from '#contract/texts-offline.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Outcome } from '#client/data/change.ts'
import { isWaitingForLogin } from '#client/data/outbox/page-outbox.ts'
import { notify } from '#client/ui/notices.ts'
import { openQueue } from './open-queue.ts'

const pictureCodes = /^(?:imagen-|svg-|tipo-no-admitido|categoria-|nombre-no-valido)/

/** The server's sentence when it was the picture that it refused, so that the rest of the form was never sent. */
export function pictureTrouble(outcome: Outcome): string | undefined {
  if (outcome.state !== 'refused') return undefined
  const { code, reason } = outcome.refusal
  return pictureCodes.test(code) ? reason : undefined
}

/** Whether the change is on this device now, so that its form has nothing left to keep. */
export function isKept({ state }: Outcome): boolean {
  return state === 'queued' || state === 'failed' || state === 'undecided'
}

/**
 * Says that the change is kept here: why it waits, or in the product's words that it did not work, with the way to the queue;
 * or that it is not kept, so that it goes with the page.
 */
export async function tellKept(outcome: Outcome, failed: string): Promise<void> {
  const options = { action: offlineTexts.seeChanges }
  const trouble = { failed, unkept: queueTexts.unkept }
  const isAsked =
    outcome.state === 'failed' || outcome.state === 'unkept'
      ? await notify('error-snackbar', trouble[outcome.state], options)
      : await notify('info-snackbar', waitOf(outcome), options)
  if (isAsked) openQueue()
}

/** What a kept change waits for; only without a network is it the connection's return. */
function waitOf(outcome: Outcome): string {
  if (outcome.state === 'undecided') return queueTexts.conflict
  if (outcome.state === 'queued' && outcome.isHeld) return queueTexts.keptHeld
  if (isWaitingForLogin()) return offlineTexts.queuedForLogin
  return navigator.onLine ? queueTexts.keptSilent : offlineTexts.queued
}
