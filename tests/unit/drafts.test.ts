import { IDBDatabase as FakeDatabase, IDBObjectStore as FakeObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changedFields } from '#client/data/changed-fields.ts'
import { startOf } from '#client/owner/editor/draft-start.ts'
import { keepingDevice, refuseWrites, webStorage } from '#tests/support/page-storage.ts'

const draft = { id: '0190b0f4-0000-7000-8000-000000000001', version: 3, fields: { name: 'Faro' } }
const message = { fields: { name: 'Ana', message: 'Hola' } }

/** The modules of a page that has just been opened: nothing in its memory. */
async function newPage() {
  vi.resetModules()
  const drafts = await import('#client/owner/drafts/entry-drafts.ts')
  const queued = await import('#client/outbox/queued-drafts.ts')
  const messages = await import('#client/drafts/message-draft.ts')
  const { keepValues, textKey } = await import('#client/drafts/kept-drafts.ts')
  const { openOutboxStore } = await import('#client/outbox/store.ts')
  return { ...drafts, ...queued, ...messages, keepValues, textKey, openOutboxStore }
}

/** Such a page on which somebody is signed in. */
async function pageOf(account: string) {
  const page = await newPage()
  const { setSession } = await import('#client/data/session.ts')
  setSession({ token: 't', userName: account, roles: [], account, isExpired: false })
  return page
}

beforeEach(() => {
  keepingDevice()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a kept draft comes back as it was, on its own form only', async () => {
  const base = { name: 'Antes' }
  expect(await (await newPage()).saveDraft('proyect-new', { ...draft, base })).toBe(true)
  const { readDraft } = await newPage()
  expect((await readDraft('proyect-new')).draft).toEqual({ ...draft, base })
  expect((await readDraft('skill-new')).draft).toBeUndefined()
})

test('what counts as kept was written strictly', async () => {
  const begun = vi.spyOn(FakeDatabase.prototype, 'transaction')
  const { saveDraft, markDraftQueued, keepMessageDraft, openOutboxStore } = await newPage()
  await saveDraft('proyect-new', draft)
  await markDraftQueued(draft.id, true)
  await keepMessageDraft(message)
  await openOutboxStore().update(() => ({ operations: [], result: undefined }))
  const writes = begun.mock.calls.filter(([, mode]) => mode === 'readwrite')
  expect(writes).toHaveLength(4)
  expect(writes.map(([, , options]) => options)).toEqual(
    writes.map(() => ({ durability: 'strict' })),
  )
})

test('of what is typed in a burst the latest is written, and everything before counts with it', async () => {
  const page = await newPage()
  const begun = vi.spyOn(FakeDatabase.prototype, 'transaction')
  const letters = 'un faro en la costa'.split('')
  const kept = letters.map((_, n) =>
    page.saveDraft('proyect-new', { ...draft, fields: { name: letters.slice(0, n + 1).join('') } }),
  )
  expect(await Promise.all(kept)).toEqual(letters.map(() => true))
  expect(begun.mock.calls.filter(([, mode]) => mode === 'readwrite')).toHaveLength(2)
  const { readDraft } = await newPage()
  expect((await readDraft('proyect-new')).draft?.fields).toEqual({ name: letters.join('') })
})

test('what this page was told to keep is there for its next form at once', async () => {
  const { saveDraft, readDraft } = await newPage()
  void saveDraft('skill-new', draft)
  void saveDraft('skill-new', { ...draft, version: 4 })
  expect((await readDraft('skill-new')).draft?.version).toBe(4)
})

test('a letter typed while the picture is being read is no word that both are kept', async () => {
  const page = await newPage()
  const file = new File(['bytes'], 'foto.png', { type: 'image/png' })
  const read = Promise.withResolvers<ArrayBuffer>()
  file.arrayBuffer = () => read.promise
  const said: string[] = []
  const first = page.saveDraft('proyect-new', draft, file).then(() => said.push('picture'))
  const typed = { ...draft, fields: { name: 'Faro!' } }
  const second = page.saveDraft('proyect-new', typed).then(() => said.push('text'))
  await expect
    .poll(async () => (await page.readDraft('proyect-new')).draft?.fields)
    .toEqual(typed.fields)
  expect(said).toEqual([])
  read.resolve(new ArrayBuffer(5))
  await Promise.all([first, second])
  expect((await (await newPage()).readDraft('proyect-new')).picture?.size).toBe(5)
})

