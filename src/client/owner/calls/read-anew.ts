import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

// One that was emptied while it was read is not cancelled: it would go back to what it held before.
const isFirst = ({ state }: Query) => state.status === 'pending'

/**
 * Reads what is shown under the key once more. An answer that was asked for before does not count, not even the first
 * one, for which `invalidateQueries` alone would wait: it may say how things stood before the change.
 */
export async function readAnew(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey, predicate: isFirst })
  await queryClient.invalidateQueries({ queryKey })
}
