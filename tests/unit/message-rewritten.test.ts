import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import {
  keepMessageDraft,
  messageDraft,
  recoverInto,
  settleMessageDraft,
} from '#client/drafts/message-draft.ts'
import { keepTyped, sendOrKeep } from '#client/outbox/messages/send-or-keep.ts'
import { ownAnswer } from '#tests/support/answers.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const letter = (message: string) => ({ name: 'Ana', email: 'ana@example.com', message })

test.each([
  ['of which nobody ever hears', () => Promise.reject(new TypeError('no network'))],
  ['that arrives after all', async () => ownAnswer({}, { status: 201 })],
])(
  'what she makes in another form of a message that is on its way, %s, is sent too',
  async (_, end) => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.stubGlobal('navigator', { onLine: true })
    keepingDevice()
    const onItsWay = Promise.withResolvers<Response>()
    const posted: string[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (init.method !== 'POST') return ownAnswer({ mark: 'm' })
      const { message } = (await new Request(new URL(url, 'http://x'), init).json()) as {
        message: string
      }
      posted.push(message)
      return posted.length === 1 ? onItsWay.promise : ownAnswer({}, { status: 201 })
    })
    const client = new QueryClient()
    const first = sendOrKeep({ typed: letter('Uno'), honeypot: '' }, client)
    await expect.poll(() => posted).toEqual(['Uno'])
    // She left the page and came back to what she had written.
    const typing = keepTyped(letter('Dos'), client)
    const second = sendOrKeep({ typed: letter('Dos'), honeypot: '' }, client)
    onItsWay.resolve(end())
    await Promise.all([first, typing])
    expect((await second).state).toBe('sent')
    // The first may have been tried once more before it was taken back.
    expect(posted.filter((text) => text !== 'Uno')).toEqual(['Dos'])
    expect(messageDraft()).toBeUndefined()
  },
)

/** A form on a page, with what was typed in it before anybody could hear of it. */
function openForm(typed: Readonly<Record<string, string>> = {}) {
  class Control {
    name = ''
    value = ''
  }
  vi.stubGlobal('HTMLInputElement', Control)
  vi.stubGlobal('HTMLTextAreaElement', Control)
  const controls = Object.keys(letter('')).map((name) =>
    Object.assign(new Control(), { name, value: typed[name] ?? '' }),
  )
  const namedItem = (named: string) => controls.find(({ name }) => name === named)
  const form = { elements: { namedItem } } as unknown as HTMLFormElement
  const texts = () => Object.fromEntries(controls.map(({ name, value }) => [name, value]))
  return { controls, form, texts }
}

test('a press on a text that arrived while it stood in the form sends nothing more', async () => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: true })
  const posted: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    if (init.method === 'POST') posted.push(init.body)
    return ownAnswer({ mark: 'm' })
  })
  const { controls, form } = openForm()
  await keepMessageDraft({ id: 'm-1', fields: letter('Uno') })
  expect(await recoverInto(() => form)).toBe(true)
  expect(controls.at(-1)?.value).toBe('Uno')
  expect(form.autocomplete).toBe('off')
  await settleMessageDraft('m-1', letter('Uno'))
  const { state } = await sendOrKeep({ typed: letter('Uno'), honeypot: '' }, new QueryClient())
  expect(state).toBe('sent')
  expect(posted).toEqual([])
})

/** The modules of a page that has just been opened. */
async function newPage() {
  vi.resetModules()
  const drafts = await import('#client/drafts/message-draft.ts')
  return { ...drafts, ...(await import('#client/outbox/messages/send-or-keep.ts')) }
}

test('a message that the queue has is not mixed with what is typed over it, and is sent once', async () => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: true })
  const before: unknown[] = []
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    if (init.method === 'POST') before.push(init.body)
    return new Promise(() => undefined)
  })
  const first = await newPage()
  void first.sendOrKeep({ typed: letter('Uno'), honeypot: '' }, new QueryClient())
  await expect.poll(() => before).toHaveLength(1)
  // The page is loaded anew, and the answer never comes.
  const posted: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method !== 'POST') return ownAnswer({ mark: 'm' })
    const { message } = (await new Request(new URL(url, 'http://x'), init).json()) as {
      message: string
    }
    posted.push(message)
    return ownAnswer({}, { status: 201 })
  })
  const page = await newPage()
  const { form, texts } = openForm({ name: 'An' })
  const client = new QueryClient()
  expect(await page.recoverInto(() => form)).toBe(false)
  expect(texts()).toEqual({ name: 'An', email: '', message: '' })
  await page.keepTyped(texts(), client)
  const typed = { ...texts(), email: 'an@example.com', message: 'Dos' }
  expect((await page.sendOrKeep({ typed, honeypot: '' }, client)).state).toBe('sent')
  await expect.poll(() => posted.toSorted()).toEqual(['Dos', 'Uno'])
})

test('an edited message that something else was typed over keeps its id', async () => {
  keepingDevice()
  const { keepMessageDraft: keep } = await newPage()
  await keep({ id: 'm-1', fields: letter('Uno') })
  const page = await newPage()
  const { form, texts } = openForm({ name: 'An' })
  expect(await page.recoverInto(() => form)).toBe(true)
  expect(texts()).toEqual({ ...letter('Uno'), name: 'An' })
  expect(page.messageInForm()).toBe('m-1')
})
