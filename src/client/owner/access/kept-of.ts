import { changesIn, type Operation } from '#client/outbox/operation.ts'

/**
 * How much of the changes outlives the page, by what is left on the device; undefined where that keeps everything. What was
 * decided about a refusal since then is on no disk, and the refusal would be asked about again.
 */
export function keptOf(
  operations: readonly Operation[],
  left: readonly Operation[] | undefined,
): 'all' | 'some' | 'none' {
  if (!left) return 'all'
  const refused = left.filter(({ refusal }) => refusal)
  const isDecided = ({ id, refusal }: Operation) => !refusal && refused.some((one) => one.id === id)
  const known = new Set(left.flatMap(changesIn))
  for (const id of operations.filter(isDecided).flatMap(changesIn)) known.delete(id)
  const changes = operations.flatMap(changesIn)
  if (changes.every((id) => known.has(id))) return 'all'
  return changes.some((id) => known.has(id)) ? 'some' : 'none'
}
