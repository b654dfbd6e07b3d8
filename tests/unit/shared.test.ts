import { IDBDatabase as FakeDatabase } from 'fake-indexeddb'
import { entries, set } from 'idb-keyval'
import { afterEach, expect, test, vi } from 'vitest'
import { maxTextLength } from '#contract/limits.ts'
import { share, type SharedItem } from '#contract/offline/offline.ts'
import { openStore } from '#client/browser/database.ts'
import type { KeptDraft } from '#client/owner/drafts/entry-drafts.ts'
import { withShared } from '#client/owner/drafts/shared.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const shared = { title: 'Faro', text: 'Un faro', url: 'https://faro.test' }

test('what is shared fills the name, the description and the link of a project', () => {
  expect(withShared({}, shared)).toEqual({
    name: 'Faro',
    description: 'Un faro',
    demo: 'https://faro.test',
  })
})

test('what was typed before stays', () => {
  expect(withShared({ name: 'Mío', demo: '' }, shared)).toMatchObject({
    name: 'Mío',
    demo: 'https://faro.test',
  })
})

test('a link that comes inside the words becomes the project’s link', () => {
  const words = { title: '', text: 'Mira https://faro.test/a?b=1 hoy', url: '' }
  expect(withShared({}, words)).toEqual({
    description: 'Mira  hoy',
    demo: 'https://faro.test/a?b=1',
  })
})

test('of a text nobody would type no more is taken than any field holds', () => {
  const endless = { title: 'x'.repeat(maxTextLength + 1), text: '', url: '' }
  expect(withShared({}, endless)).toEqual({ name: 'x'.repeat(maxTextLength) })
})

const form = 'proyect-new'

/** The modules of a page that has just been opened, on a new device. */
async function newPage() {
  keepingDevice()
  return nextPage()
}

/** The modules of another page on the same device. */
async function nextPage() {
  vi.resetModules()
  const { takeShared } = await import('#client/owner/drafts/shared.ts')
  return {
    takeShared,
    ...(await import('#client/owner/drafts/entry-drafts.ts')),
    ...(await import('#client/outbox/queued-drafts.ts')),
    store: openStore(share),
  }
}

function itemOf(title: string): SharedItem {
  const bytes = new TextEncoder().encode(title).buffer
  return { title, text: '', url: '', photo: { bytes, type: 'image/png', name: `${title}.png` } }
}

const namesOf = ({ draft, picture }: KeptDraft) => [draft?.fields['name'], picture?.name]

