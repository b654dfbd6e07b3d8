import { accessCalls } from '#contract/access/access.ts'
import { serverWaitMs } from '#contract/offline/offline.ts'
import { ApiError } from '#client/data/api.ts'
import { delay } from '#client/browser/delay.ts'
import { callAsOwner, isReady } from './owner-call.ts'
import { getSession, isKept } from '#client/data/session.ts'

/** The token that the server took when it was last asked; undefined once it refused it. */
let proven: string | undefined

/** Notes whether the server took this tab's token. */
export function noteProof(token: string | undefined): void {
  proven = token
}

/**
 * Whether whoever sits here may see what the owner typed: a tab that was left open shows nothing of itself once her session was
 * ended elsewhere. Asks her to sign in again then; false where that is put off. Without an answer nobody knows better, and she
 * goes on with her work.
 */
export async function isProven(): Promise<boolean> {
  const { token } = getSession()
  if (token !== undefined && token === proven) return true
  const signal = AbortSignal.timeout(serverWaitMs)
  const isInTime = await Promise.race([isReady().then(() => true), delay(serverWaitMs)])
  // A kept session that could not be renewed may be hers still: a second try could take longer than the first.
  if (!isInTime || (getSession().token === undefined && isKept())) return true
  try {
    await callAsOwner('GET', accessCalls.own, { signal })
    noteProof(getSession().token)
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.status === 401)
  }
}
