import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownerCalls } from '#contract/owner-calls.ts'
import {
  parseMessageList,
  parseUnread,
  type Message,
  type MessagePage,
  type MessagePatch,
  type Seen,
  type Folder,
} from '#contract/messages/messages.ts'
import { ApiError } from '#client/data/api.ts'
import { messagesKey, foldersKey } from '#client/outbox/show-applied.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { getSession, onSession } from '#client/data/session.ts'
import { groupTag, messageTag } from '#contract/notifications/push.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { clearNotifications } from '#client/session/shown-notifications.ts'
import { ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'
import { unlessGone } from '#client/owner/calls/unless-gone.ts'

/*
 * The owner's messages are in this page's memory only: no kept cache takes them (see `persist.ts`), and the reload at
 * the end of her session forgets them.
 */

/** How often the page asks for the number of unread messages while it is on screen, in milliseconds. */
const lookEveryMs = 60_000

export const unreadQuery = queryOptions({
  queryKey: [...messagesKey, 'unread'],
  queryFn: async () =>
    parseUnread((await callInBackground('GET', `${ownerCalls.messages}/unread`)).json),
  refetchInterval: () => navigator.onLine && lookEveryMs,
  retry: false,
})

/** Asked for again whenever the folder is opened. */
export const folderQuery = (folder: Folder) =>
  queryOptions({
    queryKey: [...foldersKey, folder],
    queryFn: async ({ client, queryKey }): Promise<MessagePage> => {
      // As many messages as she has loaded, also while they are read again.
      const wanted = () => client.getQueryData<MessagePage>(queryKey)?.messages.length ?? 0
      let list = await readPart(folder)
      for (let isMore = true; isMore && list.messages.length < wanted();) {
        const older = await readOlder(folder, list)
        isMore = (older?.messages.length ?? 0) > 0
        if (older) list = withOlder(list, older)
      }
      // The server may not know yet what is on its way.
      list = withEdits(list, underWay.get(client)?.edits ?? [])
      client.setQueryData(unreadQuery.queryKey, list.unread)
      // She may have read them on another device.
      void closeNotifications(list.messages.filter(({ readAt }) => readAt !== null))
      return list
    },
    ...ownerRead,
  })

/** Rejects when the older messages cannot be read. */
export async function loadOlder(queryClient: QueryClient, folder: Folder): Promise<void> {
  const { queryKey } = folderQuery(folder)
  const list = queryClient.getQueryData(queryKey)
  if (!list) return
  const older = await readOlder(folder, list)
  if (!older) return refreshMessages(queryClient)
  queryClient.setQueryData(queryKey, (now) => now && withOlder(now, older))
}

/** Undefined when the last message of the list is gone meanwhile. */
async function readOlder(folder: Folder, list: MessagePage): Promise<MessagePage | undefined> {
  try {
    return await readPart(folder, list)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Without a list, the newest messages of the folder. */
async function readPart(folder: Folder, list?: MessagePage): Promise<MessagePage> {
  const last = list?.messages.at(-1)
  const place = last ? `&before=${last.id}` : ''
  const path = `${ownerCalls.messages}?tray=${folder}${place}`
  return parseMessageList((await callAsOwner('GET', path)).json)
}

/** Takes the newer counts. */
export function withOlder(list: MessagePage, older: MessagePage): MessagePage {
  const known = new Set(list.messages.map(({ id }) => id))
  const added = older.messages.filter(({ id }) => !known.has(id))
  return { ...older, messages: [...list.messages, ...added] }
}

/**
 * Removes the messages from the page once the owner's session ends, also when she postpones the new sign-in; a new
 * session brings them back.
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

/** Removing them from the cache alone would leave them on a page that shows them already. */
function hideMessages(queryClient: QueryClient): void {
  const error = new ApiError({ status: 401, json: undefined, headers: new Headers() })
  for (const query of queryClient.getQueryCache().findAll({ queryKey: messagesKey })) {
    query.setState({ data: undefined, error, status: 'error' })
  }
}

/** Asks for the messages anew. */
export function refreshMessages(queryClient: QueryClient): Promise<void> {
  return readAnew(queryClient, messagesKey)
}

/** Shows the change at once, and takes it back when the call rejects. */
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

/** Deletes for good; rejects when the message is still there. */
export function removeMessage(queryClient: QueryClient, { id }: Message): Promise<void> {
  return showing(queryClient, {
    edit: (message) => (message.id === id ? undefined : message),
    call: () => unlessGone(callAsOwner('DELETE', `${ownerCalls.messages}/delete/${id}`)),
  })
}

/** How far the folder is seen where this list of it is on screen; undefined for an empty one. */
export function seenOf({ messages }: MessagePage): Seen | undefined {
  const [newest] = messages
  if (!newest) return undefined
  const arrival = messages.reduce((last, message) => Math.max(last, message.arrival), 0)
  return { until: newest.receivedAt, arrival }
}

const isSeen = ({ receivedAt, arrival }: Message, seen: Seen) =>
  receivedAt <= seen.until && arrival <= seen.arrival

const queryOf = ({ until, arrival }: Seen) => `?until=${until}&arrival=${arrival}`

/** Deletes for good what she has seen: what came since nobody has. */
export function emptySpam(queryClient: QueryClient, seen: Seen): Promise<void> {
  return showing(queryClient, {
    edit: (message) => (message.tray === 'spam' && isSeen(message, seen) ? undefined : message),
    call: () => callAsOwner('DELETE', `${ownerCalls.messages}/spam${queryOf(seen)}`),
  })
}

/**
 * Marks the inbox as read as far as she has seen it, on screen at once and back again when the server refuses; what
 * came since stays new, and spam stays as it is.
 */
export function markAllRead(queryClient: QueryClient, seen: Seen): Promise<void> {
  const now = new Date().toISOString()
  return showing(queryClient, {
    edit: (message) =>
      message.tray === 'inbox' && isSeen(message, seen)
        ? { ...message, readAt: message.readAt ?? now }
        : message,
    call: () => callAsOwner('POST', `${ownerCalls.messages}/read${queryOf(seen)}`),
  })
}

interface Edit {
  /** Maps each loaded message; undefined removes it. */
  readonly edit: (message: Message) => Message | undefined
  readonly call: () => Promise<unknown>
}

type Lists = ReturnType<typeof QueryClient.prototype.getQueriesData<MessagePage>>

/** Her changes since none was on its way. */
interface Changes {
  /** The folders as they were before the first of them. */
  readonly before: Lists
  readonly unread: number | undefined
  /** In the order she made them, without those that were refused. */
  readonly edits: Set<Edit['edit']>
  /** How many are on their way. */
  running: number
}

const underWay = new WeakMap<QueryClient, Changes>()

async function showing(queryClient: QueryClient, { edit, call }: Edit): Promise<void> {
  await queryClient.cancelQueries({ queryKey: messagesKey })
  const lists: Lists = queryClient.getQueriesData<MessagePage>({ queryKey: foldersKey })
  const unread = queryClient.getQueryData<number>(unreadQuery.queryKey)
  const changes = underWay.get(queryClient) ?? {
    before: lists,
    unread,
    edits: new Set(),
    running: 0,
  }
  underWay.set(queryClient, changes)
  changes.edits.add(edit)
  changes.running++
  show(queryClient, lists, [edit])
  try {
    await call()
    const listed = lists.flatMap(([, list]) => list?.messages ?? [])
    void closeNotifications(listed.filter((message) => edit(message)?.readAt !== null))
  } catch (error) {
    changes.edits.delete(edit)
    queryClient.setQueryData<number>(unreadQuery.queryKey, (now) => now && changes.unread)
    show(queryClient, changes.before, changes.edits)
    throw error
  } finally {
    changes.running--
    // Read before the last one has arrived, the counts would fall back for a moment.
    if (changes.running === 0) {
      underWay.delete(queryClient)
      void refreshMessages(queryClient)
    }
  }
}

function show(queryClient: QueryClient, lists: Lists, edits: Iterable<Edit['edit']>): void {
  for (const [key, list] of lists) {
    const edited = list && withEdits(list, edits)
    // Messages that the end of her session removed stay removed.
    queryClient.setQueryData<MessagePage>(key, (now) => now && edited)
  }
  const inbox = queryClient.getQueryData(folderQuery('inbox').queryKey)
  if (inbox) queryClient.setQueryData(unreadQuery.queryKey, inbox.unread)
}

function withEdits(list: MessagePage, edits: Iterable<Edit['edit']>): MessagePage {
  let edited = list
  for (const edit of edits) edited = editList(edited, edit)
  return edited
}

/** Updates the counts too. */
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
 * Removes the notifications of read or deleted messages from the device; a grouped one goes when its newest message is
 * among them. Never rejects.
 */
export async function closeNotifications(messages: readonly Message[]): Promise<void> {
  const tags = new Set(messages.flatMap(({ id }) => [messageTag + id, groupTag + id]))
  try {
    if (tags.size > 0) await clearNotifications((tag) => tags.has(tag))
  } catch (cause) {
    logProblem('A notification could not be taken off the device', cause)
  }
}