test('of a picture that cannot be read nothing is said to be kept, until it is taken out', async () => {
  const page = await newPage()
  const file = new File(['bytes'], 'foto.png', { type: 'image/png' })
  file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  expect(await page.saveDraft('proyect-new', draft, file)).toBe(false)
  expect(await page.saveDraft('proyect-new', draft)).toBe(false)
  await page.dropDraftImage('proyect-new')
  expect(await page.saveDraft('proyect-new', draft)).toBe(true)
})

test('a device without storage says so instead of throwing', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('closed', 'SecurityError')
    },
  })
  const page = await newPage()
  expect(await page.saveDraft('proyect-new', draft)).toBe(false)
  expect(await page.readDraft('proyect-new')).toEqual({ isQueued: false })
  expect(await page.hasDrafts()).toBe(false)
  await page.markDraftQueued(draft.id, true)
  await page.dropAllDrafts()
  expect(await page.keepMessageDraft(message)).toBe(false)
  expect(await page.openMessageDraft()).toEqual(message)
})

test.each([
  'text',
  7,
  null,
  [[]],
  { id: 1, version: 1, fields: {} },
  { id: 'a', version: 1 },
  { id: 'a', version: 1, fields: null },
])('what is no draft (%j) is read as none', async (stored) => {
  const { keepValues, textKey, readDraft, hasDrafts } = await newPage()
  await keepValues({ [textKey('skill-new')]: stored })
  expect((await readDraft('skill-new')).draft).toBeUndefined()
  expect(await hasDrafts()).toBe(false)
})

test('a field that is no text is left out of a draft', async () => {
  const { keepValues, textKey, readDraft } = await newPage()
  await keepValues({
    [textKey('skill-new')]: { ...draft, fields: { name: 'Faro', icon: 7 }, base: { name: 7 } },
  })
  expect((await readDraft('skill-new')).draft).toEqual({ ...draft, base: {} })
})

test('a draft that the queue has is no form’s, until it is given back', async () => {
  const { saveDraft, markDraftQueued, readDraft, hasDrafts } = await newPage()
  await saveDraft('proyect-new', draft)
  await markDraftQueued(draft.id, true)
  expect(await readDraft('proyect-new')).toEqual({ isQueued: true })
  expect(await hasDrafts()).toBe(false)
  await markDraftQueued('another', false)
  expect(await hasDrafts()).toBe(false)
  await markDraftQueued(draft.id, false)
  expect((await readDraft('proyect-new')).draft).toEqual(draft)
})

test('of the drafts that the queue was given those go that it has not got any more', async () => {
  const page = await newPage()
  const [sent, waiting, typed] = ['sent', 'waiting', 'typed'].map((id) => ({ ...draft, id }))
  await page.saveDraft('proyect-new', sent ?? draft, new File(['x'], 'x.png'))
  await page.saveDraft('skill-new', waiting ?? draft)
  await page.saveDraft('education-new', typed ?? draft)
  await page.markDraftQueued('sent', true)
  await page.markDraftQueued('waiting', true)
  await page.dropSentDrafts(async () => new Set(['waiting']))
  const { readValues } = await import('#client/drafts/kept-drafts.ts')
  expect(await readValues()).toEqual({
    'text:skill-new': { ...waiting, isQueued: true },
    'text:education-new': typed,
  })
})

