import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { contactNotices } from '#contract/messages/contact.ts'
import { outboxPlace } from '#contract/offline/offline.ts'
import { personFields } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { project } from '#contract/sections/project.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { dropDraft, readDraft, saveDraft } from '#client/owner/drafts/entry-drafts.ts'
import { messageDraft } from '#client/drafts/message-draft.ts'
import { logIn } from '#client/session/session-change.ts'
import { sendOrKeep } from '#client/outbox/messages/send-or-keep.ts'
import { useCreate } from '#client/owner/editor/use-create.ts'
import type { Submission } from '#client/owner/editor/use-entry-form.ts'
import { updatePersonOperation } from '#client/owner/changes/submit-change.ts'
import { useUpdate } from '#client/owner/editor/use-update.tsx'
import { pageNotices } from '#client/ui/notices.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** An owner's browser without a network, which keeps drafts but has no room for a queue. */
function browser() {
  vi.spyOn(console, 'error').mockReturnValue()
  // No router stands around the form here.
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('navigation', { currentEntry: { key: 'form' } })
  keepingDevice()
  const open = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementation((name) => {
    if (name === outboxPlace.database) throw new DOMException('full', 'QuotaExceededError')
    return open(name)
  })
  logIn({ token: 'abc', userName: 'a', authorities: [] })
}

type Submit = (submission: Submission) => Promise<void>

/** Sends a form whose draft is on this device, and whatever it then does to itself. */
async function sendForm(useSubmit: (leave: () => void) => Submit) {
  const gone = vi.fn<() => void>()
  const drawn: Submit[] = []
  const Form = () => {
    drawn.push(useSubmit(gone))
    return null
  }
  const client = new QueryClient()
  renderToString(createElement(QueryClientProvider, { client }, createElement(Form)))
  await saveDraft('form', { id: '1', version: 1, fields: { description: 'Después' } })
  await drawn[0]?.({
    values: { name: 'Faro', description: 'Después' },
    picture: undefined,
    id: '1',
    filling: 0,
    base: { version: 1, seen: [] },
    onProgress: () => {},
    refusePicture: () => {},
    typedSince: () => undefined,
    dropKept: () => void dropDraft('form'),
    forget: gone,
  })
  return gone
}

const told = () => pageNotices.get().map(({ kind, text }) => [kind, text])

const forms: readonly (readonly [string, (leave: () => void) => Submit])[] = [
  [
    'an edit',
    (leave) =>
      useUpdate({
        form: 'form',
        fields: personFields,
        row: { version: 1, fields: { description: 'Antes' } },
        stored: { description: 'Antes' },
        notices: personNotices,
        changeOf: (base, values) => updatePersonOperation({}, { base, values }),
        onTakeTheirs: () => {},
        leave,
        reopen: () => {},
      }).submit,
  ],
  ['a new entry', (leave) => useCreate(project, { form: 'form', onCreated: leave })],
]

test.each(forms)(
  '%s that the device does not keep stays in its form and its draft',
  async (_, use) => {
    browser()
    const gone = await sendForm(use)
    expect(told()).toContainEqual(['error-snackbar', queueTexts.unkept])
    expect(gone).not.toHaveBeenCalled()
    expect((await readDraft('form')).draft?.fields).toEqual({ description: 'Después' })
  },
)

test('a message that the device does not keep stays in its form', async () => {
  browser()
  const typed = { name: 'Ana', email: 'ana@example.com', message: 'Hola' }
  const sending = await sendOrKeep({ typed, honeypot: '' }, new QueryClient())
  expect(sending.state).toBe('stays')
  expect(told()).toContainEqual(['error-snackbar', contactNotices.failed])
  expect(messageDraft()?.fields).toEqual(typed)
  // The next page finds no queue that has it.
  expect(messageDraft()?.isQueued).toBe(false)
})
