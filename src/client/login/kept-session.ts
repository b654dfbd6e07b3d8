import { accessCalls } from '#contract/access/access.ts'
import { apiBase } from '#client/data/api.ts'
import { besideNoEnd } from '#client/session/left-sessions.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { endRenewal, markKept } from '#client/session/renewal.ts'

/** Whether this browser can keep a session: the cookie goes to the site's own address only, and only over a safe line. */
export function canKeep(): boolean {
  const base = new URL(apiBase, location.href)
  return isSecureContext && base.origin === location.origin && navigator.cookieEnabled
}

/** Keeps the session that this tab has. Rejects like every call. */
export async function keepSession(): Promise<void> {
  await besideNoEnd(async () => {
    await callAsOwner('POST', accessCalls.keep)
    markKept()
  })
}

/** Keeps it no longer; this tab stays signed in. Rejects like every call. */
export async function keepNoLonger(): Promise<void> {
  await callAsOwner('POST', accessCalls.keepNoLonger)
  endRenewal()
}
