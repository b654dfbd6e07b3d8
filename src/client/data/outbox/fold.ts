import { isSameSubject, pictureId, type Operation } from './operation.ts'

/** The queue after a fold, and whose pictures nobody needs any more. */
export interface Folded {
  readonly operations: readonly Operation[]
  /** The operation that now carries the change; absent when create and remove cancelled out. */
  readonly carrier?: Operation
  readonly orphans: readonly string[]
}

/**
 * Adds an operation to the queue, merged into one the server certainly never applied: an edit of an unsent create becomes part
 * of it, edits of one thing become one, and a remove of an unsent create leaves nothing to send.
 */
export function fold(operations: readonly Operation[], added: Operation): Folded {
  const earlier = operations.filter(({ subject }) => isSameSubject(subject, added.subject))
  const last = earlier.at(-1)
  if (last === undefined || !isUnapplied(last) || added.verb === 'create') {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  if (added.verb === 'update') return foldUpdate(operations, last, added)
  return foldRemove(operations, last, added)
}

/** Whether the server cannot have applied it: never sent, or answered with a no. */
function isUnapplied(operation: Operation): boolean {
  return operation.tries === 0 || operation.refusal !== undefined
}

function foldUpdate(operations: readonly Operation[], last: Operation, added: Operation): Folded {
  if (last.verb === 'remove') {
    return { operations: [...operations, added], carrier: added, orphans: [] }
  }
  const { refusal: _, ...rest } = last
  const carrier: Operation = {
    ...rest,
    values: { ...last.values, ...added.values },
    label: added.label,
    ...(added.image && { image: { ...added.image, broughtBy: pictureId(added) } }),
    ...newerVersion(last, added),
  }
  return {
    operations: operations.map((operation) => (operation === last ? carrier : operation)),
    carrier,
    orphans: last.image && added.image ? [pictureId(last)] : [],
  }
}

/** After a conflict the person edits what the server has, so the newer base counts. */
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
