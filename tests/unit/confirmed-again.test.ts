import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import { outboxPlace } from '#contract/offline/offline.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { updateEntryOperation } from '#client/owner/changes/submit-change.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { publishNow } from '#client/owner/access/unpublished.ts'
import { useCreate } from '#client/owner/editor/use-create.ts'
import type { Submission } from '#client/owner/editor/use-entry-form.ts'
import { logIn } from '#client/session/session-change.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { createFakeApi } from '#tests/doubles/fake-api.ts'
import { ownAnswer } from '#tests/support/answers.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/* On a device that keeps no queue the form stays open with its text: what is confirmed of it again is the same entry. */

type Fate = 'arrives' | 'is lost' | 'has its answer lost'

/** An owner's page whose device keeps nothing until it is told to, and the server that it writes to. */
function openPage() {
  vi.spyOn(console, 'error').mockReturnValue()
  // No router stands around the form here.
  vi.spyOn(console, 'warn').mockReturnValue()
  const page = { onLine: false, isClosed: true, fate: 'arrives' as Fate }
  const api = createFakeApi()
  api.setToken('abc')
  vi.stubGlobal('navigation', { currentEntry: { key: 'form' } })
  vi.stubGlobal('navigator', {
    get onLine() {
      return page.onLine
    },
  })
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    if (page.fate === 'is lost') throw new TypeError('no answer')
    const path = url.replace(/^\/api\//, '')
    const sent = { method, path, headers: new Headers(headers), body: textOf(body) }
    const { status, json } = api.receive(sent)
    if (page.fate === 'has its answer lost') throw new TypeError('no answer')
    return ownAnswer(json, { status })
  })
  keepingDevice()
  const open = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementation((...named) => {
    if (!page.isClosed || named[0] !== outboxPlace.database) return open(...named)
    throw new DOMException('closed', 'SecurityError')
  })
  logIn({ token: 'abc', userName: 'a', authorities: [] })
  const entries = () =>
    api.subjects().flatMap((subject) => (subject === 'person' ? [] : [api.fieldsOf(subject)]))
  return { page, api, entries }
}

const textOf = (body: RequestInit['body']) => (typeof body === 'string' ? body : '')

const client = new QueryClient()
const outbox = () => pageOutbox(client)

