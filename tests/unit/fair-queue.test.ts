import { expect, test } from 'vitest'
import { createFairQueue } from '#server/edge/fair-queue.ts'

test('whoever waits has a turn, however many lower ranks keep coming', async () => {
  const inTurn = createFairQueue(Infinity)
  const order: string[] = []
  const crowd: Promise<void>[] = []
  // Each makes room for the next one, so that one of them waits always.
  const come = (left: number) => {
    crowd.push(
      inTurn(1, async () => {
        order.push('crowd')
        if (left > 0) come(left - 1)
      }),
    )
  }
  come(20)
  const hers = inTurn(2, async () => void order.push('hers'))
  come(20)
  await hers
  for (const each of crowd) await each
  expect(order).toHaveLength(43)
  expect(order.indexOf('hers')).toBeLessThan(8)
})

test('the lowest rank comes first, and before it what nobody waits for any longer', async () => {
  const inTurn = createFairQueue(Infinity)
  const order: string[] = []
  const gone = new Set<string>()
  const come = (name: string, rank: number) =>
    inTurn(
      rank,
      async () => void order.push(name),
      () => gone.has(name),
    )
  const all = [come('busy', 0), come('late', 3), come('soon', 1), come('left', 9)]
  gone.add('left')
  await Promise.all(all)
  expect(order).toEqual(['busy', 'left', 'soon', 'late'])
})
