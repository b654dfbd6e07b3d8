import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownerCalls } from '#contract/owner-calls.ts'
import {
  parseMessageList,
  parseUnread,
  type Message,
  type MessagePage,
  type MessagePatch,
  type Folder,
} from '#contract/messages/messages.ts'
import { ApiError } from '#client/data/api.ts'
import { messagesKey, foldersKey } from '#client/outbox/show-applied.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { getSession, onSession } from '#client/data/session.ts'
import { groupTag, messageTag } from '#contract/notifications/push.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { clearNotifications } from '#client/owner/notifications/notification.ts'

/*
 * The owner's messages. They live in this page's memory only: no kept cache takes them (see `persist.ts`), and the reload
 * at the end of her session forgets them.
 */

/** How often the number of unread messages is asked for while the page is on screen, in milliseconds. */
const lookEveryMs = 60_000

/** How many messages of the inbox nobody has opened. */
export const unreadQuery = queryOptions({
  queryKey: [...messagesKey, 'unread'],
  queryFn: async () =>
    parseUnread((await callInBackground('GET', `${ownerCalls.messages}/unread`)).json),
  refetchInterval: () => navigator.onLine && lookEveryMs,
  retry: false,
})

/** One folder, asked for anew whenever it is opened. */
export const folderQuery = (folder: Folder) =>
  queryOptions({
    queryKey: [...foldersKey, folder],
    queryFn: async ({ client, queryKey }): Promise<MessagePage> => {
      // As far back as she has gone, also while it is read.
      const wanted = () => client.getQueryData<MessagePage>(queryKey)?.messages.length ?? 0
      let list = await readPart(folder)
      for (let isMore = true; isMore && list.messages.length < wanted();) {
        const older = await readOlder(folder, list)
        isMore = (older?.messages.length ?? 0) > 0
        if (older) list = withOlder(list, older)
      }
      client.setQueryData(unreadQuery.queryKey, list.unread)
      // She may have read them on another device.
      void closeNotifications(list.messages.filter(({ readAt }) => readAt !== null))
      return list
    },
    staleTime: 0,
  })

/** Adds to a folder's list those that came before its last one; rejects when they cannot be read. */
export async function loadOlder(queryClient: QueryClient, folder: Folder): Promise<void> {
  const { queryKey } = folderQuery(folder)
  const list = queryClient.getQueryData(queryKey)
  if (!list) return
  const older = await readOlder(folder, list)
  if (!older) return refreshMessages(queryClient)
  queryClient.setQueryData(queryKey, (now) => now && withOlder(now, older))
}

/** Those before the last of a list; undefined when that one has gone meanwhile. */
async function readOlder(folder: Folder, list: MessagePage): Promise<MessagePage | undefined> {
  try {
    return await readPart(folder, list)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** The newest of a folder, or those before the last of a list. */
async function readPart(folder: Folder, list?: MessagePage): Promise<MessagePage> {
  const last = list?.messages.at(-1)
  const place = last ? `&before=${last.id}` : ''
  const path = `${ownerCalls.messages}?tray=${folder}${place}`
  return parseMessageList((await callAsOwner('GET', path)).json)
}

/** A list with what came before it behind, and the newer counts. */
export function withOlder(list: MessagePage, older: MessagePage): MessagePage {
  const known = new Set(list.messages.map(({ id }) => id))
  const added = older.messages.filter(({ id }) => !known.has(id))
  return { ...older, messages: [...list.messages, ...added] }
}

/**
 * From the owner's first page on: once her session is over nothing of the messages is on the page, also when she puts the
 * new sign-in off; it comes back with a new session.
 */
export function followMessageSession(queryClient: QueryClient): () => void {
  let { token: before } = getSession()
  return onSession(() => {
    const { token, isExpired } = getSession()
    if (isExpired || token === undefined) hideMessages(queryClient)
    else if (token !== before) void refreshMessages(queryClient)
    before = token
  })
}

/** Taken out of the cache alone, they would stay on a page that shows them already. */
function hideMessages(queryClient: QueryClient): void {
  const error = new ApiError({ status: 401, json: undefined, headers: new Headers() })
  for (const query of queryClient.getQueryCache().findAll({ queryKey: messagesKey })) {
    query.setState({ data: undefined, error, status: 'error' })
  }
}

/** Has messagesKey about the messages asked for anew, because something arrived. */
export function refreshMessages(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: messagesKey })
}