test('what is shared while an earlier share is being taken is neither lost nor mixed with it', async () => {
  const { takeShared, readDraft, store } = await newPage()
  await set(1, itemOf('Uno'), store)
  const held = Promise.withResolvers<unknown>()
  const asked = Promise.withResolvers<void>()
  // The form's draft is another tab's for a moment.
  const request = async (name: string, _: object, run: () => unknown) => {
    if (!name.endsWith(form)) return run()
    asked.resolve()
    await held.promise
    return run()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  const taking = takeShared(form)
  await asked.promise
  await set(2, itemOf('Dos'), store)
  held.resolve(undefined)
  expect(await taking).toBe(true)
  expect(await takeShared(form)).toBe(true)
  expect(await entries(store)).toEqual([])
  expect(namesOf(await readDraft(form))).toEqual(['Dos', 'Dos.png'])
  expect(namesOf(await readDraft(`${form}#1`))).toEqual(['Uno', 'Uno.png'])
})

test('what was taken by a page that ended before it could be taken away is not taken twice', async () => {
  const { takeShared, readDraft, store } = await newPage()
  await set(1, itemOf('Uno'), store)
  await takeShared(form)
  await set(1, itemOf('Uno'), store)
  await takeShared(form)
  expect(await entries(store)).toEqual([])
  expect(namesOf(await readDraft(form))).toEqual(['Uno', 'Uno.png'])
  expect((await readDraft(`${form}#1`)).draft).toBeUndefined()
})

test('what was typed and not shared is filled up by what is shared', async () => {
  const { takeShared, readDraft, saveDraft, store } = await newPage()
  await saveDraft(form, { id: 'a', version: 0, fields: { description: 'Mía' } })
  await set(1, itemOf('Uno'), store)
  expect(await takeShared(form)).toBe(true)
  const { draft } = await readDraft(form)
  expect(draft).toMatchObject({ id: 'a', fields: { name: 'Uno', description: 'Mía' } })
})

test('the picture of a draft keeps its part, and an imported entry its id, when words are shared', async () => {
  const { takeShared, readDraft, saveDraft, store } = await newPage()
  const framing = { ratio: 2, at: 1 }
  const draft = { id: 'a', version: 0, fields: {}, framing, keepsId: true } as const
  await saveDraft(form, draft, new File(['x'], 'Mía.png'))
  await set(1, { title: 'Uno', text: '', url: '' }, store)
  expect(await takeShared(form)).toBe(true)
  const kept = await readDraft(form)
  expect(kept.draft).toMatchObject({ id: 'a', fields: { name: 'Uno' }, framing, keepsId: true })
  expect(kept.picture?.name).toBe('Mía.png')
})

test('a picture that is shared is whole, whatever part was chosen of another', async () => {
  const { takeShared, readDraft, saveDraft, store } = await newPage()
  const draft = { id: 'a', version: 0, fields: {}, framing: { ratio: 2, at: 1 } }
  await saveDraft(form, draft, new File(['x'], 'Mía.png'))
  await set(1, itemOf('Uno'), store)
  expect(await takeShared(form)).toBe(true)
  const kept = await readDraft(form)
  expect(namesOf(kept)).toEqual(['Uno', 'Uno.png'])
  expect(kept.draft?.framing).toBeUndefined()
})

test('words that are shared do not get the picture of an entry that the queue has', async () => {
  const { takeShared, readDraft, saveDraft, markDraftQueued, store } = await newPage()
  await saveDraft(form, { id: 'a', version: 0, fields: { name: 'Uno' } }, new File(['x'], 'x.png'))
  await markDraftQueued('a', true)
  await set(1, { title: 'Dos', text: '', url: '' }, store)
  expect(await takeShared(form)).toBe(true)
  expect(namesOf(await readDraft(`${form}#1`))).toEqual(['Dos', undefined])
  // Given back, that one is as it was.
  await markDraftQueued('a', false)
  expect(namesOf(await readDraft(form))).toEqual(['Uno', 'x.png'])
})

/** Lets the page write so often, and nothing after that. */
function killAfter(writes: number) {
  const { transaction } = FakeDatabase.prototype
  let left = writes
  return vi.spyOn(FakeDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...asked
  ) {
    if (asked[1] === 'readwrite' && left-- <= 0) throw new DOMException('killed', 'AbortError')
    return transaction.apply(this, asked)
  })
}

test('a page that is killed while it takes what is shared leaves nothing twice and loses nothing', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  let isTaken = false
  for (let writes = 0; !isTaken; writes++) {
    const { takeShared, store } = await newPage()
    await set(1, itemOf('Uno'), store)
    await takeShared(form)
    await set(2, itemOf('Dos'), store)
    const killed = killAfter(writes)
    isTaken = await takeShared(form)
    killed.mockRestore()
    const { takeShared: takeAgain, readDraft } = await nextPage()
    expect(await takeAgain(form)).toBe(true)
    const places = [form, `${form}#1`, `${form}#2`]
    const kept = await Promise.all(places.map(async (place) => namesOf(await readDraft(place))))
    expect(kept, `after ${writes} writes`).toEqual([
      ['Dos', 'Dos.png'],
      ['Uno', 'Uno.png'],
      [undefined, undefined],
    ])
    expect(await entries(store)).toEqual([])
  }
})
