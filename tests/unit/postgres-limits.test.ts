import { expect, test } from 'vitest'
import { serving } from '#server/db/postgres.ts'
import { triedForMs } from '#server/db/postgres-reach.ts'

test('a call waits ten seconds at most for a PostgreSQL that stands still', () => {
  const { connectMs, lockMs, statementMs, answerMs } = serving
  expect(connectMs + answerMs).toBeLessThanOrEqual(10_000)
  // What has waited for as long as it may is not tried again: that is for what failed sooner.
  expect(Math.min(connectMs, answerMs)).toBeGreaterThan(triedForMs)
  // The server's own clocks run out first, so that what they end is surely not done.
  expect(lockMs).toBeLessThan(statementMs)
  expect(statementMs).toBeLessThan(answerMs)
})
