import {
  maxListedMessages,
  spamWords,
  type Message,
  type MessagePage,
  type MessagePatch,
  type Seen,
  type SpamReason,
  type Folder,
} from '#contract/messages/messages.ts'
import { messageTag } from '#contract/notifications/push.ts'
import { messageKind, raiseRevision } from '../db/revisions.ts'
import type { Executor, TableRow } from '../db/tables.ts'

const spamFlag = { inbox: 0, spam: 1 } as const satisfies Readonly<Record<Folder, number>>

type Place = Pick<TableRow<'contact_message'>, 'id' | 'received_at'>

/** Newest first, with the number of all its messages; with `before`, only messages older than that place. */
export async function readFolder(
  x: Executor,
  folder: Folder,
  before?: Place,
): Promise<MessagePage> {
  const newest = x
    .selectFrom('contact_message')
    .selectAll()
    .where('spam', '=', spamFlag[folder])
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListedMessages)
  const wanted = before
    ? newest.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('received_at', 'id'), '<', tuple(before.received_at, before.id)),
      )
    : newest
  const rows = await wanted.execute()
  return {
    messages: rows.map(toMessage),
    unread: await countUnread(x),
    total: await countFolder(x, folder),
  }
}

/** Undefined when there is no such message. */
export function findPlace(x: Executor, id: string): Promise<Place | undefined> {
  return x
    .selectFrom('contact_message')
    .select(['id', 'received_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** How many messages lie in a folder. */
export async function countFolder(x: Executor, folder: Folder): Promise<number> {
  const { count } = await x
    .selectFrom('contact_message')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('spam', '=', spamFlag[folder])
    .executeTakeFirstOrThrow()
  return count
}

/** How many messages of the inbox are unread; spam never counts. */
export async function countUnread(x: Executor): Promise<number> {
  const { count } = await x
    .selectFrom('contact_message')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('spam', '=', spamFlag.inbox)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

interface MessageUpdate {
  readonly id: string
  readonly patch: MessagePatch
  readonly now: Date
}

/** The message after the change, undefined when there is none; a message read twice keeps the first moment. */
export async function updateMessage(
  x: Executor,
  { id, patch: { read, tray, answered }, now }: MessageUpdate,
): Promise<Message | undefined> {
  await noteOwn(x)
  // Holds the row: what another device does to it in this moment comes before or after.
  const row = await x
    .updateTable('contact_message')
    .set((e) => ({ rung: e.ref('rung') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const readAt = row.read_at ?? now.toISOString()
  const answeredAt = row.answered_at ?? now.toISOString()
  const moves = tray !== undefined && spamFlag[tray] !== row.spam
  const changed = {
    ...(read !== undefined && { read_at: read ? readAt : null }),
    ...(answered !== undefined && { answered_at: answered ? answeredAt : null }),
    // An answered message counts as read.
    ...(answered && { read_at: readAt }),
    ...(moves && { spam: spamFlag[tray], spam_reason: tray === 'spam' ? 'owner' : '' }),
    // The owner sees the message, so no device need be told.
    rung: 1,
  }
  await x.updateTable('contact_message').set(changed).where('id', '=', id).execute()
  return toMessage({ ...row, ...changed })
}

/** Marks the unread messages of the inbox as read as far as she has seen it; spam stays as it is. */
export async function readAll(x: Executor, now: Date, { until, arrival }: Seen): Promise<void> {
  await noteOwn(x)
  await x
    .updateTable('contact_message')
    .set({ read_at: now.toISOString() })
    .where('spam', '=', spamFlag.inbox)
    .where('read_at', 'is', null)
    .where('received_at', '<=', until)
    .where('arrival', '<=', arrival)
    .execute()
}

/** Also deletes its waiting notifications; resolves to whether there was one. */
export async function removeMessage(x: Executor, id: string): Promise<boolean> {
  await noteOwn(x)
  const removed = await x
    .deleteFrom('contact_message')
    .where('id', '=', id)
    .returning('id')
    .execute()
  await dropPushesOf(x, idsOf(removed))
  return removed.length > 0
}

/**
 * Deletes one message that its own signs show to be a robot's, the oldest of those in the trap first; resolves to
 * whether there was one. Neither a message of a flood nor one that the owner put there herself is ever dropped.
 */
export async function dropRobot(x: Executor): Promise<boolean> {
  const dropped = await x
    .deleteFrom('contact_message')
    .where('id', '=', (q) =>
      q
        .selectFrom('contact_message')
        .select('id')
        .where('spam', '=', spamFlag.spam)
        .where('spam_reason', 'not in', ['flood', 'owner'] satisfies SpamReason[])
        .orderBy((e) => e.case().when('spam_reason', 'like', 'honeypot%').then(0).else(1).end())
        .orderBy('received_at')
        .orderBy('id')
        .limit(1),
    )
    .returning('id')
    .execute()
  return dropped.length > 0
}

/** Deletes spam as far as she has seen it, and the notifications that waited since before it was moved there. */
export async function emptySpam(x: Executor, { until, arrival }: Seen): Promise<void> {
  await noteOwn(x)
  const removed = await x
    .deleteFrom('contact_message')
    .where('spam', '=', spamFlag.spam)
    .where('received_at', '<=', until)
    .where('arrival', '<=', arrival)
    .returning('id')
    .execute()
  await dropPushesOf(x, idsOf(removed))
}

/** Counts what the owner does with messages, first of all: one that is being stored raises it before it makes another one go. */
const noteOwn = (x: Executor) => raiseRevision(x, messageKind)

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}

function toMessage(row: TableRow<'contact_message'>): Message {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    receivedAt: row.received_at,
    arrival: row.arrival,
    readAt: row.read_at,
    answeredAt: row.answered_at,
    tray: row.spam === spamFlag.spam ? 'spam' : 'inbox',
    spamReason: spamWords(row.spam_reason),
  }
}

/** Deletes notifications, waiting or given up, that tell of one of these messages alone: they carry its text. */
async function dropPushesOf(x: Executor, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return
  const tags = new Set(messageIds.map((id) => messageTag + id))
  const jobs = await x
    .selectFrom('job')
    .select(['id', 'payload'])
    .where('kind', '=', 'push')
    .execute()
  const told = jobs.filter(({ payload }) => {
    const { tag } = JSON.parse(payload) as { readonly tag: string }
    return tags.has(tag)
  })
  for (const { id } of told) await x.deleteFrom('job').where('id', '=', id).execute()
}
