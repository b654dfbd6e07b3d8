import { expect, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { importEntryOperation } from '#client/owner/changes/submit-change.ts'
import { countsOf } from '#client/owner/import/import-progress.ts'
import { growsLinearly } from '#tests/support/linear.ts'

test('how far an import is, is counted in proportion to its changes', async () => {
  const work = (count: number) => {
    const operations = Array.from({ length: count }, (_, i) =>
      importEntryOperation(project, `${i}`, { name: `Proyecto ${i}` }),
    )
    const things = operations.map(({ id }) => [id])
    const state = { operations } as unknown as Parameters<typeof countsOf>[1]
    return () =>
      expect(countsOf(things, state, () => false)).toEqual({ waiting: count, refused: 0, sent: 0 })
  }
  expect(await growsLinearly({ none: work(0), short: work(1000), long: work(4000) })).toBe(true)
})
