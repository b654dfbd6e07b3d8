import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { MessagePage } from '#contract/messages/messages.ts'
import { problems } from '#contract/problem.ts'
import { changeMessage, folderQuery, removeMessage } from '#client/owner/inbox/messages.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { receivedMessage } from '#tests/support/messages.ts'

/* Two changes of her messages on a slow network, where the first is answered while the second is on its way. */

afterEach(() => vi.unstubAllGlobals())

/** The inbox on screen, and a server that answers each change when the test says so. */
async function openInbox() {
  const stored: MessagePage = {
    messages: [receivedMessage('2'), receivedMessage('1')],
    unread: 2,
    total: 2,
  }
  const answers: ((answer: Response) => void)[] = []
  let isReadable = true
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'GET') return new Promise<Response>((resolve) => answers.push(resolve))
    const answer = url.endsWith('/unread') ? { unread: stored.unread } : stored
    return isReadable
      ? Promise.resolve(ownAnswer(answer))
      : Promise.reject(new TypeError('offline'))
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const query = folderQuery('inbox')
  const stop = new QueryObserver(queryClient, query).subscribe(() => undefined)
  const ids = () => queryClient.getQueryData(query.queryKey)?.messages.map(({ id }) => id)
  await expect.poll(ids).toEqual(['2', '1'])
  const seen = new Set<string>()
  queryClient.getQueryCache().subscribe(() => void seen.add(String(ids())))
  return {
    queryClient,
    ids,
    seen,
    answers,
    stop,
    refuse: (change: number) => answers[change]?.(ownRefusal('no-disponible')),
    goOffline: () => (isReadable = false),
  }
}

test.each([
  ['done', () => ownAnswer({})],
  ['refused', () => ownRefusal('no-disponible')],
])(
  'a message that is being deleted does not come back when an earlier change is %s',
  async (_, answer) => {
    const { queryClient, ids, seen, answers, stop } = await openInbox()
    const read = changeMessage(queryClient, receivedMessage('1'), { read: true }).catch(
      () => undefined,
    )
    await expect.poll(() => answers.length).toBe(1)
    const removed = removeMessage(queryClient, receivedMessage('2'))
    await expect.poll(ids).toEqual(['1'])
    await expect.poll(() => answers.length).toBe(2)
    seen.clear()
    answers[0]?.(answer())
    await read
    // Whatever else has the folder read, as her coming back to the page.
    await queryClient.refetchQueries(folderQuery('inbox'))
    expect([...seen]).toEqual(['1'])
    answers[1]?.(ownAnswer({}))
    await removed
    stop()
  },
)

test('of two messages that could not be deleted both are back, though nothing can be read', async () => {
  const { queryClient, ids, answers, stop, refuse, goOffline } = await openInbox()
  const first = removeMessage(queryClient, receivedMessage('2'))
  await expect.poll(() => answers.length).toBe(1)
  const second = removeMessage(queryClient, receivedMessage('1'))
  await expect.poll(ids).toEqual([])
  await expect.poll(() => answers.length).toBe(2)
  goOffline()
  refuse(0)
  await expect(first).rejects.toThrow(problems['no-disponible'][2])
  expect(ids()).toEqual(['2'])
  refuse(1)
  await expect(second).rejects.toThrow(problems['no-disponible'][2])
  expect(ids()).toEqual(['2', '1'])
  stop()
})
