import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import type { Entry } from '#contract/sections/section.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { showApplied } from '#client/outbox/show-applied.ts'
import { birthDateQuery } from '#client/outbox/birth-date.ts'
import { entriesQuery, latestQuery, settingsQuery } from '#client/data/queries.ts'

const row = (id: string, name: string): Entry => ({ id, version: 1, fields: { name } })
const [a, b, c] = [row('1', 'a'), row('2', 'b'), row('3', 'c')]

interface Held {
  readonly list?: readonly Entry[]
  readonly latest?: Entry | null
}

/** The entry shown on its own once the server applied an operation. */
async function latestAfter(
  { list, latest }: Held,
  done: Operation['verb'] | Pick<Operation, 'verb' | 'behind'>,
  { id, fields }: Entry,
): Promise<unknown> {
  const queryClient = new QueryClient()
  if (list) queryClient.setQueryData(entriesQuery(project).queryKey, list)
  if (latest !== undefined) queryClient.setQueryData(latestQuery(project).queryKey, latest)
  const operation: Operation = {
    id: 'op',
    subject: { on: 'entry', section: project.key, id },
    ...(typeof done === 'string' ? { verb: done } : done),
    values: {},
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 1,
  }
  await showApplied(queryClient, operation, { id, version: 2, ...fields })
  const shown = queryClient.getQueryData(latestQuery(project).queryKey)
  return shown?.fields['name'] ?? shown
}

test('an edit of the latest entry shows at once where it stands alone', async () => {
  expect(await latestAfter({ latest: b }, 'update', row('2', 'mejor'))).toBe('mejor')
})

test('an edit of another entry leaves the latest alone', async () => {
  expect(await latestAfter({ latest: b }, 'update', row('1', 'mejor'))).toBe('b')
})

test('a new entry is the latest at once, also when it is the first', async () => {
  expect(await latestAfter({ latest: b }, 'create', c)).toBe('c')
  expect(await latestAfter({ latest: null }, 'create', c)).toBe('c')
})

test('behind a removed latest entry stands the one before it, or nothing where that is not known', async () => {
  expect(await latestAfter({ list: [a, b], latest: b }, 'remove', b)).toBe('a')
  expect(await latestAfter({ latest: b }, 'remove', b)).toBe(null)
})

test('what no page has asked for is not put there', async () => {
  expect(await latestAfter({ list: [a] }, 'create', b)).toBe(undefined)
})

test('what comes back stands in its place, and is the latest only where it is the last', async () => {
  const back = (behind: readonly string[]) => ({ behind, verb: 'restore' as const })
  expect(await latestAfter({ list: [a, b], latest: b }, back(['1']), c)).toBe('b')
  expect(await latestAfter({ list: [a, b], latest: b }, back(['1', '2']), c)).toBe('c')
  // Without the list: by what it stood behind.
  expect(await latestAfter({ latest: b }, back(['1']), c)).toBe('b')
  expect(await latestAfter({ latest: b }, back(['2']), c)).toBe('c')
  expect(await latestAfter({ latest: null }, back([]), c)).toBe('c')
})

test('of a birth date that arrived only the age is where the device keeps the settings', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(settingsQuery.queryKey, defaultSettings)
  const operation: Operation = {
    id: 'op',
    subject: { on: 'settings', key: 'birth_date' },
    verb: 'update',
    values: { birth_date: '1992-03-14' },
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 1,
  }
  await showApplied(queryClient, operation, { birth_date: '1992-03-14', age_text: '34 años' })
  const shown = { ...defaultSettings, age_text: '34 años' }
  expect(queryClient.getQueryData(settingsQuery.queryKey)).toEqual(shown)
  expect(queryClient.getQueryData(birthDateQuery.queryKey)).toBe('1992-03-14')
})
