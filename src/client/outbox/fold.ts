import {
  changesIn,
  isOfGone,
  isRefused,
  isSameThing,
  pictureId,
  thingOf,
  type Operation,
} from './operation.ts'
import { isBlind } from './queue-rules.ts'

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
 * of it, edits of one thing become one, and a remove of an unsent create leaves nothing to send. An edit before a remove
 * stays, for what is removed can come back.
 */
export function fold(queued: readonly Operation[], added: Operation): Folded {
  const { operations, gathered, orphans } = gather(queued, added)
  const last = foldInto(operations, added)
  const folded = { ...last, orphans: [...orphans, ...last.orphans], ...(gathered && { gathered }) }
  const isUndecided =
    folded.carrier !== undefined &&
    folded.operations.some(
      (operation) => operation.refusal?.current && isSameThing(operation, added),
    )
  return isUndecided ? { ...folded, isUndecided } : folded
}

/** What one of several operations does to a queue, and the ids of those that are not to be sent any more because of it. */
export interface Fold extends Omit<Folded, 'operations'> {
  readonly superfluous: readonly string[]
}

export type Folding = ReturnType<typeof createFolding>

/**
 * A queue to which operations are added one after the other, each as `fold` does it. What one of them costs depends on what
 * waits for the same thing alone: as many as an import brings would take minutes if each went through the whole queue.
 */
export function createFolding(queued: readonly Operation[]) {
  const things = Map.groupBy(queued, thingOf)
  /** What stands where an operation stood, by its id and in the order of the queue. */
  const places = new Map(queued.map((operation) => [operation.id, [operation]]))

  function add(added: Operation): Fold {
    const thing = thingOf(added)
    const waiting = things.get(thing) ?? []
    const { operations, ...folded } = fold(waiting, added)
    things.set(thing, [...operations])
    // What was put ahead of another stands in that one's place.
    for (const { id } of waiting) if (places.has(id)) places.set(id, [])
    let ahead: Operation[] = []
    for (const operation of operations) {
      ahead.push(operation)
      if (!places.has(operation.id)) continue
      places.set(operation.id, ahead)
      ahead = []
    }
    for (const operation of ahead) places.set(operation.id, [operation])
    const left = new Set(operations.flatMap(changesIn))
    return { ...folded, superfluous: waiting.map(({ id }) => id).filter((id) => !left.has(id)) }
  }

  return { add, operations: (): readonly Operation[] => [...places.values()].flat() }
}

