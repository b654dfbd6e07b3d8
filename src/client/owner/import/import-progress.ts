import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { changesIn } from '#client/outbox/operation.ts'
import type { Outbox } from '#client/outbox/outbox.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'

/** How many changes wait, were refused, and were taken by the server; what was undone before it was sent is none of these. */
interface Counts {
  readonly waiting: number
  readonly refused: number
  readonly sent: number
}

/** How far these changes have come. */
export function countsOf(
  ids: readonly string[],
  { operations }: OutboxState,
  isTaken: Outbox['isTaken'],
): Counts {
  const own = operations.filter((operation) => changesIn(operation).some((id) => ids.includes(id)))
  const held = new Set(own.flatMap(changesIn))
  const refused = own.filter(({ refusal }) => refusal).length
  const sent = ids.filter((id) => !held.has(id) && isTaken(id)).length
  return { waiting: own.length - refused, refused, sent }
}

/** The same in words; none where nothing was or is to be sent. Of what is only kept nobody says that it is published. */
export function progressWords(
  { waiting, refused, sent }: Counts,
  {
    isOnline,
    isKept = false,
  }: { readonly isOnline: boolean; readonly isKept?: boolean | undefined },
): string {
  const { keptSent, keptSending, keptWaiting } = importTexts
  if (refused > 0) {
    return fill(refused === 1 ? importTexts.stoppedOne : importTexts.stopped, { n: refused })
  }
  if (waiting === 0) return sent === 0 ? '' : isKept ? keptSent : importTexts.allSent
  if (!isOnline) return isKept ? keptWaiting : importTexts.waitingOffline
  if (isKept) return keptSending
  return fill(importTexts.sending, { n: sent + waiting, done: sent })
}