test('of an entry’s drafts a change marks those alone that it carries', async () => {
  const page = await newPage()
  const { isCarried } = await import('#client/outbox/saved-draft.ts')
  const typed = { name: 'Faro', description: ' Uno\n' }
  const isIn = (
    fields: Readonly<Record<string, string>>,
    image?: { field: string; name: string },
  ) =>
    isCarried(
      { ...draft, fields },
      { values: { ...typed, description: 'Uno' }, ...(image && { image }) },
    )
  expect([isIn(typed), isIn({ name: 'Faro' })]).toEqual([true, true])
  expect([isIn({ name: 'Otro' }), isIn({ ...typed, repo: 'x' })]).toEqual([false, false])
  expect([isIn({}), isIn({}, { field: 'image', name: 'x.png' })]).toEqual([false, true])
  await page.saveDraft('proyect-7', { ...draft, fields: { description: 'Aquí' } })
  await page.saveDraft('proyect-7#1', draft)
  await page.markDraftQueued(draft.id, true, ({ fields }) => fields['name'] === 'Faro')
  await page.dropSentDrafts(async () => new Set())
  expect((await page.readDraft('proyect-7')).draft?.fields).toEqual({ description: 'Aquí' })
  expect(await page.readDraft('proyect-7#1')).toEqual({ isQueued: false })
})

test('a draft of an earlier build, which marked none, is lost by no start, and makes no entry of its id', async () => {
  const page = await newPage()
  const { id, fields } = draft
  await page.keepValues({ [page.textKey('proyect-new')]: { id, version: 0, fields } })
  for (const queued of [[id], []]) await page.dropSentDrafts(async () => new Set(queued))
  const { takeDraft, readDraft } = await newPage()
  const taken = await takeDraft('proyect-new', () => 'fresh')
  taken.unlock()
  expect(taken.draft).toEqual({ id: 'fresh', version: 0, fields })
  expect((await readDraft('proyect-new')).draft?.id).toBe('fresh')
})

test('a draft that is given back to its form while the queue is read is not dropped', async () => {
  const { saveDraft, markDraftQueued, dropSentDrafts, readDraft } = await newPage()
  await saveDraft('proyect-new', draft)
  await markDraftQueued(draft.id, true)
  await dropSentDrafts(async () => {
    await markDraftQueued(draft.id, false)
    return new Set()
  })
  expect((await readDraft('proyect-new')).draft).toEqual(draft)
})

test('a sent draft that another tab has open is left to that tab', async () => {
  const page = await newPage()
  await page.saveDraft('proyect-new', draft)
  await page.markDraftQueued(draft.id, true)
  const request = () => Promise.reject(new DOMException('another tab has it', 'TimeoutError'))
  vi.stubGlobal('navigator', { locks: { request } })
  await page.dropSentDrafts(async () => new Set())
  await page.markDraftQueued(draft.id, false)
  expect((await page.readDraft('proyect-new')).draft).toEqual(draft)
})

test("all of the owner's drafts are dropped together, and a visitor's message stays", async () => {
  const { saveDraft, dropAllDrafts, hasDrafts, keepMessageDraft, keepValues } = await newPage()
  await saveDraft('proyect-new', draft)
  await keepValues({ 'skill-7': new File(['x'], 'x.png') })
  await keepMessageDraft(message)
  expect(await hasDrafts()).toBe(true)
  await dropAllDrafts()
  const page = await newPage()
  expect(await page.hasDrafts()).toBe(false)
  expect((await page.readDraft('skill-7')).picture).toBeUndefined()
  expect(await page.openMessageDraft()).toEqual(message)
})

/** A page with a window of its own, which can go. */
async function pageThatGoes() {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('document', new EventTarget())
  const page = await newPage()
  return {
    page,
    go: () => window.dispatchEvent(new Event('pagehide')),
    hide: () => document.dispatchEvent(new Event('visibilitychange')),
  }
}

test('what a page could not write before it went is there for the next, and only once', async () => {
  const disk = indexedDB
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() })
  const { page, go } = await pageThatGoes()
  void page.saveDraft('proyect-new', draft)
  void page.keepMessageDraft(message)
  go()
  const left = Object.fromEntries(Object.entries(localStorage)) as Record<string, string>
  vi.stubGlobal('indexedDB', disk)
  const next = await newPage()
  expect((await next.readDraft('proyect-new')).draft).toEqual(draft)
  expect(await next.openMessageDraft()).toEqual(message)
  expect(Object.keys(localStorage)).toEqual([])
  await next.dropDraft('proyect-new')
  await next.keepMessageDraft({ fields: {} })
  // A browser that is killed brings back what was removed last.
  vi.stubGlobal('localStorage', webStorage({ ...left, 'tintero-left:0': '{' }))
  const later = await newPage()
  expect((await later.readDraft('proyect-new')).draft).toBeUndefined()
  expect(await later.openMessageDraft()).toBeUndefined()
  expect(Object.keys(localStorage)).toEqual([])
})

