import { IDBObjectStore as FakeStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openOutboxStore } from '#client/outbox/store.ts'
import { fromStored, toStored } from '#client/browser/stored-file.ts'
import { readDraft, saveDraft } from '#client/owner/drafts/entry-drafts.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

const picture = new File(['colours'], 'cuadro.png', { type: 'image/png' })

beforeEach(() => keepingDevice())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a draft’s picture is kept without the Blob that private windows refuse, and comes back as the file it was', async () => {
  const put = vi.spyOn(FakeStore.prototype, 'put')
  await saveDraft('proyect-new', { id: 'a', version: 0, fields: { name: 'Faro' } }, picture)
  expect(put.mock.calls.length).toBeGreaterThan(0)
  expect(put.mock.calls.filter(([value]) => value instanceof Blob)).toEqual([])
  const back = (await readDraft('proyect-new')).picture
  expect(back).toMatchObject({ name: 'cuadro.png', type: 'image/png' })
  expect(await back?.text()).toBe('colours')
})

test('the queue gives back a picture kept as bytes, and one that an earlier version kept as it was', async () => {
  const store = openOutboxStore()
  const pictures = { bytes: await toStored(picture), blob: picture }
  await store.update((operations) => ({ operations, pictures, result: undefined }))
  for (const id of Object.keys(pictures)) {
    const back = await store.picture(id)
    expect(back).toMatchObject({ type: 'image/png' })
    expect(await back?.text()).toBe('colours')
  }
  expect(await store.picture('none')).toBeUndefined()
})

test('what is no file is none', () => {
  for (const value of [undefined, null, 'text', {}, { name: 'Faro', type: 'text' }]) {
    expect(fromStored(value)).toBeUndefined()
  }
})
