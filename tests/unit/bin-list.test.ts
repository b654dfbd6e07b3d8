import { expect, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { itemsWith } from '#client/owner/settings/bin-list.ts'

const row = { id: 'a', version: 3, fields: { name: 'A' } }
const stored = {
  section: project,
  entry: row,
  removedAt: '2026-01-01T00:00:00.000Z',
  behind: [],
  bytes: 0,
}
const queued = (id: string, verb: Operation['verb']): Operation => ({
  id,
  subject: { on: 'entry', section: project.key, id: row.id },
  verb,
  values: {},
  label: 'A',
  madeAt: '2026-01-02T00:00:00.000Z',
  tries: 0,
})
const edit = queued('op-e', 'update')
const removal = queued('op-r', 'remove')
const names = (operations: readonly Operation[], bin: readonly (typeof stored)[] = []) =>
  itemsWith(operations, bin, () => [row]).map(({ entry }) => entry.fields['name'])

test('what waits to be deleted is in the bin, also behind an edit that waits', () => {
  expect(names([removal])).toEqual(['A'])
  expect(names([edit, removal])).toEqual(['A'])
  expect(names([edit])).toEqual([])
})

test('what waits to come back or to be erased is in the bin no more', () => {
  expect(names([removal, queued('op-b', 'restore')])).toEqual([])
  expect(names([queued('op-b', 'restore'), edit], [stored])).toEqual([])
  expect(names([queued('op-x', 'erase')], [stored])).toEqual([])
  expect(names([], [stored])).toEqual(['A'])
})

test('what was changed before it was deleted has the texts that it had then, and its stored picture', () => {
  const renamed = { ...edit, values: { name: 'B' }, image: { field: 'image', name: 'b.png' } }
  const [item] = itemsWith([renamed, removal], [], () => [
    { ...row, fields: { name: 'A', image: '/media/a.webp' } },
  ])
  expect(item?.entry.fields).toEqual({ name: 'B', image: '/media/a.webp' })
})
