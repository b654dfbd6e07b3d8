import { isSameSubject, pictureId, type Operation } from './operation.ts'

/** The queue after a fold, and whose pictures nobody needs any more. */
export interface Folded {
  readonly operations: readonly Operation[]
  /** The operation that now carries the change; absent when create and remove cancelled out. */
  readonly carrier?: Operation
  readonly orphans: readonly string[]
  /** The edits that a refused change took in, because what was added may put it right. */
  readonly gathered?: readonly string[]
  /** A choice between two devices has to be made before the carrier can be sent. */
  readonly isUndecided?: boolean
}

/**
 * Adds an operation to the queue, merged into one the server certainly never applied: an edit of an unsent create becomes part
 * of it, edits of one thing become one, and a remove of an unsent create leaves nothing to send.
 */
export function fold(queued: readonly Operation[], added: Operation): Folded {
  const { operations, gathered, orphans } = gather(queued, added)
  const last = foldInto(operations, added)
  const folded = { ...last, orphans: [...orphans, ...last.orphans], ...(gathered && { gathered }) }
  const isUndecided =
    folded.carrier !== undefined &&
    folded.operations.some(
      ({ refusal, subject }) => refusal?.current && isSameSubject(subject, added.subject),
    )
  return isUndecided ? { ...folded, isUndecided } : folded
}

function foldInto(operations: readonly Operation[], added: Operation): Folded {
  const earlier = operations.filter(({ subject }) => isSameSubject(subject, added.subject))
  const last = earlier.at(-1)
  if (last === undefined || !isUnapplied(last) || added.verb === 'create') {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  if (added.verb === 'update') return foldUpdate(operations, last, added)
  return foldRemove(operations, last, added)
}

/**
 * The queue in which a refused change has taken in the edits that wait behind it, so that a correction reaches all of them at
 * once: on top of the last it would wait for the first, which stays refused. A change in conflict takes nothing in.
 */
function gather(
  operations: readonly Operation[],
  { subject, verb }: Operation,
): Pick<Folded, 'operations' | 'gathered' | 'orphans'> {
  const own = operations.filter((operation) => isSameSubject(operation.subject, subject))
  const start = own.findIndex(({ refusal }) => refusal && !refusal.current)
  const [refused, ...edits] = start < 0 ? [] : own.slice(start)
  const isApart = refused?.verb === 'remove' || verb === 'create' || !edits.every(canJoin)
  if (!refused || edits.length === 0 || isApart) return { operations, orphans: [] }
  const { refusal } = refused
  const gatherer = { ...edits.reduce(merged, refused), ...(refusal && { refusal }) }
  const pictures = [refused, ...edits].filter(({ image }) => image).map(pictureId)
  return {
    operations: operations
      .filter((operation) => !edits.includes(operation))
      .map((operation) => (operation === refused ? gatherer : operation)),
    gathered: edits.map(({ id }) => id),
    orphans: pictures.slice(0, -1),
  }
}

/** Whether it can become part of a refused change before it, without anybody's word. */
function canJoin(edit: Operation): boolean {
  return edit.verb === 'update' && isUnapplied(edit) && !edit.refusal?.current
}

/** Whether the server cannot have applied it: never sent, or answered with a no. */
function isUnapplied(operation: Operation): boolean {
  return operation.tries === 0 || operation.refusal !== undefined
}

function foldUpdate(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  if (last.verb === 'remove') {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  const carrier = merged(last, added)
  return {
    operations: operations.map((operation) => (operation === last ? carrier : operation)),
    carrier,
    orphans: last.image && added.image ? [pictureId(last)] : [],
  }
}

/**
 * One operation with the values of both. It keeps the older base, for a newer one would write over what came in between; and a
 * choice between two devices stays to be made, while any other refusal is answered by the edit.
 */
function merged({ refusal, ...last }: Operation, added: Operation): Operation {
  return {
    ...last,
    values: { ...last.values, ...added.values },
    label: added.label,
    ...(added.image && { image: { ...added.image, broughtBy: pictureId(added) } }),
    ...(refusal?.current && { refusal }),
  }
}

/** Whoever removes a thing saw it as it was then, so the newer base counts. */
function newerVersion(last: Operation, added: Operation): { version?: number } {
  if (last.version === undefined || added.version === undefined) return {}
  return { version: Math.max(last.version, added.version) }
}

function foldRemove(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  const others = operations.filter((operation) => operation !== last)
  const orphans = last.image ? [pictureId(last)] : []
  if (last.verb === 'create') return { operations: others, orphans }
  if (last.verb === 'remove') return { operations, carrier: last, orphans: [] }
  const carrier: Operation = { ...added, ...newerVersion(last, added) }
  return { operations: [...others, carrier], carrier, orphans }
}
