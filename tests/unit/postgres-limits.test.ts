import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { describe, expect, test } from 'vitest'
import { LostConnection } from '#server/db/errors.ts'
import { serving } from '#server/db/postgres.ts'
import { triedForMs } from '#server/db/postgres-reach.ts'
import type { Tables } from '#server/db/tables.ts'
import { transact } from '#server/db/transact.ts'
import { toProblem } from '#server/edge/to-problem.ts'

test('a call waits ten seconds at most for a PostgreSQL that stands still', () => {
  const { connectMs, lockMs, statementMs, answerMs } = serving
  expect(connectMs + answerMs).toBeLessThanOrEqual(10_000)
  // What has waited for as long as it may is not tried again: that is for what failed sooner.
  expect(Math.min(connectMs, answerMs)).toBeGreaterThan(triedForMs)
  // The server's own clocks run out first, so that what they end is surely not done.
  expect(lockMs).toBeLessThan(statementMs)
  expect(statementMs).toBeLessThan(answerMs)
})

test.each([
  ['a lock that was held for too long', '55P03', 503],
  ['a statement that took too long', '57014', 503],
  ['a write that another came before', '40001', 503],
  ['two that waited for each other', '40P01', 503],
  ['no connection left', '53300', 503],
  ['a full disk', '53100', 507],
])('%s is answered as what it is, with a time to come back where that helps', (_, code, status) => {
  const problem = toProblem(Object.assign(new Error('refused'), { code, severity: 'ERROR' }))
  expect(problem.status).toBe(status)
  expect(problem.details.headers).toEqual(status === 503 ? { 'retry-after': '5' } : undefined)
})

describe('a connection lost while committing', () => {
  /** How often it ran, and whether the caller heard that nobody knows what became of it. */
  async function lose(repeat: { readonly repeatable: boolean }) {
    let commits = 0
    class LosingDriver extends DummyDriver {
      override async commitTransaction() {
        if (++commits === 1) throw new LostConnection(false, new Error('Connection terminated'))
      }
    }
    const db = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new LosingDriver(),
        createIntrospector: (each) => new PostgresIntrospector(each),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    let runs = 0
    const error = await transact(db, async () => void runs++, repeat).catch((e: unknown) => e)
    return { runs, isLost: error instanceof LostConnection }
  }

  test('has nothing done twice', async () => {
    expect(await lose({ repeatable: false })).toEqual({ runs: 1, isLost: true })
  })

  test('costs another try where doing it twice is right', async () => {
    expect(await lose({ repeatable: true })).toEqual({ runs: 2, isLost: false })
  })
})
