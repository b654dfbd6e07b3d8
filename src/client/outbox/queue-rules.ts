import { messageLifeMs } from '#contract/durations.ts'
import {
  changesIn,
  endsReadOnly,
  isSameSubject,
  isSameThing,
  pictureId,
  tooOld,
  type Account,
  type Operation,
  type Subject,
} from './operation.ts'

/*
 * The rules of the queue: what of it goes out next, what waits behind what, and what it becomes when something arrives, is
 * too old or is discarded. Pure; no operation is changed where it stands.
 */

/** The queue in which what an earlier version of the product kept is this account's; the same array when there is nothing of it. */
export function adopt(
  operations: readonly Operation[],
  owner: Account | undefined,
): readonly Operation[] {
  if (!owner?.account || !operations.some(isNobodys)) return operations
  return operations.map((operation) => (isNobodys(operation) ? { ...operation, owner } : operation))
}

/** Whether no account is written on a change; a visitor's message never has one. */
function isNobodys({ subject, owner }: Operation): boolean {
  return subject.on !== 'message' && owner === undefined
}

/** Whether one of these was queued for the same thing without the operation's maker having it in view. */
export function isBlind(operation: Operation, queued: readonly Operation[]): boolean {
  const others = queued.filter((one) => isSameThing(one, operation))
  if (operation.subject.on !== 'settings') return others.some((one) => !hasSeen(operation, one))
  // Of a setting the last value is all there is to see; choosing the same one is no conflict.
  const { subject, before, values } = operation
  const last = others.at(-1)?.values[subject.key ?? '']
  const seen = [before, values[subject.key ?? '']]
  return before !== undefined && last !== undefined && !seen.includes(last)
}

/** Whether whoever made the one had all of the other in view. */
function hasSeen({ seen }: Operation, other: Operation): boolean {
  return seen === undefined || changesIn(other).every((id) => seen.includes(id))
}

/** Refuses visitors' messages that have waited too long; the same array when there are none. */
export function markExpired(operations: readonly Operation[], nowMs: number): readonly Operation[] {
  const isOld = ({ subject, madeAt, refusal }: Operation) =>
    subject.on === 'message' && !refusal && nowMs - Date.parse(madeAt) > messageLifeMs
  if (!operations.some(isOld)) return operations
  return operations.map((operation) =>
    isOld(operation) ? { ...operation, refusal: tooOld } : operation,
  )
}

/**
 * The first operation that may be sent: not refused, and nothing refused before it on the same subject, nor an entry still to
 * be made that it moves. One that ends the read-only mode comes before all others but the settings that were changed before
 * it, since they may be waiting for it.
 */
export function nextToSend(
  operations: readonly Operation[],
  mayLeave: (operation: Operation) => boolean,
): Operation | undefined {
  const blocked: Subject[] = []
  let first: Operation | undefined
  for (const operation of operations) {
    const leaves = mayLeave(operation)
    const isToBeMade = operation.verb === 'create' || operation.verb === 'restore'
    if (operation.refusal || (isToBeMade && !leaves)) blocked.push(operation.subject)
    const isBlocked = blocked.some((subject) => dependsOn(operation, subject))
    if (isBlocked || !leaves) continue
    if (endsReadOnly(operation)) {
      return operations.find(
        (one) => mayLeave(one) && isSameSubject(one.subject, operation.subject),
      )
    }
    first ??= operation
  }
  return first
}

/** Whether one of these was refused, so that this operation may not be sent behind it. */
export function blocks(operations: readonly Operation[], operation: Operation): boolean {
  return operations.some(({ refusal, subject }) => refusal && dependsOn(operation, subject))
}

/** Whether it is about the same thing, or moves that entry. */
function dependsOn(operation: Operation, subject: Subject): boolean {
  return isSameSubject(subject, operation.subject) || moves(operation, subject)
}

/** Whether it puts this entry in another place, which it cannot before the server has the entry. */
function moves({ subject, values }: Operation, entry: Subject): boolean {
  if (subject.on !== 'order' || entry.on !== 'entry') return false
  return entry.section === subject.section && !!values['moved']?.split(' ').includes(entry.id)
}

/** The queue once the server applied an operation: later ones that were made in view of it are now based on the version it made. */
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
      isSameThing(operation, applied) &&
      hasSeen(operation, applied)
        ? { ...operation, version }
        : operation,
    )
}

/** The queue in which a new entry, and what was built on it, is about another id. */
export function renamed(
  operations: readonly Operation[],
  created: Operation,
  id: string,
): readonly Operation[] {
  const { subject } = created
  if (subject.on !== 'entry') return operations
  const start = operations.findIndex((operation) => operation.id === created.id)
  return operations.map((operation, index) =>
    start >= 0 && index >= start && isSameSubject(operation.subject, subject)
      ? { ...operation, subject: { ...subject, id } }
      : operation,
  )
}

/** An operation and, behind what makes an entry, the edits that make no sense without it; a remove stays, since the entry may be there. */
export function discarded(operations: readonly Operation[], id: string): readonly Operation[] {
  const meant = operations.find((operation) => operation.id === id)
  if (!meant) return []
  if (meant.verb !== 'create' && meant.verb !== 'restore') return [meant]
  const edits = operations
    .slice(operations.indexOf(meant))
    .filter((operation) => operation.verb === 'update' && isSameThing(operation, meant))
    // One that was refused before its entry was to come back stays, and says so again.
    .filter((edit) => meant.verb === 'create' || hasSeen(edit, meant))
  return [meant, ...edits]
}

/** The queue with one operation exchanged for its successor. */
export function replace(operations: readonly Operation[], id: string, by: Operation) {
  return operations.map((operation) => (operation.id === id ? by : operation))
}

/** The queue without one operation. */
export function without(operations: readonly Operation[], id: string): readonly Operation[] {
  return operations.filter((operation) => operation.id !== id)
}

/** The pictures of these operations, as a turn at the queue forgets them. */
export function forgottenPictures(
  operations: readonly Operation[],
): Readonly<Record<string, undefined>> {
  return Object.fromEntries(operations.map((operation) => [pictureId(operation), undefined]))
}
