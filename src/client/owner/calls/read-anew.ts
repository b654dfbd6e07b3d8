import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { getSession, isKept } from '#client/data/session.ts'
import { isOverdue } from '#client/session/renewal.ts'

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

/** For what is read as the owner: anew whenever it is shown, and when she comes back to it. */
export const ownerRead = {
  staleTime: 0,
  // It would ask her at each look what she has just put off.
  refetchOnWindowFocus: () => !isLoginPutOff() && 'always',
} as const

/** Whether she closed the request to sign in again, and nothing has become of her session since. */
export function isLoginPutOff(): boolean {
  return getSession().isPutOff === true && (!isKept() || isOverdue())
}
