import type { LastChange } from '#contract/api.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { changedHere, type Operation, type Refusal } from '#client/outbox/operation.ts'
import { whenInSentence } from '#client/owner/inbox/message-words.ts'

/** Both versions of a conflict: «Tu cambio: hoy, 10:31 · El otro: hoy, 10:40, en «iPhone»». */
export function momentsOf({ madeAt, refusal }: Operation, now: number): string {
  const mine = fill(queueTexts.mineAt, { when: whenInSentence(madeAt, now) })
  const other = refusal && otherMoment(refusal, now)
  return other === undefined ? mine : `${mine} · ${other}`
}

/** Undefined where the server noted no moment. */
export function otherMoment({ code, current }: Refusal, now: number): string | undefined {
  const changed: LastChange | undefined = current?.changed
  if (!changed) return undefined
  const when = whenInSentence(changed.at, now)
  if (code === changedHere) return fill(queueTexts.otherAtHere, { when })
  const { device } = changed
  return device === undefined
    ? fill(queueTexts.otherAt, { when })
    : fill(queueTexts.otherAtOn, { when, device })
}
