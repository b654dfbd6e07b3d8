import type { Operation } from './operation.ts'

/**
 * Which version the queue's own operations made of another, so that a form opened before one of them arrived goes on from
 * there instead of meeting its own change as a conflict.
 */
export function createSuccessors() {
  const next = new Map<string, number>()

  /** Notes the version that an applied operation made; a step of more than one has somebody else's changes in it. */
  function note(operation: Operation, made: number | undefined): void {
    const base = operation.verb === 'create' ? 0 : operation.version
    if (base !== undefined && made === base + 1) next.set(keyOf(operation, base), made)
  }

  /** The operation on top of the newest version that is its own base with the queue's changes. */
  function rebase(operation: Operation): Operation {
    const { version } = operation
    const newer = version === undefined ? undefined : next.get(keyOf(operation, version))
    return newer === undefined ? operation : rebase({ ...operation, version: newer })
  }

  return { note, rebase }
}

function keyOf({ subject }: Operation, version: number): string {
  return `${JSON.stringify(subject)} ${version}`
}
