import { expect, test } from 'vitest'
import type { Operation } from '#client/outbox/operation.ts'
import { followQueue, type Line } from '#client/owner/changes/follow-queue.ts'

function operation(id: string, change: Partial<Operation> = {}): Operation {
  return {
    id,
    subject: { on: 'person' },
    verb: 'update',
    values: {},
    label: '',
    madeAt: '2031-03-01T10:00:00.000Z',
    tries: 0,
    ...change,
  }
}
const said = (lines: readonly Line[]) =>
  lines.map(({ operation: { id }, isDone }) => (isDone ? `${id} done` : id))

test('the open list keeps what was sent as done, in its place', () => {
  const opened = followQueue([], { operations: [operation('a'), operation('b')] })
  const sent = followQueue(opened, { operations: [operation('b')], applied: ['a'] })
  expect(said(sent)).toEqual(['a done', 'b'])
  expect(said(followQueue(sent, { operations: [], applied: ['b'] }))).toEqual(['a done', 'b done'])
})

test('what left the queue unsent leaves the list', () => {
  const opened = followQueue([], { operations: [operation('a'), operation('b')] })
  expect(said(followQueue(opened, { operations: [operation('b')] }))).toEqual(['b'])
})

test('a later change comes last, and one that is queued again is no longer done', () => {
  const done = followQueue(followQueue([], { operations: [operation('a')] }), {
    operations: [],
    applied: ['a'],
  })
  const next = followQueue(done, { operations: [operation('b')] })
  expect(said(next)).toEqual(['a done', 'b'])
  expect(said(followQueue(next, { operations: [operation('a'), operation('b')] }))).toEqual([
    'a',
    'b',
  ])
})

test('a line follows its operation', () => {
  const opened = followQueue([], { operations: [operation('a')] })
  const refused = operation('a', { refusal: { code: 'x', reason: 'No' } })
  expect(followQueue(opened, { operations: [refused] })).toEqual([
    { operation: refused, isDone: false },
  ])
})
