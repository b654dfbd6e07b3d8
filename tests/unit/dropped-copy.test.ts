import { QueryClient } from '@tanstack/react-query'
import { IDBObjectStore } from 'fake-indexeddb'
import { entries } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '#client/browser/database.ts'
import { delay } from '#client/browser/delay.ts'
import { personQuery } from '#client/data/queries.ts'
import { dropCopy, keepOffline } from '#client/offline/persist.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => keepingDevice())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

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
  expect(await onDisk()).toEqual([])
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
  expect(await onDisk()).toEqual([])
  queryClient.setQueryData(personQuery.queryKey, { ...person, version: 3 })
  await delay(50)
  expect(await onDisk()).toEqual([])
})

test('where the device does not let go of it, nobody says that it did', async () => {
  const { keeping } = openPage()
  await keeping
  await expect.poll(onDisk).toHaveLength(1)
  const refusal = new Error('the disk cannot be written')
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
    throw refusal
  })
  await expect(dropCopy()).rejects.toBe(refusal)
})
