import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { reloadAfterCreateMs } from '#contract/durations.ts'
import { personFields } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { logIn } from '#client/session/session-change.ts'
import { useCreate } from '#client/owner/editor/use-create.ts'
import { updatePersonOperation } from '#client/owner/changes/submit-change.ts'
import { useUpdate } from '#client/owner/editor/use-update.tsx'
import type { Submission } from '#client/owner/editor/use-entry-form.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { siteData } from '#tests/support/site-data.ts'
import { ownAnswer, problemBody } from '#tests/support/answers.ts'

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const { person } = siteData()
const conflict = problemBody('version-cambiada', { current: person })

/** An owner's browser whose server gives this answer; the page can be left while it is on its way. */
function browser(json: unknown, status = 200) {
  const answer = Promise.withResolvers<Response>()
  const navigation = { currentEntry: { key: 'form' } }
  vi.spyOn(console, 'error').mockReturnValue()
  // No router stands around the form here.
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('navigation', navigation)
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubGlobal('localStorage', memoryStorage())
  vi.stubGlobal('fetch', () => answer.promise)
  logIn({ token: 'abc', userName: 'a', authorities: [] })
  return {
    answer: () => answer.resolve(ownAnswer(json, { status })),
    goOn: () => (navigation.currentEntry = { key: 'elsewhere' }),
  }
}

type Submit = (submission: Submission) => Promise<void>

/** What a form that uses this does when it is sent. */
function submitOf(useSubmit: () => Submit) {
  const drawn: Submit[] = []
  function Form({ take }: { readonly take: (submit: Submit) => void }) {
    take(useSubmit())
    return null
  }
  const client = new QueryClient()
  const form = createElement(Form, { take: (submit) => void drawn.push(submit) })
  renderToString(createElement(QueryClientProvider, { client }, form))
  return () => drawn[0]?.(submission)
}

/** The form's way to send, and how often it left its page. */
function editForm() {
  const leave = vi.fn<() => void>()
  const useSubmit = () =>
    useUpdate({
      form: 'person-about',
      fields: personFields,
      row: { version: 1, fields: { description: 'Antes' } },
      stored: { description: 'Antes' },
      notices: personNotices,
      changeOf: (base, values) => updatePersonOperation({}, { base, values }),
      onTakeTheirs: () => {},
      leave,
      reopen: () => {},
    }).submit
  return { leave, submit: submitOf(useSubmit) }
}

const submission: Submission = {
  values: { description: 'Después' },
  picture: undefined,
  id: '1',
  filling: 0,
  base: { version: 1, seen: [] },
  onProgress: () => {},
  refusePicture: () => {},
  typedSince: () => undefined,
  dropKept: () => {},
  forget: () => {},
}
const told = () => pageNotices.get().map(({ text }) => text)

test('a saved form goes back', async () => {
  const { answer } = browser(person)
  const { leave, submit } = editForm()
  answer()
  await submit()
  expect(leave).toHaveBeenCalledOnce()
  expect(told()).toEqual([personNotices.updated])
})

test('a form saved after it was left only says so', async () => {
  const { answer, goOn } = browser(person)
  const { leave, submit } = editForm()
  const sent = submit()
  goOn()
  answer()
  await sent
  expect(leave).not.toHaveBeenCalled()
  expect(told()).toEqual([personNotices.updated])
})

test('a conflict of a form that was left is told, with the way back to the draft', async () => {
  const { answer, goOn } = browser(conflict, 412)
  const { leave, submit } = editForm()
  void submit()
  goOn()
  answer()
  await expect.poll(() => told()).toEqual([personNotices.updateFailed, ownerTexts.draftStays])
  expect(leave).not.toHaveBeenCalled()
})

test.each([
  ['stayed with', 1],
  ['left', 0],
])('a create whose form was %s loads %i pages', async (fate, loads) => {
  vi.useFakeTimers()
  const load = vi.fn<() => void>()
  const { answer, goOn } = browser({ id: submission.id, version: 1, ...submission.values }, 201)
  vi.stubGlobal('location', { reload: load, assign: load })
  const submit = submitOf(() => useCreate(project, { form: 'proyect-new', target: '/' }))
  const sent = submit()
  if (fate === 'left') goOn()
  answer()
  await sent
  await vi.advanceTimersByTimeAsync(reloadAfterCreateMs)
  expect(told()).toEqual([noticesOf(project).created])
  expect(load).toHaveBeenCalledTimes(loads)
})

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  }
}