function foldInto(operations: readonly Operation[], added: Operation): Folded {
  const earlier = operations.filter((operation) => isSameThing(operation, added))
  const last = earlier.at(-1)
  const isApart = isWhole(added) || isBlind(added, earlier)
  if (last === undefined || !isUnapplied(last) || isApart) {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  if (added.verb === 'update') return foldUpdate(operations, last, added)
  if (added.verb === 'restore') return foldRestore(operations, last, added)
  return foldRemove(operations, last, added)
}

/** Whether it is never part of another operation: it makes an entry, or ends one for good, or arranges or replaces what it was made over. */
function isWhole({ verb, subject, isReturn }: Operation): boolean {
  return verb === 'create' || verb === 'erase' || subject.on === 'order' || isReturn === true
}

/**
 * The queue in which a refused change has taken in the edits that wait behind it, so that a correction reaches all of them at
 * once: on top of the last it would wait for the first, which stays refused. A change in conflict takes nothing in.
 */
function gather(
  operations: readonly Operation[],
  added: Operation,
): Pick<Folded, 'operations' | 'gathered' | 'orphans'> {
  const own = operations.filter((operation) => isSameThing(operation, added))
  const start = own.findIndex((one) => isRefused(one) && !one.refusal?.current)
  const [refused, ...edits] = start < 0 ? [] : own.slice(start)
  if (!refused || edits.length === 0) return { operations, orphans: [] }
  const isEdit = refused.verb === 'create' || refused.verb === 'update'
  if (!isEdit || isWhole(added) || !edits.every(canJoin)) return { operations, orphans: [] }
  const { refusal } = refused
  const gatherer = { ...edits.reduce(merged, refused), ...(refusal && { refusal }) }
  const pictures = [refused, ...edits].filter(({ image }) => image).map(pictureId)
  return {
    operations: operations
      .filter((operation) => !edits.includes(operation))
      .map((operation) => (operation === refused ? gatherer : operation)),
    gathered: edits.map(({ id }) => id),
    orphans: gatherer.image ? pictures.slice(0, -1) : pictures,
  }
}

/** Whether it can become part of a refused change before it, without anybody's word. */
function canJoin(edit: Operation): boolean {
  return edit.verb === 'update' && isUnapplied(edit) && !edit.refusal?.current
}

/** Whether the server cannot have applied it: never sent, or answered with a no. */
function isUnapplied(operation: Operation): boolean {
  return operation.tries === 0 || isRefused(operation)
}

function foldUpdate(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  if (last.verb !== 'create' && last.verb !== 'update') {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  const carrier = merged(last, added)
  return {
    operations: operations.map((operation) => (operation === last ? carrier : operation)),
    carrier,
    orphans: last.image && (added.image || !carrier.image) ? [pictureId(last)] : [],
  }
}

/**
 * One operation with the values of both. It keeps the older base, for a newer one would write over what came in between; and a
 * choice between two devices stays to be made, while any other refusal is answered by the edit.
 */
function merged({ refusal, image, ...last }: Operation, added: Operation): Operation {
  // Whoever takes a picture away takes away the one that waits, too.
  const isTakenAway = image !== undefined && image.field in added.values
  return {
    ...last,
    ...(image && !isTakenAway && { image }),
    values: { ...last.values, ...added.values },
    changes: [...changesIn(last), ...changesIn(added)],
    label: added.label,
    ...(added.image && { image: { ...added.image, broughtBy: pictureId(added) } }),
    ...(refusal?.current && { refusal }),
  }
}

/**
 * The removal in place of a refused edit. What the edit was made over is what she has seen of the entry, for its own texts hide
 * what somebody else has written since; and a choice between two devices stays to be made.
 */
function removalInPlaceOf({ version, refusal }: Operation, added: Operation): Operation {
  const isBased = version !== undefined && added.version !== undefined
  return { ...added, ...(isBased && { version }), ...(refusal?.current && { refusal }) }
}

function foldRemove(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  // Brought back from the bin, it is as she left it.
  if (last.verb === 'erase' || (last.verb === 'update' && !last.refusal)) {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  const others = operations.filter((operation) => operation !== last)
  const orphans = last.image ? [pictureId(last)] : []
  if (last.verb === 'create') return { operations: others, orphans }
  if (last.verb === 'remove') return { operations, carrier: last, orphans: [] }
  if (last.verb === 'restore') {
    // It stays deleted; what deleted it may still be on its way.
    const carrier = others.findLast((operation) => isSameThing(operation, added))
    return { operations: others, orphans, ...(carrier && { carrier }) }
  }
  const carrier = removalInPlaceOf(last, added)
  return { operations: [...others, carrier], carrier, orphans }
}

/** What was not deleted yet need not be brought back. */
function foldRestore(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  if (last.verb === 'remove') {
    return { operations: operations.filter((operation) => operation !== last), orphans: [] }
  }
  if (last.verb === 'restore') return { operations, carrier: last, orphans: [] }
  if (isOfGone(last)) {
    // It was refused because the entry was gone, and holds at the version that the entry had.
    const { refusal: _, ...again } = last
    const behind = operations.flatMap((one) => (one === last ? [added, again] : [one]))
    return { operations: behind, carrier: added, orphans: [] }
  }
  return { operations: [...operations, added], carrier: added, orphans: [] }
}
