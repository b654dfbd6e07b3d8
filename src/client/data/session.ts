import { useSyncExternalStore } from 'react'
import { adminRole, roleName, type Session } from '#contract/session.ts'

/** Who is signed in on this tab; without a token nobody is. */
export interface SessionState {
  readonly token: string | undefined
  readonly userName: string
  readonly roles: readonly string[]
  /** The server no longer knows the token: the owner is asked to sign in again over the page. */
  readonly isExpired: boolean
}

const keys = { token: 'authToken', userName: 'userName', authorities: 'authorities' } as const
const loggedOut: SessionState = { token: undefined, userName: '', roles: [], isExpired: false }

const listeners = new Set<() => void>()
let waiting: ((renewed: boolean) => void)[] = []
let state: SessionState | undefined

/** The session of this tab, read from session storage once and then kept. */
export function getSession(): SessionState {
  state ??= typeof sessionStorage === 'undefined' ? loggedOut : readStorage(sessionStorage)
  return state
}

/** The session as React state; server and hydration always see nobody signed in. */
export function useSession(): SessionState {
  return useSyncExternalStore(onSession, getSession, () => loggedOut)
}

/** Whether the session's role opens the owner's pages. */
export function isAdmin(session: SessionState): boolean {
  return session.token !== undefined && session.roles.includes(adminRole)
}

/** Whether one of a route's expected roles (`admin`) is among the session's. */
export function hasRole(session: SessionState, expected: readonly string[]): boolean {
  return (
    session.token !== undefined && expected.some((role) => session.roles.includes(roleName(role)))
  )
}

/** Keeps the answer of a login: the three entries in session storage replace earlier ones. */
export function logIn({ token, userName, authorities }: Session): void {
  sessionStorage.setItem(keys.token, token)
  sessionStorage.setItem(keys.userName, userName)
  sessionStorage.setItem(keys.authorities, JSON.stringify(authorities))
  set(readStorage(sessionStorage))
  settle(true)
}

/** Asks for a new sign-in without leaving the page; called when a call that carried the token is answered 401. */
export function expire(): void {
  if (getSession().token !== undefined) set({ ...getSession(), isExpired: true })
}

/** The owner put the new sign-in off: whoever waits for it is told no, the page stays. */
export function postponeLogin(): void {
  set({ ...getSession(), isExpired: false })
  settle(false)
}

/** Resolves once the owner has answered the request to sign in again: true with a new session. */
export function sessionRenewed(): Promise<boolean> {
  if (!getSession().isExpired) return Promise.resolve(false)
  return new Promise((resolve) => waiting.push(resolve))
}

/** Empties session storage, so that nobody is signed in. */
export function forgetSession(): void {
  sessionStorage.clear()
  set(loggedOut)
  settle(false)
}

function settle(renewed: boolean): void {
  const asked = waiting
  waiting = []
  for (const resolve of asked) resolve(renewed)
}

/** Calls back after every change of the session; returns how to stop. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function readStorage(storage: Storage): SessionState {
  const token = storage.getItem(keys.token) ?? undefined
  if (token === undefined || token === '') return loggedOut
  const userName = storage.getItem(keys.userName) ?? ''
  return { token, userName, roles: parseRoles(storage.getItem(keys.authorities)), isExpired: false }
}

function parseRoles(stored: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
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
