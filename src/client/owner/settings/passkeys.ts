import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { accessCalls, type Passkey } from '#contract/access/access.ts'
import { makePasskey } from '#client/login/passkey.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'
import { unlessGone } from '#client/owner/calls/unless-gone.ts'

/** Asked for again whenever they are shown. */
export const passkeysQuery = queryOptions({
  queryKey: ['access', 'passkeys'],
  queryFn: async () => (await callAsOwner('GET', accessCalls.passkeys)).json as readonly Passkey[],
  ...ownerRead,
})

/**
 * Undefined when the person or the authenticator declined, `known` when the authenticator has a key already. Rejects
 * like every call.
 */
export async function addPasskey(
  queryClient: QueryClient,
  currentPassword: string,
): Promise<Passkey | 'known' | undefined> {
  const body = { currentPassword }
  const { json: options } = await callAsOwner('POST', accessCalls.passkeyOptions, { body })
  const response = await makePasskey(options)
  if (response === undefined || response === 'known') return response
  const { json } = await callAsOwner('POST', accessCalls.passkeys, { body: { response } })
  await refresh(queryClient)
  return json as Passkey
}

/** Gives a passkey another name, and reads the list anew. */
export async function renamePasskey(
  queryClient: QueryClient,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
): Promise<void> {
  try {
    await callAsOwner('PUT', `${accessCalls.passkeys}/${id}`, { body: { name } })
  } finally {
    await refresh(queryClient)
  }
}

/** Removes a passkey at the server, and reads the list anew. */
export async function removePasskey(queryClient: QueryClient, id: string): Promise<void> {
  await unlessGone(callAsOwner('DELETE', `${accessCalls.passkeys}/${id}`))
  await refresh(queryClient)
}

function refresh(queryClient: QueryClient): Promise<void> {
  return readAnew(queryClient, passkeysQuery.queryKey)
}
