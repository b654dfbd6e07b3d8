import { callApi, type ApiAnswer, type CallOptions } from '#client/data/api.ts'
import { isReady } from './owner-call.ts'
import { getSession } from '#client/data/session.ts'

/**
 * A call that the page makes by itself as the owner: a session that has ended is no reason to interrupt her, so it only
 * rejects, and she is asked to sign in when she next does something.
 */
export async function callInBackground(
  method: Parameters<typeof callApi>[0],
  path: string,
  options: Pick<CallOptions, 'body' | 'signal'> = {},
): Promise<ApiAnswer> {
  await isReady()
  const { token } = getSession()
  return callApi(method, path, {
    ...options,
    headers: token === undefined ? {} : { Authorization: `Bearer${token}` },
  })
}
