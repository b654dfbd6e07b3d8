import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { eraseEntryOperation } from '#client/owner/changes/submit-change.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import { sendOperation } from '#client/outbox/send.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import { logIn } from '#client/session/session-change.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { createFakeApi, firstVersion, type FakeRequest } from '#tests/doubles/fake-api.ts'
import { webStorage } from '#tests/support/page-storage.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('sessionStorage', webStorage())
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** What becomes of one write: the server does it, or does it and nobody hears, or it says no without doing it. */
type Fate = 'answer' | 'answer lost' | 'lost' | 'prohibido' | 'datos-no-validos'

/** An owner's page and a server, with these fates for the first writes. */
function page(...fates: readonly Fate[]) {
  const api = createFakeApi()
  api.setToken('t')
  logIn({ token: 't', userName: 'a', authorities: [] })
  const left = [...fates]
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('/api/', '')
    const { method = 'GET', body } = init
    const headers = new Headers(init.headers)
    asked.push(`${method} ${path.replace(/[0-9a-f-]{36}/g, 'id')} ${headers.get('If-Match') ?? ''}`)
    const request: FakeRequest = {
      method,
      path,
      headers,
      body: typeof body === 'string' ? body : '',
    }
    const fate = method === 'GET' ? undefined : left.shift()
    if (fate === 'lost') throw new TypeError('no answer')
    if (fate === 'prohibido' || fate === 'datos-no-validos') return ownRefusal(fate)
    const { status, json } = api.receive(request)
    if (fate === 'answer lost') throw new TypeError('no answer')
    return ownAnswer(json, { status })
  })
  const store = memoryStore()
  const outbox = createOutbox({
    store,
    send: sendOperation,
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => true,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  return {
    api,
    outbox,
    store,
    asked,
    names: () =>
      api
        .subjects()
        .filter((subject) => subject !== 'person')
        .map((subject) => api.fieldsOf(subject)?.['name']),
    settle: () => vi.advanceTimersByTimeAsync(120_000),
  }
}

const made = (id: string, change: Partial<Operation> = {}): Operation => ({
  id: newId(),
  subject: { on: 'entry', section: project.key, id },
  verb: 'create',
  values: { name: 'Primero' },
  label: 'Primero',
  madeAt: '',
  tries: 0,
  ...change,
})

test('an entry that arrived unheard and is refused when it is sent again counts as arrived', async () => {
  const { outbox, names, store, settle } = page('answer lost', 'prohibido')
  const id = newId()
  const told = outbox.add(made(id))
  await settle()
  expect(await told).toEqual({ state: 'queued', because: 'no-answer' })
  expect(await store.read()).toEqual([])
  expect(names()).toEqual(['Primero'])
  await outbox.add(made(id, { verb: 'update', values: { name: 'Segundo' }, version: firstVersion }))
  expect(names()).toEqual(['Segundo'])
  await outbox.add(made(id, { verb: 'remove', values: {}, version: firstVersion + 1 }))
  expect(names()).toEqual([])
})

test('an entry that never arrived and is refused is its form’s again', async () => {
  const { outbox, names, store, settle } = page('lost', 'datos-no-validos')
  const told = outbox.add(made(newId()))
  await settle()
  expect(await told).toEqual({ state: 'queued', because: 'no-answer' })
  expect(await store.read()).toMatchObject([{ refusal: { code: 'datos-no-validos' } }])
  expect(names()).toEqual([])
})

test('whether it arrived is asked until the server itself says so', async () => {
  const { outbox, store, asked, names, settle, api } = page('answer lost', 'prohibido', 'prohibido')
  const ask = fetch
  let isCopy = true
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method !== 'GET' || !isCopy) return ask(url, init)
    isCopy = false
    return ownAnswer({}, { headers: { 'X-Saved-Copy': '1' } })
  })
  void outbox.add(made(newId()))
  await settle()
  expect(asked.filter((call) => call.startsWith('GET'))).toHaveLength(1)
  expect(await store.read()).toEqual([])
  expect(names()).toEqual(['Primero'])
  expect(api.log).toHaveLength(1)
})

test('an edit that arrived unheard and is refused when it is sent again counts as arrived', async () => {
  const { outbox, store, settle, api } = page('answer lost', 'prohibido')
  const change = { subject: { on: 'person' }, verb: 'update', values: { name: 'Ana' } } as const
  void outbox.add(made('', { ...change, version: 1 }))
  await settle()
  expect(await store.read()).toEqual([])
  expect(api.fieldsOf('person')).toEqual({ name: 'Ana' })
})

