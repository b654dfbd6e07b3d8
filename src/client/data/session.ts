import { adminRole, roleName } from '#contract/access/session.ts'
import { localMemory, tabMemory } from '#client/browser/early/web-storage.ts'
import { createStore, useStore } from '#client/ui/store.ts'

/**
 * Who is signed in on this tab. Without a token nobody is; where the owner keeps her session on the device, a tab that has
 * none yet already shows her tools.
 */
interface SessionState {
  readonly token: string | undefined
  readonly userName: string
  readonly roles: readonly string[]
  /** Whose session it is, whatever the name; empty where an earlier version of the product kept it. */
  readonly account: string
  /** The server no longer knows the token: the owner is asked to sign in again over the page. */
  readonly isExpired: boolean
}

/** The entries in session storage. */
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
/** Says whose session is kept on this device: account and name, apart by a space; also looked at before the application runs. */
export const keptMark = 'tintero-kept'

const store = createStore<SessionState | undefined>(undefined)
let first: SessionState | undefined

/** The session of this tab, read from session storage once and then kept. */
export function getSession(): SessionState {
  return store.get() ?? (first ??= readTab())
}

/** The session as React state; server and hydration always see nobody signed in. */
export function useSession(): SessionState {
  return useStore({ get: getSession, subscribe: onSession }, loggedOut)
}

/** Whether the session's role opens the owner's pages. */
export function isAdmin(session: SessionState): boolean {
  return session.roles.includes(adminRole)
}

/** Whether somebody is signed in, whatever her role, or is about to be without a word of hers. */
export function isSomebody({ token, roles }: SessionState): boolean {
  return token !== undefined || roles.length > 0
}

/** Whether one of a route's expected roles (`admin`) is among the session's. */
export function hasRole(session: SessionState, expected: readonly string[]): boolean {
  return expected.some((role) => session.roles.includes(roleName(role)))
}

/** Calls back after every change of the session; returns how to stop. */
export function onSession(listener: () => void): () => void {
  return store.subscribe(listener)
}

/** Puts another session in the place of this tab's, or what session storage holds by now. */
export function setSession(next = readTab()): void {
  store.set(next)
}

function readTab(): SessionState {
  const token = tabMemory.get(sessionKeys.token)
  if (token === undefined || token === '') {
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
    return Array.isArray(list) ? list.map(roleOf).filter((role) => role !== '') : []
  } catch {
    return [] // entries written by hand or by another version give no role
  }
}

function roleOf(item: unknown): string {
  const authority =
    typeof item === 'object' && item !== null && 'authority' in item ? item.authority : undefined
  return typeof authority === 'string' ? authority : ''
}

/** Whether the owner keeps her session on this device. */
export function isKept(): boolean {
  return localMemory.get(keptMark) !== undefined
}
