import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages/messages.ts'
import {
  changeMessage,
  removeMessage,
  folderQuery,
  closeNotifications,
} from '#client/owner/inbox/messages.ts'
import { ownAnswer } from '#tests/support/answers.ts'

const message = (id: string, readAt: string | null = null): Message => ({
  id,
  name: 'Ana',
  email: 'a@b.test',
  message: 'Hola',
  receivedAt: '2026-11-14T09:05:00.000Z',
  arrival: 1,
  readAt,
  answeredAt: null,
  tray: 'inbox',
  spamReason: '',
})

/** A device that shows notifications with these tags; returns the ones it still shows. */
function shownOn(tags: readonly string[]): () => readonly string[] {
  let left = [...tags]
  const shown = () =>
    left.map((tag) => ({ tag, close: () => (left = left.filter((one) => one !== tag)) }))
  const getNotifications = () => Promise.resolve(shown())
  vi.stubGlobal('Notification', { permission: 'granted' })
  vi.stubGlobal('navigator', {
    onLine: true,
    serviceWorker: { getRegistration: () => Promise.resolve({ getNotifications }) },
  })
  return () => left
}

function inboxOf(messages: readonly Message[]): QueryClient {
  vi.stubGlobal('fetch', () => Promise.resolve(ownAnswer({ mensaje: 'Hecho.' })))
  const queryClient = new QueryClient()
  queryClient.setQueryData(folderQuery('inbox').queryKey, { messages, unread: 2, total: 2 })
  return queryClient
}

afterEach(() => vi.unstubAllGlobals())

test('a message that was read or is gone takes its notification along, and that of several it was the newest of', async () => {
  const left = shownOn(['message-1', 'messages-1', 'message-2', 'unknown'])
  await closeNotifications([message('1')])
  expect(left()).toEqual(['message-2', 'unknown'])
})

test('reading one on this device leaves the others ringing', async () => {
  const left = shownOn(['message-1', 'message-2'])
  await changeMessage(inboxOf([message('1'), message('2')]), message('1'), { read: true })
  await expect.poll(() => left()).toEqual(['message-2'])
})

test('what is deleted is no longer told of', async () => {
  const left = shownOn(['message-1', 'messages-2'])
  await removeMessage(inboxOf([message('1'), message('2')]), message('2'))
  await expect.poll(() => left()).toEqual(['message-1'])
})
