import { dayMs } from '#contract/durations.ts'
import type { OwnAccess } from '#contract/access/own-access.ts'
import type { Session } from '#contract/access/session.ts'
import { accessKind, raiseRevision } from '../db/revisions.ts'
import type { Db, Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../problem.ts'
import {
  changePassword,
  changeUserName,
  type NameChange,
  type PasswordChange,
} from './credential-change.ts'
import { createLogin, realPause, sessionOf, type LoginAttempt, type LoginOptions } from './login.ts'
import { issueLink, sweepLinks, type Issue, type LinkPurpose } from './one-time-link.ts'
import { assertCredentials, insertOwner, readOwner } from './owner.ts'
import { createPasswords, type Derive } from './password.ts'
import { sweepChallenges } from './passkey-challenges.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { linkPurpose, redeemLink, type Redemption } from './redeem.ts'
import {
  endKeeping,
  isStillKept,
  isOfSecret,
  keepSession,
  readKeptCookie,
  renewSession,
} from './kept-session.ts'
import { findSession, signInLeftBy, sweepSessions, type SessionInfo } from './session.ts'
import { closeSignIn, closeSignIns, listSignIns, type SignIn } from './sign-in.ts'
import { sweepThrottle } from '../api/throttle.ts'

export type { SessionInfo } from './session.ts'

/** Refusals are thrown as `Problem`. */
export interface Auth {
  /** A new session. Throws 401 for wrong credentials, 429 when throttled, 503 when too many wait. */
  login(attempt: LoginAttempt): Promise<Session>
  /** The living session of a token, undefined for any other text. */
  findSession(token: string): Promise<SessionInfo | undefined>
  /** Ends the sign-in that the session belongs to, in every tab of its device. */
  logout(session: SessionInfo): Promise<void>
  logoutOthers(session: SessionInfo): Promise<void>
  /** Every sign-in, the one used last first. */
  signIns(session: SessionInfo): Promise<readonly SignIn[]>
  /** Resolves to whether there was such a sign-in. */
  closeSignIn(id: string): Promise<boolean>
  /**
   * Keeps the session on its device and resolves to the value of the cookie that renews it. The session kept by the
   * cookie before ends.
   */
  keep(session: SessionInfo, cookieBefore: string): Promise<string>
  keepNoLonger(session: SessionInfo): Promise<void>
  /**
   * Opens a new session with the next cookie; undefined for a cookie that renews nothing, `overdue` for one that may once
   * the clock is set right.
   */
  renew(cookie: string): Promise<Renewed | 'overdue' | undefined>
  /**
   * Ends the sign-ins that a page left without a session: those of the revocations, and the one that the cookie
   * keeps.
   */
  endLeft(left: { readonly revocations: readonly string[]; readonly cookie: string }): Promise<void>
  /** Closes the other sessions too. Throws 422 for a wrong current or a weak new password, 429 when guessed too often. */
  changePassword(session: SessionInfo, change: PasswordChange): Promise<void>
  /** Closes the other sessions too; the name as it is stored. Throws like `changePassword`. */
  changeUserName(session: SessionInfo, change: NameChange): Promise<string>
  ownAccess(): Promise<OwnAccess>
  readonly passkeys: Passkeys
  ownerName(): Promise<string | undefined>
  hasOwner(): Promise<boolean>
  /** Whether it made the owner: false when there already is one. Throws 422 for a bad name or a weak password. */
  createOwner(credentials: Pick<LoginAttempt, 'userName' | 'password'>): Promise<boolean>
  /** The token of a new one-time link; earlier links for the same purpose stop working, unless it is issued besides. */
  issueLink(purpose: LinkPurpose, issue?: Issue): Promise<string>
  /** Undefined when the link is used, expired, unknown or of no use by now. */
  linkPurpose(token: string): Promise<LinkPurpose | undefined>
  /** Uses the link up and opens a session. Throws 404 for a dead link, 422 for bad fields. */
  redeemLink(redemption: Redemption): Promise<Session>
  /** Each deletes what has expired of one thing. Meant to run daily. */
  readonly sweeps: Readonly<Record<'links' | 'challenges' | 'throttle', () => Promise<void>>> & {
    /** Deletes those that had expired by then, or have by now. */
    sessions(asOf?: Date): Promise<void>
  }
}

interface Renewed {
  readonly session: Session
  readonly cookie: string
}

type AuthOptions = Omit<LoginOptions, 'passwords' | 'pause'> & {
  /** Tests watch the hashing and skip the waiting through these two. */
  readonly derive?: Derive
  readonly pause?: LoginOptions['pause']
}

/** Longer than any window by default; a count in a longer one is only forgotten early. */
const sweepThrottleAfterMs = 7 * dayMs

/**
 * Everything that proves who asks: passwords, passkeys, sessions and links. `derive` and `pause` are given so that
 * tests need not wait.
 */
export function createAuth({ derive, pause = realPause, ...given }: AuthOptions): Auth {
  const options = { ...given, pause, passwords: createPasswords(derive) }
  const { db, now, passwords } = options
  return {
    login: createLogin(options),
    findSession: (token) => findSession(db, token, now()),
    logout: async ({ signInId }) => void (await signOut(db, (t) => closeSignIn(t, signInId))),
    logoutOthers: ({ ownerId, signInId }) => signOut(db, (t) => closeSignIns(t, ownerId, signInId)),
    signIns: ({ ownerId }) => listSignIns(db, ownerId),
    closeSignIn: (id) => signOut(db, (t) => closeSignIn(t, id)),
    keep: (session, cookieBefore) => keep(options, session, cookieBefore),
    keepNoLonger: ({ signInId }) => endKeeping(db, signInId),
    renew: (cookie) => renew(options, cookie),
    endLeft: (left) => endLeft(options, left),
    passkeys: createPasskeys(options),
    changePassword: (session, change) => changePassword(options, session, change),
    changeUserName: (session, change) => changeUserName(options, session, change),
    async ownAccess() {
      const owner = await readOwner(db)
      if (!owner) throw new Problem('no-encontrado')
      return { userName: owner.user_name, passwordChangedAt: owner.password_changed_at }
    },
    ownerName: async () => (await readOwner(db))?.user_name,
    hasOwner: async () => (await readOwner(db)) !== undefined,
    async createOwner({ userName, password }) {
      assertCredentials(userName, password)
      const hashed = await passwords.hash(password)
      const owner = await insertOwner(db, { userName, password: hashed, now: now() })
      return owner !== undefined
    },
    issueLink: (purpose, issue) => issueLink(db, purpose, now(), issue),
    linkPurpose: (token) => linkPurpose(options, token),
    redeemLink: (redemption) => redeemLink(options, redemption),
    sweeps: {
      sessions: (asOf = now()) => sweepSessions(db, asOf),
      links: () => sweepLinks(db, now()),
      challenges: () => sweepChallenges(db, now()),
      throttle: () => sweepThrottle(db, new Date(now().getTime() - sweepThrottleAfterMs)),
    },
  }
}

async function keep(
  { db, now }: LoginOptions,
  { signInId }: SessionInfo,
  cookieBefore: string,
): Promise<string> {
  return transact(db, async (t) => {
    const before = await keptBy(t, cookieBefore)
    if (before !== undefined && before !== signInId) await closeSignIn(t, before)
    return keepSession(t, signInId, now())
  })
}

/** Counted, so that a session that she has ended is missed where its end is lost. First, as where a password is changed. */
function signOut<T>(db: Db, close: (t: Executor) => Promise<T>): Promise<T> {
  return transact(db, async (t) => {
    await raiseRevision(t, accessKind)
    return close(t)
  })
}

/** The sign-in that a cookie keeps. */
async function keptBy(x: LoginOptions['db'], cookie: string): Promise<string | undefined> {
  const given = readKeptCookie(cookie)
  return given && (await isOfSecret(x, given)) ? given.signInId : undefined
}

async function renew({ db, now, log }: LoginOptions, cookie: string): ReturnType<Auth['renew']> {
  const given = readKeptCookie(cookie)
  if (!given || !(await isStillKept(db, given))) return undefined
  const renewal = await transact(db, (t) => renewSession(t, given, now()))
  if (renewal.is === 'replayed') log('kept-session-replayed', { signIn: given.signInId })
  if (renewal.is === 'overdue') return 'overdue'
  if (renewal.is !== 'renewed') return undefined
  const owner = await readOwner(db)
  return owner && { session: sessionOf(owner, renewal.token), cookie: renewal.cookie }
}

async function endLeft(
  { db }: LoginOptions,
  { revocations, cookie }: Parameters<Auth['endLeft']>[0],
): Promise<void> {
  // The rows are looked up before anything is locked, so that a stranger's guesses lock nothing.
  const named = [keptBy(db, cookie), ...revocations.map((left) => signInLeftBy(db, left))]
  for (const id of await Promise.all(named)) {
    if (id !== undefined) await signOut(db, (t) => closeSignIn(t, id))
  }
}