test('what the device has refused is left for the next page all the same', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const disk = indexedDB
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('indexedDB', { open: refuse })
  const { page, go } = await pageThatGoes()
  expect(await page.saveDraft('proyect-new', draft)).toBe(false)
  go()
  vi.stubGlobal('indexedDB', disk)
  const next = await newPage()
  expect((await next.readDraft('proyect-new')).draft).toEqual(draft)
})

test('what a page left when it was out of sight does not come over what it writes afterwards', async () => {
  const { page, hide } = await pageThatGoes()
  const first = page.saveDraft('proyect-new', draft)
  hide()
  const second = page.saveDraft('proyect-new', { ...draft, fields: { name: 'Nuevo' } })
  await first
  const reading = page.readDraft('proyect-new')
  expect(await second).toBe(true)
  await reading
  const { readDraft } = await newPage()
  expect((await readDraft('proyect-new')).draft?.fields).toEqual({ name: 'Nuevo' })
})

test('what a page drops as it goes does not come back, and what it could write after all is left nowhere', async () => {
  await (await newPage()).keepMessageDraft(message)
  const { page, go } = await pageThatGoes()
  await page.openMessageDraft()
  const dropping = page.keepMessageDraft({ fields: {} })
  go()
  const left = Object.fromEntries(Object.entries(localStorage)) as Record<string, string>
  expect(await dropping).toBe(true)
  expect(Object.keys(localStorage)).toEqual([])
  vi.stubGlobal('localStorage', webStorage(left))
  await (await newPage()).keepMessageDraft(message)
  expect(await (await newPage()).openMessageDraft()).toBeUndefined()
})

test('only fields with another text count as changed', () => {
  const stored = { name: 'Faro', description: 'Uno', duration: '' }
  const values = { name: 'Faro', description: 'Dos', duration: '' }
  expect(changedFields(stored, values)).toEqual({ description: 'Dos' })
})

test('white space around a text and the kind of its line breaks are no change', () => {
  expect(changedFields({ description: 'a\nb' }, { description: ' a\r\nb\n' })).toEqual({})
})

test('a field that was never stored counts as changed once it has a text', () => {
  expect(changedFields({}, { name: 'Faro', repo: '' })).toEqual({ name: 'Faro' })
})

/** A form that opens on a row with these texts and this version, with a draft on the device. */
function opened(stored: Readonly<Record<string, string>>, kept: object, version = 5) {
  const start = { ...draft, fields: { description: 'Dos' }, ...kept }
  return startOf({
    kept: { draft: start, isQueued: false, account: '' },
    stored,
    version,
    makeId: () => 'fresh',
  })
}

test('a draft goes on from the newest version when only other fields changed meanwhile', () => {
  const stored = { name: 'Otro', description: 'Uno' }
  expect(opened(stored, { base: { description: 'Uno' } })).toEqual({
    id: draft.id,
    version: 5,
    values: { name: 'Otro', description: 'Dos' },
    picture: undefined,
    isRecovered: true,
  })
})

test('a draft of a text that changed meanwhile is offered, not put over it', () => {
  const stored = { name: 'Faro', description: 'Tres' }
  expect(opened(stored, { base: { description: 'Uno' } })).toMatchObject({
    version: 5,
    values: stored,
    isRecovered: false,
    earlier: { fields: { description: 'Dos' } },
  })
})

test('a draft that says what is stored already was sent', () => {
  const stored = { name: 'Faro', description: 'Dos' }
  expect(opened(stored, { base: { description: 'Uno' } })).toEqual({
    id: draft.id,
    version: 5,
    values: stored,
    isRecovered: false,
  })
})

test('of a draft of an earlier build only the version says whether it is older', () => {
  const stored = { name: 'Faro', description: 'Tres' }
  expect(opened(stored, {}).earlier).toBeDefined()
  expect(opened(stored, {}, 3)).toMatchObject({ version: 3, isRecovered: true })
})

