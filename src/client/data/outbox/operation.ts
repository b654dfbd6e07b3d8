import { messageLifeMs } from '#contract/durations.ts'
import type { Draft } from '#contract/fields.ts'
import { messageTexts } from '#contract/texts-message.ts'

/** What an operation is about; operations of one subject reach the server in the order they were made. */
export type Subject =
  | { readonly on: 'entry'; readonly section: string; readonly id: string }
  | { readonly on: 'person' }
  | { readonly on: 'settings' }
  | { readonly on: 'message'; readonly id: string }

/** The server's no: shown with its reason, never dropped without the person's word. */
export interface Refusal {
  readonly code: string
  readonly reason: string
  readonly errors?: Readonly<Record<string, string>>
  /** The server's values when somebody changed them meanwhile, to be put side by side. */
  readonly current?: { readonly version: number; readonly fields: Draft }
}

/** One change waiting for the server. */
export interface Operation {
  /** UUID v7: order, key in the database and Idempotency-Key at once. */
  readonly id: string
  readonly subject: Subject
  readonly verb: 'create' | 'update' | 'remove'
  /** The whole draft of a create or message, the changed fields of an update, nothing for a remove. */
  readonly values: Draft
  /** The version this was based on, sent as If-Match. */
  readonly version?: number
  /** The picture field and file name; the picture itself is kept apart, see `pictureId`. */
  readonly image?: {
    readonly field: string
    readonly name: string
    readonly broughtBy?: string
    /** Where it is stored once it is up: another upload may get another address, and every try has to send the same. */
    readonly address?: string
  }
  /** What a visitor's form tells beside the message: the field only robots fill, and its age in milliseconds. */
  readonly form?: { readonly honeypot: string; readonly ageMs?: number; readonly mark?: string }
  /** What the person calls the thing, for the list of pending changes. */
  readonly label: string
  readonly madeAt: string
  /** How often it was handed to the network; 0 means the server cannot know of it. */
  readonly tries: number
  readonly refusal?: Refusal
}

/** The id under which an operation's picture is kept: of the operation that brought it, which may have been merged into this one. */
export function pictureId({ id, image }: Operation): string {
  return image?.broughtBy ?? id
}

/** Two operations on the same thing. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  if (a.on !== b.on) return false
  if (a.on === 'entry' && b.on === 'entry') return a.section === b.section && a.id === b.id
  if (a.on === 'message' && b.on === 'message') return a.id === b.id
  return true
}

/** The refusal of a message that nobody but the visitor may send any more. */
const tooOld: Refusal = { code: 'vencido', reason: messageTexts.expired }

/** Whether it is the device, not the server, that stopped the operation. */
export function isTooOld({ refusal }: Operation): boolean {
  return refusal?.code === tooOld.code
}

/** The queue in which visitors' messages that waited too long wait for their word; the same array when there are none. */
export function expire(operations: readonly Operation[], nowMs: number): readonly Operation[] {
  const isOld = ({ subject, madeAt, refusal }: Operation) =>
    subject.on === 'message' && !refusal && nowMs - Date.parse(madeAt) > messageLifeMs
  if (!operations.some(isOld)) return operations
  return operations.map((operation) =>
    isOld(operation) ? { ...operation, refusal: tooOld } : operation,
  )
}

/** Whether one of these was refused, so that nothing behind it on the same subject may be sent. */
export function holds(operations: readonly Operation[], subject: Subject): boolean {
  return operations.some((earlier) => earlier.refusal && isSameSubject(earlier.subject, subject))
}

/** The first operation that may be sent: not refused, and nothing refused before it on the same subject. */
export function nextToSend(
  operations: readonly Operation[],
  { isOwner }: { readonly isOwner: boolean },
): Operation | undefined {
  const held: Subject[] = []
  return operations.find((operation) => {
    if (operation.refusal) held.push(operation.subject)
    const isHeld = held.some((subject) => isSameSubject(subject, operation.subject))
    return !isHeld && (isOwner || operation.subject.on === 'message')
  })
}

/** An operation and, behind a create, the edits that make no sense without it; a remove stays, since the entry may be there. */
export function discarded(operations: readonly Operation[], id: string): readonly Operation[] {
  const meant = operations.find((operation) => operation.id === id)
  if (!meant) return []
  if (meant.verb !== 'create') return [meant]
  const edits = operations.filter(
    ({ verb, subject }) => verb === 'update' && isSameSubject(subject, meant.subject),
  )
  return [meant, ...edits]
}

/** The queue once the server applied an operation: later ones on the same subject are now based on the version it made. */
export function settle(
  operations: readonly Operation[],
  applied: Operation,
  version: number | undefined,
): readonly Operation[] {
  return operations
    .filter(({ id }) => id !== applied.id)
    .map((operation) =>
      version !== undefined &&
      operation.version !== undefined &&
      isSameSubject(operation.subject, applied.subject)
        ? { ...operation, version }
        : operation,
    )
}

/** The queue with one operation exchanged for its successor. */
export function replace(operations: readonly Operation[], id: string, by: Operation) {
  return operations.map((operation) => (operation.id === id ? by : operation))
}

/** The queue without one operation. */
export function without(operations: readonly Operation[], id: string): readonly Operation[] {
  return operations.filter((operation) => operation.id !== id)
}
