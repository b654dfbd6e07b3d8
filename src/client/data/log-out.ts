import { calls } from '#contract/api.ts'
import { callApi } from './api.ts'
import { forgetSession, getSession } from './session.ts'

const revokeWithinMs = 1500

/** Ends the session: told to the server when it answers soon, then session storage is emptied and the page reloads. */
export async function logOut(): Promise<void> {
  const { token } = getSession()
  if (token !== undefined) await Promise.race([revoke(token), passed(revokeWithinMs)])
  forgetSession()
  location.reload()
}

async function revoke(token: string): Promise<void> {
  // Signing out works offline too: a session the server never hears about ends by its own expiry.
  await callApi('POST', calls.logout, { token }).catch(() => undefined)
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
