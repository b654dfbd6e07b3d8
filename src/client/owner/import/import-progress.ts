import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { changesIn } from '#client/outbox/operation.ts'
import type { Outbox } from '#client/outbox/outbox.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'
import type { QueuedChanges } from './import-records.ts'

/** How many of the things wait, were refused, and were taken by the server; what was undone before it was sent is none of these. */
interface Counts {
  readonly waiting: number
  readonly refused: number
  readonly sent: number
}

/** How far these changes have come. */
export function countsOf(
  things: QueuedChanges['things'],
  { operations }: OutboxState,
  isTaken: Outbox['isTaken'],
): Counts {
  const asked = new Set(things.flat())
  const own = operations.filter((operation) => changesIn(operation).some((id) => asked.has(id)))
  const waiting = new Set(own.flatMap(changesIn))
  const stopped = new Set(own.filter(({ refusal }) => refusal).flatMap(changesIn))
  const count = (isMeant: (ids: readonly string[]) => boolean) => things.filter(isMeant).length
  const isWaiting = (ids: readonly string[]) => ids.some((id) => waiting.has(id))
  const isStopped = (ids: readonly string[]) => ids.some((id) => stopped.has(id))
  return {
    waiting: count((ids) => isWaiting(ids) && !isStopped(ids)),
    refused: count(isStopped),
    sent: count((ids) => !isWaiting(ids) && ids.some(isTaken)),
  }
}

/** What is said of changes on their way, and once they are there. */
export interface ProgressTexts {
  readonly sending: string
  readonly waiting: string
  readonly sent: string
}

const { sending, waitingOffline, allSent, keptSending, keptWaiting, keptSent } = importTexts
/** The words for what shows on the site. */
export const publishingWords: ProgressTexts = { sending, waiting: waitingOffline, sent: allSent }
/** The words for what is only kept, which nobody calls published. */
export const keepingWords: ProgressTexts = {
  sending: keptSending,
  waiting: keptWaiting,
  sent: keptSent,
}
/** The words for what was kept and goes again: once it has gone there is nothing more to say. */
export const droppingWords: ProgressTexts = { ...keepingWords, sent: '' }

interface Telling {
  readonly isOnline: boolean
  readonly texts: ProgressTexts
  /** Something beside them waits, which is not counted. */
  readonly isMore: boolean
}

/** The same in words; none where nothing was or is to be sent. */
export function progressWords(
  { waiting, refused, sent }: Counts,
  { isOnline, texts, isMore }: Telling,
): string {
  if (refused > 0) {
    return fill(refused === 1 ? importTexts.stoppedOne : importTexts.stopped, { n: refused })
  }
  if (waiting === 0 && !isMore) return sent > 0 ? texts.sent : ''
  if (!isOnline) return texts.waiting
  return fill(texts.sending, { n: sent + waiting, done: sent })
}
