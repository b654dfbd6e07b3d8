import type { Operation } from '#client/outbox/operation.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'

/** One line of the open list: an operation that waits, or one that the server has taken while the list was open. */
export interface Line {
  readonly operation: Operation
  readonly isDone: boolean
}

/** The lines after a change of the queue: what was just sent stays as done, what left otherwise goes, new ones come last. */
export function followQueue(
  lines: readonly Line[],
  { operations, applied }: Pick<OutboxState, 'operations' | 'applied'>,
): readonly Line[] {
  const queued = new Map(operations.map((operation) => [operation.id, operation]))
  const kept = lines.flatMap(({ operation, isDone }) => {
    const current = queued.get(operation.id)
    queued.delete(operation.id)
    if (current) return { operation: current, isDone: false }
    return isDone || applied?.includes(operation.id) ? { operation, isDone: true } : []
  })
  return [...kept, ...[...queued.values()].map((operation) => ({ operation, isDone: false }))]
}
