import { entries, set } from 'idb-keyval'
import { afterEach, expect, test, vi } from 'vitest'
import { maxTextLength } from '#contract/limits.ts'
import { share, type SharedItem } from '#contract/offline/offline.ts'
import { openStore } from '#client/browser/database.ts'
import type { KeptDraft } from '#client/outbox/entry-drafts.ts'
import { withShared } from '#client/outbox/shared.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

afterEach(() => vi.unstubAllGlobals())

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
  vi.resetModules()
  const { takeShared } = await import('#client/outbox/shared.ts')
  return {
    takeShared,
    ...(await import('#client/outbox/entry-drafts.ts')),
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
