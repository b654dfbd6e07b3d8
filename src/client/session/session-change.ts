import type { Session } from '#contract/access/session.ts'
import { tabMemory } from '#client/browser/early/web-storage.ts'
import {
  getSession,
  isSomebody,
  loggedOut,
  onSession,
  sessionKeys,
  setSession,
} from '#client/data/session.ts'

/* What begins, renews and ends this tab's session: code that only the owner's browser asks for. */

let isInTab = true

/** Keeps the answer of a login: the entries in session storage replace earlier ones. */
export function logIn({ token, userName, authorities, account = '' }: Session): void {
  isInTab = tabMemory.set(sessionKeys.token, token)
  tabMemory.set(sessionKeys.userName, userName)
  tabMemory.set(sessionKeys.authorities, JSON.stringify(authorities))
  tabMemory.set(sessionKeys.account, account)
  setSession()
}

/** The owner signs in under another name from now on; the session goes on. */
export function renameSession(userName: string): void {
  tabMemory.set(sessionKeys.userName, userName)
  setSession({ ...getSession(), userName })
}

/** Whether the session outlives this page in its tab; where storage is closed it ends with the page. */
export function isSessionKept(): boolean {
  return isInTab
}

/** Asks for a new sign-in without leaving the page; called when a call that carried the token is answered 401. */
export function askToSignIn(): void {
  if (isSomebody(getSession())) setSession({ ...getSession(), isExpired: true })
}

/** The owner put the new sign-in off: whoever waits for it is told no, the page stays. */
export function postponeLogin(): void {
  setSession({ ...getSession(), isExpired: false, isPutOff: true })
}

/** Resolves once the owner has answered the request to sign in again: true with another session than the one refused. */
export function sessionRenewed(refusedToken?: string): Promise<boolean> {
  const { token, isExpired } = getSession()
  if (!isExpired) return Promise.resolve(token !== undefined && token !== refusedToken)
  return new Promise((resolve) => {
    const stop = onSession(() => {
      const now = getSession()
      if (now.isExpired) return
      stop()
      resolve(now.token !== undefined && now.token !== token)
    })
  })
}

/** Empties session storage, so that nobody is signed in. */
export function forgetSession(): void {
  tabMemory.clear()
  setSession(loggedOut)
}

let isLeaving = false

/** Whether this page is being loaded anew, so that nothing leads it elsewhere. */
export function isPageLeaving(): boolean {
  return isLeaving
}

/** Empties session storage and loads the page anew. */
export function leaveEmpty(): void {
  isLeaving = true
  forgetSession()
  // The router writes down where she scrolled on which of her pages as this one goes.
  addEventListener('pagehide', () => tabMemory.clear())
  location.reload()
}
