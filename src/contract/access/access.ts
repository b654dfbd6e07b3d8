import type { Session } from './session.ts'

/** Paths of the calls about the owner's access; apart from `api.ts`, so that visitors carry no names of them. */
export const accessCalls = {
  /** Renews a kept session; the cookie goes here and to what lies below, and nowhere else. */
  kept: 'auth/kept',
  keep: 'auth/kept/start',
  keepNoLonger: 'auth/kept/stop',
  /** Ends what was signed out without a connection. */
  endLeft: 'auth/kept/end',
  sessions: 'auth/sessions',
  /** What the owner signs in with, and changing the name. */
  own: 'auth/own',
  userName: 'auth/own/name',
  /** The owner's passkeys, and adding one. */
  passkeys: 'auth/passkeys',
  passkeyOptions: 'auth/passkeys/options',
  /** Signing in with one: what to sign, and the signature. */
  passkeyChallenge: 'auth/passkey/options',
  passkeySignIn: 'auth/passkey',
} as const

/** One signing in, as it stands in the owner's list. */
export interface OpenSession {
  readonly id: string
  /** Browser and system, in words. */
  readonly label: string
  readonly createdAt: string
  readonly seenAt: string
  readonly isKept: boolean
  /** Whether it is the one that asks. */
  readonly isOwn: boolean
}

/** A key that signs the owner in beside her password, as it stands in her list. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}

/** How long the name of a passkey may be, in code points. */
export const maxPasskeyName = 60

/** How many signings out one device sends at once. */
export const maxLeft = 10

/**
 * Sets apart what a page leaves of its token when it signs out without a connection: the digest (UUID version 5) of the
 * token in this namespace ends the session at the server and opens nothing.
 */
export const revocationNamespace = '1d0b6d3e-0b53-4f0c-8a53-5b3f6d7c2a41'

/** The answer of a sign-in or a renewal. Throws on anything else. */
export function parseSession(json: unknown): Session {
  const { token, userName, authorities, account } = (json ?? {}) as Partial<
    Record<keyof Session, unknown>
  >
  if (typeof token !== 'string' || typeof userName !== 'string' || !Array.isArray(authorities)) {
    throw new TypeError('a login answered without a session')
  }
  return {
    token,
    userName,
    authorities: authorities as Session['authorities'],
    account: typeof account === 'string' ? account : '',
  }
}
