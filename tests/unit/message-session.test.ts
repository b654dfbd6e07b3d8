import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { MessagePage } from '#contract/messages/messages.ts'
import { ApiError } from '#client/data/api.ts'
import {
  followMessageSession,
  removeMessage,
  folderQuery,
  unreadQuery,
} from '#client/owner/inbox/messages.ts'
import { askToSignIn, forgetSession, logIn, postponeLogin } from '#client/session/session-change.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { receivedMessage } from '#tests/support/messages.ts'
import { webStorage } from '#tests/support/page-storage.ts'

afterEach(() => vi.unstubAllGlobals())

const message = receivedMessage('1')
const list: MessagePage = { messages: [message], unread: 1, total: 1 }

/** The owner's open inbox; the server knows the second token alone. */
function openInbox() {
  vi.stubGlobal('sessionStorage', webStorage())
  vi.stubGlobal('navigator', { onLine: true })
  logIn({ token: 'first', userName: 'ana', authorities: [] })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(folderQuery('inbox').queryKey, list)
  client.setQueryData(unreadQuery.queryKey, 1)
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    const token = new Headers(headers).get('Authorization')
    return token === 'Bearersecond' ? ownAnswer(list) : ownRefusal('sesion-requerida')
  })
  const observer = new QueryObserver(client, { ...folderQuery('inbox'), refetchOnMount: false })
  const stops = [followMessageSession(client), observer.subscribe(() => {})]
  const shown = () => observer.getCurrentResult().data
  return { client, shown, close: () => void stops.map((stop) => stop()) }
}

test('nothing of the messages is shown once the session is over, nor when the login is put off', () => {
  const { client, shown, close } = openInbox()
  expect(shown()).toEqual(list)
  askToSignIn()
  expect(shown()).toBeUndefined()
  postponeLogin()
  expect(shown()).toBeUndefined()
  expect(client.getQueryData(unreadQuery.queryKey)).toBeUndefined()
  close()
})

test('signing out hides them and asks for none of them any more', () => {
  const { shown, close } = openInbox()
  const asked = vi.fn<typeof fetch>(async () => ownRefusal('sesion-requerida'))
  vi.stubGlobal('fetch', asked)
  forgetSession()
  expect(shown()).toBeUndefined()
  expect(asked).not.toHaveBeenCalled()
  close()
})

test('they are there again with a new session', async () => {
  const { shown, close } = openInbox()
  askToSignIn()
  logIn({ token: 'second', userName: 'ana', authorities: [] })
  await expect.poll(() => shown()).toEqual(list)
  close()
})

test('a call that fails with the session puts none back', async () => {
  const { client, shown, close } = openInbox()
  const removal = removeMessage(client, message)
  const outcome = removal.catch((cause: unknown) => cause)
  await expect.poll(() => shown()).toBeUndefined()
  postponeLogin()
  expect(await outcome).toBeInstanceOf(ApiError)
  expect(shown()).toBeUndefined()
  close()
})
