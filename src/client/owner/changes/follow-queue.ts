import type { Operation } from '#client/outbox/operation.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'

/** A waiting operation, or one that the server took while the list was open. */
export interface Line {
  readonly operation: Operation
  readonly isDone: boolean
}

/** Sent operations stay as done, operations that left otherwise go, new ones come last. */
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
