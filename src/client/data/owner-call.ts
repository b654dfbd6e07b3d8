import { ApiError, callApi, type Answer, type CallOptions } from './api.ts'
import { getSession, sessionRenewed } from './session.ts'

/** A call the owner asked for; when her session has ended it waits for a new sign-in and is then made again. */
export async function callAsOwner(
  method: Parameters<typeof callApi>[0],
  path: string,
  options: Pick<CallOptions, 'body' | 'headers' | 'signal'> = {},
): Promise<Answer> {
  const call = () => callApi(method, path, { ...options, token: getSession().token })
  try {
    return await call()
  } catch (error) {
    const isExpired = error instanceof ApiError && error.status === 401
    if (isExpired && (await sessionRenewed())) return call()
    throw error
  }
}
