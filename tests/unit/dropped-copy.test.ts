import { QueryClient } from '@tanstack/react-query'
import { entries } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '#client/browser/database.ts'
import { delay } from '#client/browser/delay.ts'
import { personQuery } from '#client/data/queries.ts'
import { dropCopy, keepOffline } from '#client/offline/persist.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => keepingDevice())
afterEach(() => vi.unstubAllGlobals())

const person = { version: 1, fields: { name: 'Lucía' } }
const onDisk = () => entries(openStore({ database: 'tintero-cache', store: 'kv' }))
const openPage = () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(personQuery.queryKey, person)
  return { queryClient, keeping: keepOffline({ queryClient, onTrouble: () => {} }) }
}

test('a copy that is dropped while it is still being opened is not kept', async () => {
  const { keeping } = openPage()
  await dropCopy()
  await keeping
  await delay(50)
  expect(await onDisk()).toEqual([])
})

test('nor is what was read just before, or comes after', async () => {
  const { keeping, queryClient } = openPage()
  await keeping
  await expect.poll(onDisk).toHaveLength(1)
  queryClient.setQueryData(personQuery.queryKey, { ...person, version: 2 })
  await dropCopy()
  queryClient.setQueryData(personQuery.queryKey, { ...person, version: 3 })
  await delay(50)
  expect(await onDisk()).toEqual([])
})