test('a new entry begins with its own id and what was typed', () => {
  const begin = { stored: { name: '' }, version: 0, makeId: () => 'fresh' }
  expect(startOf({ ...begin, kept: { isQueued: false, account: '' } })).toMatchObject({
    id: 'fresh',
  })
  const kept = { draft: { ...draft, version: 0 }, isQueued: false, account: '' }
  expect(startOf({ ...begin, kept })).toMatchObject({
    id: draft.id,
    values: { name: 'Faro' },
    isRecovered: true,
  })
})

test('a draft is shown to no other account, nor written over or forgotten by it', async () => {
  const picture = new File(['bytes'], 'foto.png', { type: 'image/png' })
  const lucia = await pageOf('lucia')
  await lucia.saveDraft('proyect-new', draft, picture)

  const renata = await pageOf('renata')
  expect(await renata.hasDrafts()).toBe(false)
  const begun = await renata.takeDraft('proyect-new')
  expect([begun.draft, begun.picture]).toEqual([undefined, undefined])
  const hers = { ...draft, fields: { name: 'Puerto' } }
  await renata.saveDraft(begun.place, hers)
  const shared = { ...draft, fields: { name: 'Compartido' } }
  await renata.replaceDraft(begun.place, { draft: shared }, { draft: hers })
  expect(await renata.hasDrafts()).toBe(true)
  await renata.dropAllDrafts()
  expect(await renata.hasDrafts()).toBe(false)

  begun.unlock()
  const again = await (await pageOf('lucia')).takeDraft('proyect-new')
  again.unlock()
  expect(again.draft).toEqual({ ...draft, account: 'lucia' })
  expect(again.picture?.name).toBe('foto.png')
})

test('what the queue has of another account is left to it', async () => {
  const lucia = await pageOf('lucia')
  await lucia.saveDraft('proyect-new', draft)
  await lucia.markDraftQueued(draft.id, true)
  const renata = await pageOf('renata')
  const begun = await renata.takeDraft('proyect-new')
  await renata.saveDraft(begun.place, { ...draft, fields: { name: 'Puerto' } })
  await lucia.markDraftQueued(draft.id, false, ({ account }) => account === 'lucia')
  begun.unlock()
  const again = await (await pageOf('lucia')).takeDraft('proyect-new')
  again.unlock()
  expect(again.draft).toMatchObject({ fields: { name: 'Faro' } })
})

test('a draft of an earlier version of the product is that of whoever signs in', async () => {
  const page = await newPage()
  await page.keepValues({ [page.textKey('proyect-new')]: draft })
  const begun = await (await pageOf('renata')).takeDraft('proyect-new')
  begun.unlock()
  expect(begun.draft).toEqual(draft)
})

test('what another account does to an entry leaves its draft alone', async () => {
  const lucia = await pageOf('lucia')
  await lucia.saveDraft('proyect-edit', draft)
  const renata = await pageOf('renata')
  await renata.markDraftQueued(draft.id, true)
  await renata.dropSentDrafts(() => Promise.resolve(new Set()))
  const again = await (await pageOf('lucia')).takeDraft('proyect-edit')
  again.unlock()
  expect(again.draft).toMatchObject(draft)
})

test('what the queue may still give back is written over by no other form, nor by what is left for one', async () => {
  const page = await newPage()
  const { leaveDrafts } = await import('#client/owner/import/leave-drafts.ts')
  await page.saveDraft('proyect-new', draft)
  await page.markDraftQueued(draft.id, true)
  // She has gone on while it is on its way.
  const begun = await page.takeDraft('proyect-new')
  expect(begun.draft).toBeUndefined()
  await page.saveDraft(begun.place, { ...draft, id: 'typed' })
  begun.unlock()
  await leaveDrafts([{ form: 'proyect-new', draft: { ...draft, id: 'left' } }])
  await page.markDraftQueued(draft.id, false)
  const ids = (await page.unsentDrafts()).map(({ draft: { id } }) => id)
  expect(new Set(ids)).toEqual(new Set([draft.id, 'typed', 'left']))
})

