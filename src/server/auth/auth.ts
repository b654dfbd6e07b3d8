import { loginTexts } from '#contract/login.ts'
import type { Session } from '#contract/session.ts'
import { Problem } from '../http/problem.ts'
import { createLogin, realPause, refuseFor, type LoginAttempt, type LoginParts } from './login.ts'
import { dropLinks, issueLink, sweepLinks, type LinkPurpose } from './one-time-link.ts'
import { assertCredentials, insertOwner, readOwner, setPassword, type Owner } from './owner.ts'
import { createPasswords, type Derive } from './password.ts'
import { passwordFault } from './password-rules.ts'
import { linkPurpose, redeemLink, type Redemption } from './redeem.ts'
import {
  closeSession,
  closeSessions,
  findSession,
  sweepSessions,
  type SessionInfo,
} from './session.ts'
import { forget, hit, sweepThrottle } from './throttle.ts'

export type { SessionInfo } from './session.ts'

interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
}

/** Everything about the owner's access. Refusals are thrown as `Problem`. */
export interface Auth {
  /** A new session. Throws 401 for wrong credentials, 429 when throttled, 503 when too many wait. */
  login(attempt: LoginAttempt): Promise<Session>
  /** The living session of a token, undefined for any other text. */
  findSession(token: string): Promise<SessionInfo | undefined>
  logout(session: SessionInfo): Promise<void>
  logoutOthers(session: SessionInfo): Promise<void>
  /** Closes the other sessions too. Throws 422 for a wrong current or a weak new password, 429 when guessed too often. */
  changePassword(session: SessionInfo, change: PasswordChange): Promise<void>
  /** The name of the owner, undefined while there is none. */
  ownerName(): Promise<string | undefined>
  hasOwner(): Promise<boolean>
  /** Whether it made the owner: false when there already is one. Throws 422 for a bad name or a weak password. */
  createOwner(credentials: Pick<LoginAttempt, 'userName' | 'password'>): Promise<boolean>
  /** The token of a new one-time link; earlier links for the same purpose stop working. */
  issueLink(purpose: LinkPurpose): Promise<string>
  /** What the link is for, undefined when it is used, expired, unknown or pointless by now. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Uses the link up and opens a session. Throws 404 for a dead link, 422 for bad fields. */
  redeemLink(redemption: Redemption): Promise<Session>
  /** Deletes what has expired: sessions, links, throttle counts. Meant to run daily. */
  sweep(): Promise<void>
}

type AuthParts = Omit<LoginParts, 'passwords' | 'pause'> & {
  /** Tests watch the hashing and skip the waiting through these two. */
  readonly derive?: Derive
  readonly pause?: LoginParts['pause']
}

/** Longer than any window by default; a count in a longer one is only forgotten early. */
const sweepThrottleAfterMs = 7 * 24 * 60 * 60_000

/** The owner's access on a database. */
export function createAuth({ derive, pause = realPause, ...given }: AuthParts): Auth {
  const parts = { ...given, pause, passwords: createPasswords(derive) }
  const { db, now, passwords } = parts
  return {
    login: createLogin(parts),
    findSession: (token) => findSession(db, token, now()),
    logout: ({ tokenHash }) => db.transaction().execute((t) => closeSession(t, tokenHash)),
    logoutOthers: ({ ownerId, tokenHash }) => closeSessions(db, ownerId, tokenHash),
    changePassword: (session, change) => changePassword(parts, session, change),
    ownerName: async () => (await readOwner(db))?.user_name,
    hasOwner: async () => (await readOwner(db)) !== undefined,
    async createOwner({ userName, password }) {
      assertCredentials(userName, password)
      const hashed = await passwords.hash(password)
      const owner = await insertOwner(db, { userName, password: hashed, now: now() })
      return owner !== undefined
    },
    issueLink: (purpose) => issueLink(db, purpose, now()),
    linkPurpose: (token) => linkPurpose(parts, token),
    redeemLink: (redemption) => redeemLink(parts, redemption),
    async sweep() {
      await sweepSessions(db, now())
      await sweepLinks(db, now())
      await sweepThrottle(db, new Date(now().getTime() - sweepThrottleAfterMs))
    },
  }
}

async function changePassword(
  { db, now, log, limits, passwords }: LoginParts,
  session: SessionInfo,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const fault = passwordFault(newPassword, session.userName)
  if (fault !== undefined) refuseField('newPassword', fault)
  // Whoever holds a stolen session could otherwise guess the password with it.
  const key = `password:${session.ownerId}`
  const verdict = await hit(db, key, { ...limits.login, now: now() })
  if (!verdict.allowed) refuseFor(verdict.retryAfterS)
  const owner = await readOwner(db)
  if (!owner || !(await passwords.verify(currentPassword, owner.password))) {
    refuseField('currentPassword', loginTexts.wrong)
  }
  await replacePassword(db, { ...session, password: await passwords.hash(newPassword), owner })
  await forget(db, key)
  log('password-changed')
}

async function replacePassword(
  db: LoginParts['db'],
  { owner, password, tokenHash }: { owner: Owner; password: string; tokenHash: string },
): Promise<void> {
  await db.transaction().execute(async (t) => {
    await setPassword(t, owner.id, password)
    await closeSessions(t, owner.id, tokenHash)
    await dropLinks(t, 'reset')
  })
}

function refuseField(name: keyof PasswordChange, mensaje: string): never {
  throw new Problem('datos-no-validos', { errors: { [name]: mensaje } })
}
