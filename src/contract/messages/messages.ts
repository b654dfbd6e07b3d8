/** The owner's two folders: what people wrote, and what looks like a robot's work. */
export const folders = ['inbox', 'spam'] as const
export type Folder = (typeof folders)[number]

/** A visitor's message as the owner reads it. */
export interface Message {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Plain text; nothing in it is ever markup. */
  readonly message: string
  /** ISO-8601 UTC. */
  readonly receivedAt: string
  /** Never smaller than that of a message that came before, whatever the server's clock said of either. */
  readonly arrival: number
  /** When the owner first opened it, null for a new one. */
  readonly readAt: string | null
  /** When she marked it as answered, null while she has not. */
  readonly answeredAt: string | null
  readonly tray: Folder
  /** Why it lies in the spam folder, in words; empty in the inbox. */
  readonly spamReason: string
}

/** One folder, newest first. */
export interface MessagePage {
  readonly messages: readonly Message[]
  /** Unread messages of the inbox, whichever folder was asked for. */
  readonly unread: number
  /** How many the folder holds; `messages` has the newest of them, or of those before the one asked for by `?before=<id>`. */
  readonly total: number
}

/** How far she has seen a folder: what is dated later was not there, nor what came later and is dated before, by a clock set back. */
export interface Seen {
  /** The latest `receivedAt`. */
  readonly until: string
  /** The last `arrival`. */
  readonly arrival: number
}

/** No arrival is beyond it: where none is told, whatever its date lets in counts as seen. */
export const lastArrival = 999_999_999

export interface MessagePatch {
  readonly read?: boolean
  readonly answered?: boolean
  readonly tray?: Folder
}

/** The most messages one answer carries. */
export const maxListedMessages = 500
/** How many messages each folder holds: beyond that a sender is told to try later; only robots' messages ever make way for new ones. */
export const folderLimits = { inbox: 20_000, spam: 5_000 } as const satisfies Readonly<
  Record<Folder, number>
>

/** What the sender is told while a folder is full, even at the first try. */
export const folderFull =
  'El buzón está lleno y por ahora no admite mensajes. Prueba de nuevo más tarde.'

export const messageNotices = {
  marked: 'Mensaje marcado como leído.',
  unmarked: 'Mensaje marcado como no leído.',
  answered: 'Mensaje marcado como respondido.',
  unanswered: 'Mensaje marcado como no respondido.',
  allRead: 'Todos los mensajes están leídos.',
  toSpam: 'Mensaje movido a no deseados.',
  toInbox: 'Mensaje movido a la bandeja.',
  deleted: 'Mensaje eliminado con éxito.',
  spamEmptied: 'Correo no deseado eliminado con éxito.',
} as const

/** Why a message went to the spam folder: the code that is stored, and the words that follow «está aquí por». */
const spamReasons = {
  honeypot: 'completar un campo que las personas no ven',
  'too-fast': 'enviarse más rápido de lo que una persona escribe',
  'no-form': 'enviarse sin haber abierto el formulario',
  flood: 'llegar entre muchos mensajes en poco tiempo',
  repeated: 'repetir un texto que ya había llegado',
  links: 'traer muchos enlaces',
  markup: 'traer código de enlaces',
  'link-name': 'firmar con una dirección web',
  owner: 'haberlo movido tú',
} as const

export type SpamReason = keyof typeof spamReasons

/** The words for stored reasons, which are codes joined by commas. */
export function spamWords(stored: string): string {
  return stored
    .split(',')
    .map((code) => (Object.hasOwn(spamReasons, code) ? spamReasons[code as SpamReason] : code))
    .join('; ')
}

/** A folder's answer. Throws on anything else. */
export function parseMessageList(json: unknown): MessagePage {
  const { messages, unread, total } = recordOf(json)
  if (!Array.isArray(messages)) throw new TypeError('a folder without messages')
  return {
    messages: messages.map(parseMessage),
    unread: parseCount(unread),
    total: parseCount(total),
  }
}

/** One message of an answer. Throws on anything else. */
function parseMessage(json: unknown): Message {
  const record = recordOf(json)
  const moment = (name: string) => (record[name] === null ? null : text(name))
  const text = (name: string): string => {
    const value = record[name]
    if (typeof value !== 'string') throw new TypeError(`a message without its ${name}`)
    return value
  }
  const tray = folders.find((known) => known === record['tray'])
  if (tray === undefined) throw new TypeError('a message in no folder')
  return {
    id: text('id'),
    name: text('name'),
    email: text('email'),
    message: text('message'),
    receivedAt: text('receivedAt'),
    // A server that was put back a version tells none, and the page of the later one may be there still.
    arrival: parseCount(record['arrival'] ?? lastArrival),
    readAt: moment('readAt'),
    answeredAt: moment('answeredAt'),
    tray,
    spamReason: text('spamReason'),
  }
}

/** The answer of `messages/unread`. Throws on anything else. */
export function parseUnread(json: unknown): number {
  return parseCount(recordOf(json)['unread'])
}

function parseCount(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a count that is no number')
  return value
}

function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null) {
    throw new TypeError('an answer without an object')
  }
  return json as Record<string, unknown>
}