test('what another device made alike is no version of this one: what waits behind it asks', async () => {
  const { outbox, api, names, store, settle } = page()
  const id = newId()
  await outbox.add(made(id))
  // The other device says the same of the link, and something else of the name.
  api.changeElsewhere(`${project.key}/${id}`, { repo: 'r', name: 'El suyo' })
  const alike = made(id, { verb: 'update', values: { repo: 'r' }, version: firstVersion, seen: [] })
  await store.update((operations) => ({ operations: [...operations, alike], result: undefined }))
  const edit = { values: { name: 'El mío' }, version: firstVersion, seen: [alike.id] }
  const behind = outbox.add(made(id, { verb: 'update', ...edit, isReturn: true }))
  await settle()
  expect(await behind).toMatchObject({ state: 'refused', refusal: { code: 'version-cambiada' } })
  expect(names()).toEqual(['El suyo'])
})

test('nor is it where the server says no without a word of the version', async () => {
  const { outbox, api, names, store, settle } = page('answer', 'prohibido')
  const id = newId()
  await outbox.add(made(id))
  api.changeElsewhere(`${project.key}/${id}`, { repo: 'r', name: 'El suyo' })
  const alike = made(id, { verb: 'update', values: { repo: 'r' }, version: firstVersion, seen: [] })
  // Handed over once already, and nobody heard whether it arrived.
  const operations = [{ ...alike, tries: 1 }]
  await store.update(() => ({ operations, result: undefined }))
  const edit = { values: { name: 'El mío' }, version: firstVersion, seen: [alike.id] }
  const behind = outbox.add(made(id, { verb: 'update', ...edit }))
  await settle()
  expect(await behind).toMatchObject({ state: 'refused', refusal: { code: 'version-cambiada' } })
  expect(names()).toEqual(['El suyo'])
})

test('a picture that is refused makes nothing of its change count as arrived', async () => {
  const { outbox, settle } = page()
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      readonly upload = new EventTarget()
      readonly status = 415
      readonly responseText = JSON.stringify({ status: 415, code: 'imagen-no-admitida' })
      open() {}
      setRequestHeader() {}
      getResponseHeader(name: string) {
        return ownAnswer({}).headers.get(name)
      }
      send() {
        this.dispatchEvent(new Event('load'))
        this.dispatchEvent(new Event('loadend'))
      }
    },
  )
  const image = { field: 'image', name: 'a.png' }
  const change = { subject: { on: 'person' }, verb: 'update', values: {}, image } as const
  const again = made('', { ...change, version: 1, tries: 1 })
  const told = outbox.add(again, { picture: new Blob(['x']) })
  await settle()
  expect(await told).toMatchObject({ state: 'refused', refusal: { code: 'imagen-no-admitida' } })
})

test('a new entry that the server may have is removed there when it is discarded', async () => {
  const { outbox, names, asked, settle } = page('answer lost', 'lost', 'lost')
  const operation = made(newId())
  void outbox.add(operation)
  await vi.advanceTimersByTimeAsync(100)
  expect(names()).toEqual(['Primero'])
  await outbox.discard(operation.id)
  await settle()
  expect(names()).toEqual([])
  expect(asked.at(-1)).toBe(`DELETE ${project.key}/delete/id "v${firstVersion}"`)
})

test('a discarded entry that another device has changed since is not removed unasked', async () => {
  const { outbox, names, api, store, settle } = page('answer lost', 'lost')
  const operation = made(newId())
  void outbox.add(operation)
  await vi.advanceTimersByTimeAsync(100)
  api.changeElsewhere(api.subjects()[1] ?? '', { name: 'De otra' })
  await outbox.discard(operation.id)
  await settle()
  expect(names()).toEqual(['De otra'])
  expect(await store.read()).toMatchObject([
    { verb: 'remove', refusal: { code: 'version-cambiada' } },
  ])
})

test('what is ended for good is named with the version that stood in the bin', async () => {
  const { outbox, asked } = page()
  const binned = { id: newId(), version: 7, fields: { name: 'Borrado' } }
  await outbox.add(eraseEntryOperation(project, binned))
  expect(asked).toEqual([`DELETE bin/${project.key}/id "v7"`])
})

