import { fill } from '../text.ts'

/*
 * What pages, worker and server say to each other about notifications. It brings no other contract file but `text.ts`
 * along: the worker carries all of it.
 */

export type PushKind = 'webpush' | 'fcm'

/** A browser's subscription, as `PushSubscription.toJSON()` gives it. */
export interface WebPushSubscription {
  readonly endpoint: string
  /** base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export type PushAddress =
  | { readonly kind: 'webpush'; readonly subscription: WebPushSubscription }
  | { readonly kind: 'fcm'; readonly fid: string }

/** What a device is told. One with the tag of an earlier one takes its place without ringing. */
export interface PushMessage {
  readonly type: 'contact' | 'sync' | 'test'
  readonly title: string
  readonly body: string
  /** The path a press opens. */
  readonly url: string
  readonly tag: string
  /** Unread messages of the inbox, for the app's badge. */
  readonly unread?: number
}

/** A device that is rung, as the owner sees it. */
export interface Device {
  readonly id: string
  readonly label: string
  readonly kind: PushKind
  /** ISO-8601 UTC, and so is `lastSentAt`. */
  readonly createdAt: string
  readonly lastSentAt: string | null
  /** What went wrong the last time, in words; empty when nothing did. */
  readonly trouble: string
}

/** What the server offers a device that wants to be rung. */
export interface PushOffer {
  /** The key to subscribe with (VAPID), base64url. */
  readonly publicKey: string
  /** Null when no notification can be sent, for the reason in `trouble`. */
  readonly kind: PushKind | null
  readonly trouble?: string
}

/** A notification that was given up, for the owner to send again or forget. */
export interface FailedPush {
  readonly id: string
  /** Its title. */
  readonly what: string
  /** The label of the device it was for. */
  readonly device: string
  readonly why: string
  /** ISO-8601 UTC. */
  readonly at: string
}

export interface TestOutcome {
  readonly state: 'sent' | 'gone' | 'retry' | 'rejected'
  readonly mensaje: string
}

/** The most devices that are notified; one more is refused until another is removed. */
export const maxDevices = 20
/** Longest name of a device, in code points. */
export const maxDeviceLabel = 80

export const inboxPath = '/inbox'
/** The parameter of the inbox's address that names the message to open. */
export const inboxParameter = 'mensaje'

/** The inbox's address with one message open. */
function inboxUrl(messageId: string): string {
  return `${inboxPath}?${inboxParameter}=${messageId}`
}

/** Tags of the notification for one message, and of the one for several: each with the id of the newest. */
export const messageTag = 'message-'
export const groupTag = 'messages-'

const excerptLength = 120

const texts = {
  one: 'Mensaje de {name}',
  many: '{n} mensajes sin leer',
  newest: 'El último, de {name}: {text}',
  testTitle: 'Aviso de prueba',
  testBody: 'Este dispositivo recibe avisos.',
} as const

/** A visitor's message, as far as its notification tells. */
interface NewMessage {
  readonly id: string
  readonly name: string
  readonly message: string
}

/**
 * The notification for new messages, newest last: of one its text, of several how many are unread in all, since it takes
 * the place of those before it. Throws for none.
 */
export function contactNotification(fresh: readonly NewMessage[], unread: number): PushMessage {
  const newest = fresh.at(-1)
  if (newest === undefined) throw new TypeError('no message to tell of')
  const { id, name, message } = newest
  if (fresh.length === 1) {
    const title = fill(texts.one, { name })
    const body = excerpt(message)
    return { type: 'contact', title, body, url: inboxUrl(id), tag: messageTag + id, unread }
  }
  const title = fill(texts.many, { n: unread })
  const body = excerpt(fill(texts.newest, { name, text: message }))
  return { type: 'contact', title, body, url: inboxPath, tag: groupTag + id, unread }
}

/** The notification behind the test button; `id` keeps a second press from replacing the first unseen. */
export function testNotification(id: string): PushMessage {
  const { testTitle: title, testBody: body } = texts
  return { type: 'test', title, body, url: '/settings', tag: `test-${id}` }
}

/** The first 120 characters on one line, with an ellipsis where more follow. */
export function excerpt(text: string): string {
  const characters = Array.from(text.replace(/\s+/gu, ' ').trim())
  const start = characters.slice(0, excerptLength).join('')
  return characters.length > excerptLength ? `${start}…` : start
}

/** The notification in a push's data, or undefined for data that is not ours. */
export function parsePushMessage(data: unknown): PushMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, title, body, url, tag, unread } = data as Record<string, unknown>
  if (type !== 'contact' && type !== 'sync' && type !== 'test') return undefined
  if (typeof title !== 'string' || typeof body !== 'string') return undefined
  // Browsers read a backslash as a slash: two of either would lead to another site.
  if (typeof url !== 'string' || !/^\/(?![/\\])/.test(url)) return undefined
  if (typeof tag !== 'string') return undefined
  // Firebase carries text only.
  const count = typeof unread === 'string' ? Number(unread) : unread
  const known = typeof count === 'number' && Number.isInteger(count) && count >= 0
  return { type, title, body, url, tag, ...(known && { unread: count }) }
}
