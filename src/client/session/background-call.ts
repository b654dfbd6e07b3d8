import { ApiError, callApi, type ApiAnswer, type CallOptions } from '#client/data/api.ts'
import { isReady } from './owner-call.ts'
import { noteProof } from './proven.ts'
import { renewed } from './renewal.ts'
import { getSession } from '#client/data/session.ts'

/**
 * A call that the page makes by itself as the owner: a session that has ended is no reason to interrupt her, so where this
 * device does not keep it, it only rejects, and she is asked to sign in when she next does something.
 */
export async function callInBackground(
  method: Parameters<typeof callApi>[0],
  path: string,
  options: Pick<CallOptions, 'body' | 'signal'> = {},
): Promise<ApiAnswer> {
  await isReady()
  const { token } = getSession()
  const call = async () => {
    const now = getSession().token
    const headers = now === undefined ? {} : { Authorization: `Bearer${now}` }
    const answer = await callApi(method, path, { ...options, headers })
    noteProof(now)
    return answer
  }
  try {
    return await call()
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 401
    // By another call's renewal there may be a new one already.
    if (isRefused && (getSession().token !== token || (await renewed()))) return call()
    if (isRefused) noteProof(undefined)
    throw error
  }
}
