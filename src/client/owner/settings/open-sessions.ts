import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { accessCalls, type OpenSession } from '#contract/access/access.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'
import { unlessGone } from '#client/owner/calls/unless-gone.ts'

/** The session that asks comes first; asked for again whenever it is shown. */
export const openSessionsQuery = queryOptions({
  queryKey: ['access', 'sessions'],
  queryFn: async () => {
    const all = (await callAsOwner('GET', accessCalls.sessions)).json as readonly OpenSession[]
    return all.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn))
  },
  ...ownerRead,
})

/** Rejects like every call. */
export async function closeOpenSession(queryClient: QueryClient, id: string): Promise<void> {
  await unlessGone(callAsOwner('DELETE', `${accessCalls.sessions}/${id}`))
  await refreshOpenSessions(queryClient)
}

/** Asks for the list of open sessions anew. */
export function refreshOpenSessions(queryClient: QueryClient): Promise<void> {
  return readAnew(queryClient, openSessionsQuery.queryKey)
}
