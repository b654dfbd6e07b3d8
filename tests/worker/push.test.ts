import { expect, test, vi } from 'vitest'
import type { PushMessage } from '#contract/notifications/push.ts'
import {
  parseWorkerMessage,
  pushTaken,
  type WorkerMessage,
} from '#contract/notifications/worker-messages.ts'
import { openPressed, showPush } from '#sw/push.ts'

const message: PushMessage = {
  type: 'contact',
  title: 'Mensaje de Ana',
  body: 'Hola',
  url: '/inbox?mensaje=7',
  tag: 'message-7',
  unread: 3,
}

/** A worker whose device shows what it is told, and whose pages hear and answer. */
function workerWith({ pages = [] as readonly FakePage[], shown = [] as string[] }) {
  const closed: string[] = []
  const badges: number[] = []
  const opened: string[] = []
  const notices: (readonly [string, NotificationOptions | undefined])[] = []
  const worker = {
    registration: {
      showNotification: async (...notice: [string, NotificationOptions?]) => {
        notices.push([notice[0], notice[1]])
      },
      getNotifications: async () =>
        shown.map((tag) => ({ tag, close: () => void closed.push(tag) })),
    },
    clients: {
      matchAll: async () => pages,
      openWindow: async (url: string) => void opened.push(url),
    },
    navigator: { setAppBadge: async (count: number) => void badges.push(count) },
  }
  return { worker: worker as never, closed, badges, opened, notices }
}

interface FakePage {
  readonly words: unknown[]
  isFocused: boolean
  postMessage(word: unknown, ports?: readonly MessagePort[]): void
  focus(): Promise<void>
}

/** An open page; one of the owner's answers. */
function pageOf(answers: boolean): FakePage {
  const page: FakePage = {
    words: [],
    isFocused: false,
    postMessage: (word, ports) => {
      page.words.push(word)
      if (answers) ports?.[0]?.postMessage(pushTaken)
    },
    focus: async () => void (page.isFocused = true),
  }
  return page
}

const pressed = (url: unknown) => {
  const close = vi.fn<() => void>()
  return { close, data: { url } }
}

test('a message is shown with its tag and its place, counted, and told to open pages', async () => {
  const page = pageOf(true)
  const { worker, notices, badges } = workerWith({ pages: [page] })
  await showPush(message, worker)
  expect(notices).toEqual([
    [
      'Mensaje de Ana',
      { body: 'Hola', tag: 'message-7', icon: '/icon-192.png', data: { url: message.url } },
    ],
  ])
  expect(badges).toEqual([3])
  expect(page.words).toEqual([{ type: 'PUSH_ARRIVED' }])
})

test('one for many takes the place of all before it, and of nothing else', async () => {
  const shown = ['message-1', 'test-1', 'message-2', 'messages-2', 'messages-3']
  const { worker, closed, notices } = workerWith({ shown })
  await showPush(message, worker)
  expect(closed).toEqual([])
  await showPush({ ...message, tag: 'messages-3' }, worker)
  // Shown under a tag of its own, so that it rings; come twice, it takes its own place in silence.
  expect(notices.at(-1)?.[1]?.tag).toBe('messages-3')
  expect(closed).toEqual(['message-1', 'message-2', 'messages-2'])
})

test.each([
  [undefined],
  ['Premio'],
  [{ ...message, url: 'https://elsewhere.test/' }],
  [{ ...message, url: '//elsewhere.test/' }],
  [{ ...message, url: String.raw`/\elsewhere.test` }],
  [{ ...message, title: 7 }],
])('of %j nothing is shown but that there is news', async (data) => {
  const { worker, notices, badges } = workerWith({})
  await showPush(data, worker)
  expect(notices).toEqual([
    [
      'Hay novedades en tu portafolio',
      { body: '', tag: 'unknown', icon: '/icon-192.png', data: { url: '/' } },
    ],
  ])
  expect(badges).toEqual([])
})

test('a press goes to the page that answers, and to that one alone', async () => {
  const [silent, owners, other] = [pageOf(false), pageOf(true), pageOf(true)]
  const { worker, opened } = workerWith({ pages: [silent, owners, other] })
  const notification = pressed(message.url)
  await openPressed(notification, worker)
  expect(notification.close).toHaveBeenCalledOnce()
  expect(owners.words).toEqual([{ type: 'PUSH_OPEN', url: message.url }])
  expect([silent.isFocused, owners.isFocused, other.words]).toEqual([false, true, []])
  expect(opened).toEqual([])
})

test('without a page that answers a press opens a window', async () => {
  const { worker, opened } = workerWith({ pages: [pageOf(false)] })
  await openPressed(pressed(message.url), worker)
  expect(opened).toEqual([message.url])
})

test('a page understands the words of the worker and no others', () => {
  const words: WorkerMessage[] = [
    { type: 'PUSH_ARRIVED' },
    { type: 'PUSH_MOVED' },
    { type: 'PUSH_OPEN', url: '/inbox' },
  ]
  expect(words.map(parseWorkerMessage)).toEqual(words)
  const others = [null, 'PUSH_ARRIVED', { type: 'PUSH_OPEN' }, { type: 'OUTBOX_DRAIN' }]
  const outside = ['https://a.test', '//a.test', String.raw`/\a.test`, 'javascript:1']
  const wrong = [...others, ...outside.map((url) => ({ type: 'PUSH_OPEN', url }))]
  expect(wrong.map(parseWorkerMessage).filter(Boolean)).toEqual([])
})
