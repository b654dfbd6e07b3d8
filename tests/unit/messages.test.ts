import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { parseMessageList, type MessagePage } from '#contract/messages/messages.ts'
import {
  editList,
  emptySpam,
  folderQuery,
  markAllRead,
  seenOf,
  unreadQuery,
  withOlder,
} from '#client/owner/inbox/messages.ts'
import { followCache } from '#client/offline/persist.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { receivedMessage } from '#tests/support/messages.ts'
import { problems } from '#contract/problem.ts'

const list: MessagePage = {
  messages: [
    receivedMessage('1'),
    receivedMessage('2'),
    receivedMessage('3', { readAt: '2026-11-14T10:00:00.000Z' }),
  ],
  unread: 7,
  total: 9,
}

test('a folder of a server that tells no arrivals yet is shown all the same', () => {
  const { arrival: _, ...older } = receivedMessage('1')
  const page = parseMessageList({ ...list, messages: [older] })
  expect(page.messages).toEqual([{ ...older, arrival: expect.any(Number) as unknown }])
})

test('reading a message takes it off the unread ones, those beyond the list included', () => {
  const read = editList(list, (message) => ({ ...message, readAt: message.readAt ?? 'now' }))
  expect([read.unread, read.total, read.messages.length]).toEqual([5, 9, 3])
})

test('taking out a message counts it off, and an unread one twice over', () => {
  const without = (gone: string) =>
    editList(list, (message) => (message.id === gone ? undefined : message))
  expect([without('1').unread, without('1').total]).toEqual([6, 8])
  expect([without('3').unread, without('3').total]).toEqual([7, 8])
})

test('marking as unread counts again', () => {
  const unread = editList(list, (message) => ({ ...message, readAt: null }))
  expect(unread.unread).toBe(8)
})

test('messages never count in the spam folder', () => {
  const spam = { ...list, messages: [receivedMessage('1', { tray: 'spam' })], unread: 2 }
  expect(editList(spam, () => undefined).unread).toBe(2)
})

test('the spam folder is empty at once, and full again when the server does not do it', async () => {
  const queryClient = new QueryClient()
  const spam = { messages: [receivedMessage('4', { tray: 'spam' })], unread: 7, total: 1 }
  queryClient.setQueryData(folderQuery('spam').queryKey, spam)
  queryClient.setQueryData(folderQuery('inbox').queryKey, list)
  const asked: string[] = []
  const shown = () => queryClient.getQueryData(folderQuery('spam').queryKey)
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    expect(shown()).toEqual({ messages: [], unread: 7, total: 0 })
    return ownRefusal('no-disponible')
  })
  const { receivedAt } = receivedMessage('4')
  const seen = { until: receivedAt, arrival: 1 }
  await expect(emptySpam(queryClient, seen)).rejects.toThrow(problems['no-disponible'][2])
  vi.unstubAllGlobals()
  expect(asked).toEqual([`DELETE /api/messages/spam?until=${receivedAt}&arrival=1`])
  expect(shown()).toEqual(spam)
  expect(queryClient.getQueryData(folderQuery('inbox').queryKey)).toEqual(list)
})

test('how far she has seen is the latest date, and the last that came wherever its date puts it', () => {
  const messages = [2, 9, 4].map((arrival) => receivedMessage(`${arrival}`, { arrival }))
  const { receivedAt: until } = receivedMessage('1')
  expect(seenOf({ messages, unread: 3, total: 3 })).toEqual({ until, arrival: 9 })
  expect(seenOf({ messages: [], unread: 0, total: 0 })).toBeUndefined()
})

test('what comes while the others are being marked stays new, although it is dated before them', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const queryClient = new QueryClient()
  const { queryKey } = folderQuery('inbox')
  const ahead = receivedMessage('1', { receivedAt: '2027-11-14T09:05:00.000Z' })
  const later = receivedMessage('2', { arrival: 2 })
  queryClient.setQueryData(queryKey, { messages: [ahead], unread: 1, total: 1 })
  const { promise: marked, resolve: mark } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', (_: string, { method }: RequestInit) =>
    method === 'POST'
      ? marked
      : Promise.resolve(ownAnswer({ messages: [ahead, later], unread: 2, total: 2 })),
  )
  const marking = markAllRead(queryClient, { until: ahead.receivedAt, arrival: 1 })
  const read = await queryClient.query({ ...folderQuery('inbox'), retry: false })
  expect(read.messages.map(({ readAt }) => readAt === null)).toEqual([false, true])
  mark(ownAnswer({ mensaje: '' }))
  await marking
  vi.unstubAllGlobals()
})

test('older messages stand behind the newer ones, each once, with the newer counts', () => {
  const tray = { messages: [receivedMessage('b'), receivedMessage('a')], unread: 1, total: 3 }
  const older = { messages: [receivedMessage('a'), receivedMessage('0')], unread: 2, total: 4 }
  const joined = withOlder(tray, older)
  expect(joined.messages.map(({ id }) => id)).toEqual(['b', 'a', '0'])
  expect([joined.unread, joined.total]).toEqual([2, 4])
})

test('the copy that the device keeps takes no message along', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['person'], { version: 1, fields: { name: 'Lucía' } })
  queryClient.setQueryData(folderQuery('inbox').queryKey, list)
  queryClient.setQueryData(unreadQuery.queryKey, 7)
  let kept: string | null = null
  const stop = await followCache(queryClient, {
    getItem: () => kept,
    setItem: (_, value) => void (kept = value),
    removeItem: () => void (kept = null),
  })
  const text = () => kept ?? ''
  await expect.poll(text).toContain('Lucía')
  stop()
  expect(text()).not.toMatch(/messages|a@b\.test/)
})

test('an answer that is no list is refused', () => {
  for (const json of [null, [], {}, { messages: [{}], unread: 1, total: 1 }]) {
    expect(() => parseMessageList(json)).toThrow(TypeError)
  }
})

test('what is brought while the folder is read anew stays, also when the place between the parts has gone', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const queryClient = new QueryClient()
  const parts = [
    { messages: [receivedMessage('3')], unread: 0, total: 3 },
    { messages: [receivedMessage('2')], unread: 0, total: 3 },
  ]
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    if (asked.length === 1) {
      // «Ver más» ends while the first part is on its way.
      const messages = [receivedMessage('3'), receivedMessage('2'), receivedMessage('1')]
      queryClient.setQueryData(folderQuery('inbox').queryKey, { messages, unread: 0, total: 3 })
    }
    const part = parts.shift()
    return Promise.resolve(part ? ownAnswer(part) : ownRefusal('no-encontrado'))
  })
  const read = await queryClient.query({ ...folderQuery('inbox'), retry: false })
  expect(asked).toHaveLength(3)
  expect(read.messages.map(({ id }) => id)).toEqual(['3', '2'])
  vi.unstubAllGlobals()
})
