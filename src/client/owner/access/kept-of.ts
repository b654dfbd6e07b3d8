import { changesIn, type Operation } from '#client/outbox/operation.ts'

/** How much of the changes outlives the page, by what is left on the device; undefined where that keeps everything. */
export function keptOf(
  operations: readonly Operation[],
  left: readonly Operation[] | undefined,
): 'all' | 'some' | 'none' {
  if (!left) return 'all'
  const known = new Set(left.flatMap(changesIn))
  const changes = operations.flatMap(changesIn)
  if (changes.every((id) => known.has(id))) return 'all'
  return changes.some((id) => known.has(id)) ? 'some' : 'none'
}
