import { changesIn, type Operation } from './operation.ts'

interface Step {
  readonly made: number
  /** The changes that made it. */
  readonly changes: readonly string[]
}

/**
 * Which version the queue's own operations made of another, so that a form opened while one of them was queued goes on from
 * there instead of meeting what it showed as a conflict.
 */
export function createVersionChain() {
  const next = new Map<string, Step>()

  /**
   * Notes the version that an applied operation made; a step of more than one has somebody else's changes in it. A create
   * makes the first there is, whatever its number.
   */
  function note(operation: Operation, made: number | undefined): void {
    const isNew = operation.verb === 'create'
    const base = isNew ? 0 : operation.version
    if (made === undefined || base === undefined || (!isNew && made !== base + 1)) return
    next.set(keyOf(operation, base), { made, changes: changesIn(operation) })
  }

  /** The operation on top of the newest version that is its own base with changes which its maker had in view. */
  function rebase(operation: Operation): Operation {
    const { version, seen } = operation
    const step = version === undefined ? undefined : next.get(keyOf(operation, version))
    const isSeen = step && (seen === undefined || step.changes.every((id) => seen.includes(id)))
    return isSeen ? rebase({ ...operation, version: step.made }) : operation
  }

  return { note, rebase }
}

function keyOf({ subject }: Operation, version: number): string {
  return `${JSON.stringify(subject)} ${version}`
}
