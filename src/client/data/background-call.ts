import { callApi, type Answer, type CallOptions } from './api.ts'
import { getSession } from './session.ts'

/**
 * A call that the page makes by itself as the owner: a session that has ended is no reason to interrupt her, so it only
 * rejects, and she is asked to sign in when she next does something.
 */
export function callInBackground(
  method: Parameters<typeof callApi>[0],
  path: string,
  options: Pick<CallOptions, 'body' | 'signal'> = {},
): Promise<Answer> {
  const { token } = getSession()
  return callApi(method, path, {
    ...options,
    headers: token === undefined ? {} : { Authorization: `Bearer${token}` },
  })
}
