import type { Session } from '#contract/login.ts'
import type { Row } from '../db/tables.ts'

/** Who makes a call, as far as the server knows. */
export interface SessionInfo {
  readonly ownerId: string
  readonly userName: string
  readonly role: string
  /** SHA-256 of the token, in hex: the token itself is kept nowhere. */
  readonly tokenHash: string
}

export type LinkPurpose = Row<'one_time_link'>['purpose']

export interface Credentials {
  readonly userName: string
  readonly password: string
}

export interface Redemption {
  readonly token: string
  readonly password: string
  /** Needed by a set-up link; a reset link leaves the name as it is. */
  readonly userName?: string
  /** Whether the sample content stays; only a set-up link asks. */
  readonly keepSample?: boolean
}

/** Everything about the owner's access. Refusals are thrown as `Problem`. */
export interface Auth {
  /** A new session. Throws 401 for wrong credentials, 429 when throttled, 503 when too many wait. */
  login(attempt: Credentials & { readonly address: string }): Promise<Session>
  /** The living session of a token, undefined for any other text. */
  findSession(token: string): Promise<SessionInfo | undefined>
  logout(session: SessionInfo): Promise<void>
  logoutOthers(session: SessionInfo): Promise<void>
  /** Closes the other sessions too. Throws 422 for a wrong current or a weak new password. */
  changePassword(
    session: SessionInfo,
    change: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<void>
  /** The name of the owner, undefined while there is none. */
  ownerName(): Promise<string | undefined>
  hasOwner(): Promise<boolean>
  /** Throws 422 for a bad name or a weak password, 404 when there already is an owner. */
  createOwner(credentials: Credentials): Promise<void>
  /** The token of a new one-time link; earlier links for the same purpose stop working. */
  issueLink(purpose: LinkPurpose): Promise<string>
  /** What the link is for, undefined when it is used, expired, unknown or pointless by now. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Uses the link up and opens a session. Throws 404 for a dead link, 422 for bad fields. */
  redeemLink(redemption: Redemption): Promise<Session>
  /** Deletes what has expired: sessions, links, throttle counts. Meant to run daily. */
  sweep(): Promise<void>
}
