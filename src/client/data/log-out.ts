import { useSyncExternalStore } from 'react'
import { calls } from '#contract/api.ts'
import { callApi } from './api.ts'
import { draftForms, dropAllDrafts } from './drafts.ts'
import { forgetSession, getSession } from './session.ts'

const revokeWithinMs = 1500
const listeners = new Set<() => void>()
let isAsking = false

/** Ends the session; asks first when texts on this device would go with it. */
export async function logOut(): Promise<void> {
  if (draftForms().length > 0) setAsking(true)
  else await leave()
}

/** Ends the session and forgets the drafts of this device: somebody else may sit here next. */
export async function logOutAnyway(): Promise<void> {
  await dropAllDrafts()
  await leave()
}

export function stayLoggedIn(): void {
  setAsking(false)
}

/** Whether the owner is being asked about the drafts. */
export function useIsAskingToLogOut(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAsking,
    () => false,
  )
}

/** Told to the server when it answers soon; then session storage is emptied and the page reloads. */
async function leave(): Promise<void> {
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

function setAsking(next: boolean): void {
  isAsking = next
  for (const listener of listeners) listener()
}