/** Stores the change of one message; what it looks like is shown at once, and taken back when the call rejects. */
export function changeMessage(
  queryClient: QueryClient,
  { id }: Message,
  patch: MessagePatch,
): Promise<void> {
  const readAt = patch.read === true ? new Date().toISOString() : null
  return showing(queryClient, {
    edit: (message) => {
      if (message.id !== id) return message
      if (patch.tray !== undefined && patch.tray !== message.tray) return undefined
      return patch.read === undefined ? message : { ...message, readAt }
    },
    call: () => callAsOwner('PUT', `${ownerCalls.messages}/update/${id}`, { body: patch }),
  })
}

/** Deletes one message for good; rejects when it is still there. */
export function removeMessage(queryClient: QueryClient, { id }: Message): Promise<void> {
  return showing(queryClient, {
    edit: (message) => (message.id === id ? undefined : message),
    call: () => callAsOwner('DELETE', `${ownerCalls.messages}/delete/${id}`),
  })
}

/** Deletes the whole spam folder for good, also what came into it since it was looked at. */
export function emptySpam(queryClient: QueryClient): Promise<void> {
  return showing(queryClient, {
    edit: (message) => (message.tray === 'spam' ? undefined : message),
    call: () => callAsOwner('DELETE', `${ownerCalls.messages}/spam`),
  })
}

/** Marks the whole inbox as read. */
export function markAllRead(queryClient: QueryClient): Promise<void> {
  const now = new Date().toISOString()
  return showing(queryClient, {
    edit: (message) =>
      message.tray === 'inbox' ? { ...message, readAt: message.readAt ?? now } : message,
    call: () => callAsOwner('POST', `${ownerCalls.messages}/read`),
  })
}

interface Edit {
  /** What becomes of a message in the lists at hand; undefined takes it out. */
  readonly edit: (message: Message) => Message | undefined
  readonly call: () => Promise<unknown>
}

async function showing(queryClient: QueryClient, { edit, call }: Edit): Promise<void> {
  await queryClient.cancelQueries({ queryKey: messagesKey })
  const before = queryClient.getQueriesData({ queryKey: messagesKey })
  const lists = queryClient.getQueriesData<MessagePage>({ queryKey: foldersKey })
  for (const [key, list] of lists) {
    if (list) queryClient.setQueryData(key, editList(list, edit))
  }
  const inbox = queryClient.getQueryData(folderQuery('inbox').queryKey)
  if (inbox) queryClient.setQueryData(unreadQuery.queryKey, inbox.unread)
  try {
    await call()
    const held = lists.flatMap(([, list]) => list?.messages ?? [])
    void closeNotifications(held.filter((message) => edit(message)?.readAt !== null))
  } catch (error) {
    // What the end of her session took off the page stays off it.
    for (const [key, data] of before) queryClient.setQueryData(key, (now) => now && data)
    throw error
  } finally {
    void refreshMessages(queryClient)
  }
}

/** The list after an edit, with its counts. */
export function editList(list: MessagePage, edit: Edit['edit']): MessagePage {
  const edited = list.messages.map(edit)
  const messages = edited.filter((message) => message !== undefined)
  return {
    messages,
    unread: list.unread + unreadIn(edited) - unreadIn(list.messages),
    total: list.total + messages.length - list.messages.length,
  }
}

function unreadIn(messages: readonly (Message | undefined)[]): number {
  return messages.filter((message) => message?.tray === 'inbox' && message.readAt === null).length
}

/**
 * Takes the notifications of these messages off the device, because they were read or are gone; of several in one, that
 * which names one of these as the newest. Never rejects.
 */
export async function closeNotifications(messages: readonly Message[]): Promise<void> {
  const tags = new Set(messages.flatMap(({ id }) => [messageTag + id, groupTag + id]))
  try {
    if (tags.size > 0) await clearNotifications((tag) => tags.has(tag))
  } catch (cause) {
    logProblem('A notification could not be taken off the device', cause)
  }
}
