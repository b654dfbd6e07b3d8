import { accessCalls } from '#contract/access/access.ts'
import { apiBase, callApi } from '#client/data/api.ts'
import { besideNoEnd } from '#client/session/left-sessions.ts'
import { asOwner } from '#client/session/owner-call.ts'
import { endRenewal, markKept } from '#client/session/renewal.ts'

/** Whether this browser can keep a session: the cookie goes to the site's own address only, and only over a safe line. */
export function canKeep(): boolean {
  const base = new URL(apiBase, location.href)
  return isSecureContext && base.origin === location.origin && navigator.cookieEnabled
}

/** Has this device keep the session of this tab. Rejects like every call. */
export async function keepSession(): Promise<void> {
  await tell(accessCalls.keep, markKept)
}

/** Has this device keep no session any longer; this tab stays signed in. Rejects like every call. */
export async function keepNoLonger(): Promise<void> {
  await tell(accessCalls.keepNoLonger, endRenewal)
}

/** One tab after the other: what the server heard last is what the browser notes last. */
async function tell(call: string, note: () => void): Promise<void> {
  // Only the call itself has the turn: while she is asked to sign in again, ends are still told.
  await asOwner((token) =>
    besideNoEnd(async () => {
      await callApi('POST', call, { token })
      note()
    }),
  )
}
