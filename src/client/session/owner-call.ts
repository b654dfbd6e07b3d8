import { ApiError, callApi, type ApiAnswer, type CallOptions } from '#client/data/api.ts'
import { isOverdue, renewed } from './renewal.ts'
import { getSession } from '#client/data/session.ts'
import { askToSignIn, sessionRenewed } from './session-change.ts'

/** A call the owner asked for; when her session has ended it waits for a new sign-in and is then made again. */
export async function callAsOwner(
  method: Parameters<typeof callApi>[0],
  path: string,
  options: Pick<CallOptions, 'body' | 'signal'> = {},
): Promise<ApiAnswer> {
  return asOwner((token) => callApi(method, path, { ...options, token }))
}

/** As `callAsOwner`, for more than one call: `call` has ended before the wait for a sign-in, and then runs once more. */
export async function asOwner<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  await isReady()
  const { token } = getSession()
  try {
    return await call(token)
  } catch (error) {
    const isExpired = error instanceof ApiError && error.status === 401
    // No renewal does, and this is no call that the page makes by itself.
    if (isExpired && isOverdue()) askToSignIn()
    if (isExpired && (await sessionRenewed(token))) return call(getSession().token)
    throw error
  }
}

/** Resolves once this tab has a token, or cannot have one without the owner. */
export async function isReady(): Promise<void> {
  if (getSession().token === undefined) await renewed()
}