test('a draft that the device is too slow to give is not written over by what is typed meanwhile', async () => {
  await (await newPage()).saveDraft('proyect-new', draft)
  const page = await newPage()
  const slow = vi.spyOn(FakeObjectStore.prototype, 'get')
  slow.mockReturnValue(new EventTarget() as IDBRequest)
  const begun = await page.takeDraft('proyect-new')
  expect(begun.draft).toBeUndefined()
  slow.mockRestore()
  await page.saveDraft(begun.place, { ...draft, id: 'typed' })
  begun.unlock()
  const left = (await (await newPage()).unsentDrafts()).map(({ draft: { id } }) => id)
  expect(new Set(left)).toEqual(new Set([draft.id, 'typed']))
})

/** Loses the bytes of what is kept under a name, as Chromium does with a large value whose file is gone: reading it ends its turn. */
function loseBytes(lost: string): void {
  const error = new DOMException('Data lost due to missing file', 'NotReadableError')
  for (const way of ['get', 'getAll'] as const) {
    const read = FakeObjectStore.prototype[way] as IDBObjectStore['getAll']
    vi.spyOn(FakeObjectStore.prototype, way).mockImplementation(function (
      this: IDBObjectStore,
      key?: IDBValidKey | IDBKeyRange | null,
    ) {
      const request = read.call(this, key)
      if (key !== lost && key !== undefined) return request
      this.transaction.abort()
      return Object.defineProperty(request, 'error', { get: () => error, set() {} })
    })
  }
}

test('a picture whose bytes the browser has lost takes no text with it, neither its own nor another', async () => {
  const page = await newPage()
  await page.saveDraft('proyect-new', draft, new File(['bytes'], 'foto.png'))
  await page.saveDraft('skill-new', { ...draft, id: 'other' })
  await page.keepMessageDraft(message)
  loseBytes('proyect-new')
  const next = await newPage()
  expect(await next.hasDrafts()).toBe(true)
  expect((await next.unsentDrafts()).map(({ draft: { id } }) => id)).toEqual([draft.id, 'other'])
  const taken = await next.takeDraft('proyect-new')
  taken.unlock()
  expect(taken).toMatchObject({ place: 'proyect-new', draft, picture: undefined })
  await next.markDraftQueued('other', true)
  expect(await next.readDraft('skill-new')).toEqual({ isQueued: true })
  await next.dropAllDrafts()
  vi.restoreAllMocks()
  const { readValues } = await import('#client/drafts/kept-drafts.ts')
  expect(Object.keys(await readValues())).toEqual(['message'])
})

test('what the device refuses is on the page for the form that it was left to, until that says something of it', async () => {
  const page = await pageOf('a')
  const picture = new File(['bytes'], 'foto.png', { type: 'image/png' })
  refuseWrites('tintero-drafts')
  expect(await page.leaveDraft('proyect-1', { draft, picture })).toBe(false)
  // Who ends the session is told that it goes with it.
  expect(await page.hasDrafts()).toBe(true)
  for (const opening of [1, 2]) {
    const { unlock, ...kept } = await page.takeDraft('proyect-1')
    expect(kept, `opened for the time ${opening}`).toMatchObject({ draft, picture, isUnkept: true })
    unlock()
  }
  // Another account's form has nothing of hers.
  const { setSession } = await import('#client/data/session.ts')
  const session = { token: 't', roles: [], isExpired: false }
  await page.dropAllDrafts()
  await page.leaveDraft('proyect-1', { draft: { ...draft, account: 'a' } })
  setSession({ ...session, userName: 'b', account: 'b' })
  expect(await page.takeDraft('proyect-1')).toMatchObject({ isQueued: false })
  expect((await page.takeDraft('proyect-1')).draft).toBeUndefined()
  setSession({ ...session, userName: 'a', account: 'a' })
  await page.saveDraft('proyect-1', { ...draft, version: 4 })
  expect((await page.takeDraft('proyect-1')).draft).toBeUndefined()
})

test('what the device refused stands in its form and is not said to be recovered', () => {
  const kept = { draft, isQueued: false, isUnkept: true, account: '' }
  const opening = { kept, stored: { name: 'Antes' }, makeId: () => 'x', version: 3 }
  expect(startOf(opening)).toMatchObject({ values: draft.fields, isRecovered: false })
})