test('a form opened while its entry was queued goes on from the version that this made', async () => {
  const { outbox, names, settle } = page()
  const id = newId()
  await outbox.add(made(id))
  const edit = outbox.add(made(id, { verb: 'update', values: { name: 'Segundo' }, version: 0 }))
  await settle()
  expect(await edit).toEqual({ state: 'saved' })
  expect(names()).toEqual(['Segundo'])
})

test('a new entry whose id another has gets one of its own, and what was built on it follows', async () => {
  const { outbox, api, names, asked, settle } = page()
  const id = newId()
  await outbox.add(made(id, { values: { name: 'De otra pestaña' } }))
  const second = outbox.add(made(id, { values: { name: 'Segunda' } }))
  await settle()
  expect(await second).toEqual({ state: 'saved' })
  expect(names()).toEqual(['De otra pestaña', 'Segunda'])
  expect(new Set(api.subjects()).size).toBe(3)
  expect(asked.filter((call) => call.startsWith('PUT'))).toEqual([])
})

test('an edit that waits behind it goes to the entry it was made on', async () => {
  const { outbox, names, settle } = page()
  const id = newId()
  await outbox.add(made(id, { values: { name: 'De otra pestaña' } }))
  const ask = fetch
  const gate = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    await gate.promise
    return ask(url, init)
  })
  void outbox.add(made(id, { values: { name: 'Segunda' } }))
  await vi.advanceTimersByTimeAsync(10)
  void outbox.add(made(id, { verb: 'update', values: { name: 'Segunda, corregida' }, version: 0 }))
  await vi.advanceTimersByTimeAsync(10)
  gate.resolve()
  await settle()
  expect(names()).toEqual(['De otra pestaña', 'Segunda, corregida'])
})

test('a new entry that is there already, just as it is sent, is not made twice', async () => {
  const { outbox, names, settle } = page()
  const id = newId()
  await outbox.add(made(id))
  const again = outbox.add(made(id))
  await settle()
  expect(await again).toEqual({ state: 'saved' })
  expect(names()).toEqual(['Primero'])
})

test('a change whose key has done something else goes on top of that, under another key', async () => {
  const { outbox, api, names, store, settle } = page('answer lost', 'lost')
  const entry = made(newId())
  void outbox.add(entry)
  await vi.advanceTimersByTimeAsync(100)
  // As an earlier version of the product kept it: the edit merged into what had been tried.
  await store.update((operations) => ({
    operations: operations.map((operation) => ({ ...operation, values: { name: 'Segundo' } })),
    result: undefined,
  }))
  await settle()
  expect(await store.read()).toEqual([])
  expect(names()).toEqual(['Segundo'])
  expect(api.log.map(({ verb }) => verb)).toEqual(['create', 'update'])
})

test('a change that arrived together with its edit is not put over that by a page that has it alone', async () => {
  const { outbox, api, names, store, settle } = page()
  const entry = made(newId())
  const edited = { ...entry, values: { name: 'Segundo' }, changes: [entry.id, newId()] }
  await outbox.add(edited)
  // As the device had it before it refused the edit, or as an import brings it in again.
  await store.update(() => ({ operations: [entry], result: undefined }))
  void outbox.drain()
  await settle()
  expect(await store.read()).toEqual([])
  expect(names()).toEqual(['Segundo'])
  expect(api.log.map(({ verb }) => verb)).toEqual(['create'])
})

test('what another device made of it meanwhile is a choice for the person', async () => {
  const { outbox, api, names, store, settle } = page('answer lost', 'lost')
  void outbox.add(made(newId()))
  await vi.advanceTimersByTimeAsync(100)
  api.changeElsewhere(api.subjects()[1] ?? '', { name: 'De otra' })
  await store.update((operations) => ({
    operations: operations.map((operation) => ({ ...operation, values: { name: 'Segundo' } })),
    result: undefined,
  }))
  await settle()
  expect(names()).toEqual(['De otra'])
  const [kept] = await store.read()
  expect(kept?.refusal?.current).toMatchObject({
    version: firstVersion + 1,
    fields: { name: 'De otra' },
  })
  await outbox.retry(kept?.id ?? '', { version: firstVersion + 1 })
  await settle()
  expect(names()).toEqual(['Segundo'])
})
