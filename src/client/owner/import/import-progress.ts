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
  const asked = new Set(ids)
  const own = operations.filter((operation) => changesIn(operation).some((id) => asked.has(id)))
  const held = new Set(own.flatMap(changesIn))
  const refused = own.filter(({ refusal }) => refusal).length
  const sent = ids.filter((id) => !held.has(id) && isTaken(id)).length
  return { waiting: own.length - refused, refused, sent }
}

/** What is said of changes on their way, and once they are there. */
export interface ProgressTexts {
  readonly sending: string
  readonly waiting: string
  readonly sent: string
}

const { sending, waitingOffline, allSent, keptSending, keptWaiting, keptSent } = importTexts
/** Of what shows on the site. */
export const publishingWords: ProgressTexts = { sending, waiting: waitingOffline, sent: allSent }
/** Of what is only kept, which nobody calls published. */
export const keepingWords: ProgressTexts = {
  sending: keptSending,
  waiting: keptWaiting,
  sent: keptSent,
}
/** Of that when it goes again: once it has gone there is nothing more to say. */
export const droppingWords: ProgressTexts = { ...keepingWords, sent: '' }

/** The same in words; none where nothing was or is to be sent. */
export function progressWords(
  { waiting, refused, sent }: Counts,
  { isOnline, texts }: { readonly isOnline: boolean; readonly texts: ProgressTexts },
): string {
  if (refused > 0) {
    return fill(refused === 1 ? importTexts.stoppedOne : importTexts.stopped, { n: refused })
  }
  if (waiting === 0) return sent > 0 ? texts.sent : ''
  if (!isOnline) return texts.waiting
  return fill(texts.sending, { n: sent + waiting, done: sent })
}
