import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { accessCalls } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { OwnAccess } from '#contract/access/own-access.ts'
import { isKept } from '#client/data/session.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { markKept } from '#client/session/renewal.ts'
import { renameSession } from '#client/session/session-change.ts'
import { refreshOpenSessions } from './open-sessions.ts'
import { ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'

/** Asked for again whenever it is shown. */
export const ownAccessQuery = queryOptions({
  queryKey: ['access', 'own'],
  queryFn: async () => (await callAsOwner('GET', accessCalls.own)).json as OwnAccess,
  ...ownerRead,
})

/** The other sessions end. Rejects like every call. */
export async function changePassword(
  queryClient: QueryClient,
  body: { readonly currentPassword: string; readonly newPassword: string },
): Promise<void> {
  await callAsOwner('POST', ownerCalls.password, { body })
  refresh(queryClient)
}

/** The other sessions end. Rejects like every call. */
export async function changeUserName(
  queryClient: QueryClient,
  body: { readonly currentPassword: string; readonly userName: string },
): Promise<void> {
  const { json } = await callAsOwner('POST', accessCalls.userName, { body })
  renameSession((json as Pick<OwnAccess, 'userName'>).userName)
  if (isKept()) markKept()
  refresh(queryClient)
}

/** Not awaited: the change is made, whether or not the list can be read again. */
function refresh(queryClient: QueryClient): void {
  void readAnew(queryClient, ownAccessQuery.queryKey)
  void refreshOpenSessions(queryClient)
}
