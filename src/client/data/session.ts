import { adminRole } from '#contract/access/session.ts'
import { localMemory, tabMemory } from '#client/browser/early/web-storage.ts'
import { createStore, useStore } from '#client/ui/store.ts'

/**
 * Without a token nobody is signed in; where the owner keeps her session on the device, a tab without a token already
 * shows her tools.
 */
interface SessionState {
  readonly token: string | undefined
  readonly userName: string
  readonly roles: readonly string[]
  /** The account, whatever the name; empty where an earlier version of the product kept the session. */
  readonly account: string
  /** The server no longer knows the token: a dialog over the page asks the owner to sign in again. */
  readonly isExpired: boolean
  /** The owner closed that dialog. */
  readonly isPutOff?: boolean
}

export const sessionKeys = {
  token: 'authToken',
  userName: 'userName',
  authorities: 'authorities',
  account: 'account',
} as const
export const loggedOut: SessionState = {
  token: undefined,
  userName: '',
  roles: [],
  account: '',
  isExpired: false,
}
/** Holds account and name, separated by a space; the inline script reads it before the application runs. */
export const keptMark = 'tintero-kept'

const store = createStore<SessionState | undefined>(undefined)
let first: SessionState | undefined

/** The session of this tab; with no roles for visitors. */
export function getSession(): SessionState {
  return store.get() ?? (first ??= readTab())
}

/** Server and hydration always see nobody signed in. */
export function useSession(): SessionState {
  return useStore({ get: getSession, subscribe: onSession }, loggedOut)
}

/** Whether the session is the owner's. */
export function isAdmin(session: SessionState): boolean {
  return session.roles.includes(adminRole)
}

/** True for any role, and while a kept session is being renewed. */
export function isSomebody({ token, roles }: SessionState): boolean {
  return token !== undefined || roles.length > 0
}

/** Returns how to stop. */
export function onSession(listener: () => void): () => void {
  return store.subscribe(listener)
}

/** By default, reads again what session storage holds. */
export function setSession(next = readTab()): void {
  store.set(next)
}

function readTab(): SessionState {
  const token = tabMemory.get(sessionKeys.token)
  if (!token) {
    const [account = '', userName = ''] = localMemory.get(keptMark)?.split(' ') ?? []
    return isKept() ? { ...loggedOut, roles: [adminRole], account, userName } : loggedOut
  }
  const userName = tabMemory.get(sessionKeys.userName) ?? ''
  const roles = parseRoles(tabMemory.get(sessionKeys.authorities))
  const account = tabMemory.get(sessionKeys.account) ?? ''
  return { token, userName, roles, account, isExpired: false }
}

function parseRoles(stored = '[]'): readonly string[] {
  try {
    const list: unknown = JSON.parse(stored)
    return Array.isArray(list) ? list.map(roleOf).filter(Boolean) : []
  } catch {
    return [] // entries written by hand or by another version give no role
  }
}

function roleOf(item: unknown): string {
  const authority = (item as { readonly authority?: unknown } | null)?.authority
  return typeof authority === 'string' ? authority : ''
}

/** Whether this browser keeps a session beyond its tabs. */
export function isKept(): boolean {
  return localMemory.get(keptMark) !== undefined
}
