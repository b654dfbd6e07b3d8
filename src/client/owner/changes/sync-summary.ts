import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { ownersOf } from './describe-operation.ts'

/** The queue in one word and one sentence. */
interface SyncSummary {
  readonly tone: 'ok' | 'pending' | 'failed'
  readonly count: number
  readonly sentence: string
}

/** Refused changes come before those that only wait. */
export function summaryOf(queued: readonly Operation[]): SyncSummary {
  const operations = ownersOf(queued)
  const failed = operations.filter(({ refusal }) => refusal).length
  if (failed > 0) return { tone: 'failed', count: failed, sentence: countOf('failed', failed) }
  const count = operations.length
  if (count === 0) return { tone: 'ok', count, sentence: queueTexts.empty }
  return { tone: 'pending', count, sentence: countOf('pending', count) }
}

function countOf(what: 'failed' | 'pending', n: number): string {
  return n === 1 ? queueTexts[`${what}One`] : fill(queueTexts[`${what}Many`], { n })
}