afterEach(async () => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  for (const { id } of outbox().getState().operations) await outbox().takeBack(id)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The form of a new project; what is confirmed of it is said in full each time. */
function openForm() {
  const drawn: ((submission: Submission) => Promise<void>)[] = []
  const Form = () => {
    drawn.push(useCreate(project, { form: 'form' }))
    return null
  }
  renderToString(createElement(QueryClientProvider, { client }, createElement(Form)))
  const forget = vi.fn<() => void>()
  const submission = {
    picture: undefined,
    id: newId(),
    filling: 0,
    base: { version: 0, seen: [] },
    onProgress: () => {},
    refusePicture: () => {},
    typedSince: () => undefined,
    dropKept: () => {},
    forget,
  }
  const confirm = async (values: FieldValues, filling = 0) =>
    drawn[0]?.({ ...submission, values, filling })
  return { confirm, forget, id: submission.id }
}

const told = () => pageNotices.get().map(({ text }) => text)
const { created, createFailed } = noticesOf(project)
const queued = () => outbox().getState().operations

test('what never left is one entry, as it was confirmed last', async () => {
  const { page, entries } = openPage()
  const { confirm, forget } = openForm()
  await confirm({ name: 'Faro', description: 'Con un error' })
  await confirm({ name: 'Faro', description: 'Sin error' })
  expect(told()).toEqual([queueTexts.unkept])
  expect(queued()).toHaveLength(1)
  page.onLine = true
  await confirm({ name: 'Faro', description: 'Bien' })
  expect(told()).toContain(created)
  expect(forget).toHaveBeenCalledOnce()
  expect(entries()).toEqual([{ name: 'Faro', description: 'Bien' }])
})

test('what arrived without an answer is corrected, and not made twice', async () => {
  const { page, entries } = openPage()
  const { confirm } = openForm()
  page.onLine = true
  page.fate = 'has its answer lost'
  await confirm({ name: 'Faro', description: 'Con un error' })
  expect(told()).toEqual([queueTexts.unkept])
  page.fate = 'arrives'
  await confirm({ name: 'Faro', description: 'Bien' })
  expect(told()).toContain(created)
  expect(entries()).toEqual([{ name: 'Faro', description: 'Bien' }])
})

test('what was sent by itself while its form stayed open is corrected, too', async () => {
  const { page, entries } = openPage()
  const { confirm } = openForm()
  await confirm({ name: 'Faro', description: 'Con un error' })
  page.onLine = true
  await publishNow()
  expect(entries()).toHaveLength(1)
  page.onLine = false
  await confirm({ name: 'Faro', description: 'Otro error' })
  page.onLine = true
  await confirm({ name: 'Faro', description: 'Bien' })
  expect(entries()).toEqual([{ name: 'Faro', description: 'Bien' }])
})

test('what is typed once the form was emptied is another entry', async () => {
  const { page, entries } = openPage()
  const { confirm } = openForm()
  await confirm({ name: 'Faro', description: 'Primero' })
  page.onLine = true
  await confirm({ name: 'Faro', description: 'Segundo' }, 1)
  expect(entries()).toEqual([
    { name: 'Faro', description: 'Primero' },
    { name: 'Faro', description: 'Segundo' },
  ])
})

test('what is typed over another name is another entry', async () => {
  const { page, entries } = openPage()
  const { confirm } = openForm()
  await confirm({ name: 'Faro' })
  page.onLine = true
  await confirm({ name: 'Brújula' })
  expect(entries()).toEqual([{ name: 'Faro' }, { name: 'Brújula' }])
})

test.each([
  ['the same text', 'Antes'],
  ['another text', 'Después'],
])('an entry that was deleted meanwhile is made anew by %s', async (_, description) => {
  const { page, api, entries } = openPage()
  const { confirm, id } = openForm()
  await confirm({ name: 'Faro', description: 'Antes' })
  page.onLine = true
  await publishNow()
  api.removeElsewhere(`${project.key}/${id}`)
  await confirm({ name: 'Faro', description })
  expect(told()).toContain(created)
  expect(entries()).toEqual([{ name: 'Faro', description }])
})

test('an entry that was deleted before its answer could be heard is not told as saved, but made anew', async () => {
  const { page, api, entries } = openPage()
  const { confirm, id } = openForm()
  page.onLine = true
  page.fate = 'has its answer lost'
  await confirm({ name: 'Faro' })
  api.removeElsewhere(`${project.key}/${id}`)
  page.fate = 'arrives'
  await confirm({ name: 'Faro' })
  expect(told()).toContain(created)
  expect(entries()).toEqual([{ name: 'Faro' }])
})

test('an entry that was changed elsewhere meanwhile stays so beside the new one', async () => {
  const { page, api, entries } = openPage()
  const { confirm, id } = openForm()
  await confirm({ name: 'Faro', description: 'Antes' })
  page.onLine = true
  await publishNow()
  api.changeElsewhere(`${project.key}/${id}`, { description: 'De otra parte' })
  await confirm({ name: 'Faro', description: 'Después' })
  expect(entries()).toEqual([
    { name: 'Faro', description: 'De otra parte' },
    { name: 'Faro', description: 'Después' },
  ])
})

test('what was changed in the list of the entry that waits is not taken back with it', async () => {
  const { page, entries } = openPage()
  const { confirm, id } = openForm()
  await confirm({ name: 'Faro' })
  const [made] = queued()
  const base = { version: 0, seen: [made?.id ?? ''] }
  const hiding = { base, values: { hidden: 'true' } }
  await outbox().add(updateEntryOperation(project, { id, fields: { name: 'Faro' } }, hiding))
  page.onLine = true
  await confirm({ name: 'Faro', description: 'Después' })
  expect(entries()).toEqual([
    { name: 'Faro', hidden: 'true' },
    { name: 'Faro', description: 'Después' },
  ])
})

test('an entry that she discarded from the queue is made by the next confirmation', async () => {
  const { page, entries } = openPage()
  const { confirm } = openForm()
  await confirm({ name: 'Faro' })
  for (const { id } of queued()) await outbox().discard(id)
  page.onLine = true
  await confirm({ name: 'Faro' })
  expect(entries()).toEqual([{ name: 'Faro' }])
})

test('the server’s no to the second confirmation is told, and the third is still the same entry', async () => {
  const { page, entries } = openPage()
  const { confirm, forget } = openForm()
  page.onLine = true
  page.fate = 'has its answer lost'
  await confirm({ name: 'Faro', description: 'Antes' })
  page.fate = 'arrives'
  await confirm({ name: 'Faro', description: 'No admitido!' })
  expect(told()).toContain(createFailed)
  expect(forget).not.toHaveBeenCalled()
  await confirm({ name: 'Faro', description: 'Bien' })
  expect(entries()).toEqual([{ name: 'Faro', description: 'Bien' }])
})

test('what was refused after another entry of the form is made, though that one was deleted', async () => {
  const { page, api, entries } = openPage()
  const { confirm, id } = openForm()
  await confirm({ name: 'Faro' })
  page.onLine = true
  await publishNow()
  api.removeElsewhere(`${project.key}/${id}`)
  await confirm({ name: 'Brújula', description: 'No admitido!' })
  expect(told()).toContain(createFailed)
  await confirm({ name: 'Brújula', description: 'Bien' })
  expect(told()).toContain(created)
  expect(entries()).toEqual([{ name: 'Brújula', description: 'Bien' }])
})

test('what a device keeps that has room again is not told as lost', async () => {
  const { page, entries } = openPage()
  const { confirm, forget } = openForm()
  await confirm({ name: 'Faro', description: 'Antes' })
  page.isClosed = false
  await confirm({ name: 'Faro', description: 'Después' })
  expect(forget).toHaveBeenCalledOnce()
  page.onLine = true
  await publishNow()
  expect(entries()).toEqual([{ name: 'Faro', description: 'Después' }])
})
