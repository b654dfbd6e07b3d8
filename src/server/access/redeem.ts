import type { Session } from '#contract/access/session.ts'
import type { Db } from '../db/tables.ts'
import { dropSample } from '../db/sample.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../problem.ts'
import type { Log } from '../log.ts'
import { startSession } from './login.ts'
import { findLink, spendLink, type LinkPurpose } from './one-time-link.ts'
import { assertCredentials, insertOwner, readOwner, setPassword, type Owner } from './owner.ts'
import { dropPasskeys } from './passkey-store.ts'
import type { Passwords } from './password.ts'
import { closeSignIns } from './sign-in.ts'

export interface Redemption {
  readonly token: string
  readonly password: string
  /** Needed by a set-up link; a reset link leaves the name as it is. */
  readonly userName: string
  /** Whether the sample content stays; only a set-up link asks. */
  readonly keepSample: boolean
  /** What the owner recognises the device by in her list. */
  readonly device?: string
}

interface RedeemOptions {
  readonly db: Db
  readonly now: () => Date
  readonly log: Log
  readonly passwords: Passwords
}

/** Undefined for a set-up link once there is an owner, and for a reset link while there is none. */
export async function linkPurpose(
  { db, now }: Pick<RedeemOptions, 'db' | 'now'>,
  token: string,
): Promise<LinkPurpose | undefined> {
  const purpose = await findLink(db, token, now())
  const hasOwner = (await readOwner(db)) !== undefined
  return purpose !== undefined && (purpose === 'reset') === hasOwner ? purpose : undefined
}

/**
 * Sets the site up or resets its password with a one-time link, and signs in. Throws `Problem` 404 for a link that is
 * unknown, used or ended.
 */
export async function redeemLink(options: RedeemOptions, redemption: Redemption): Promise<Session> {
  const { db, now, log, passwords } = options
  const purpose = await linkPurpose(options, redemption.token)
  if (purpose === undefined) throw new Problem('no-encontrado')
  const userName = purpose === 'setup' ? redemption.userName : (await readOwner(db))?.user_name
  assertCredentials(userName ?? '', redemption.password)
  // Hashed before the transaction, which would keep every other writer waiting meanwhile.
  const password = await passwords.hash(redemption.password)
  const session = await transact(db, async (t) => {
    if (!(await spendLink(t, redemption.token, now()))) throw new Problem('no-encontrado')
    const change = { ...redemption, password, now: now() }
    const owner = await (purpose === 'setup' ? setUp(t, change) : reset(t, change))
    return startSession(t, { owner, device: redemption.device ?? '', now: now() })
  })
  log('link-used', { purpose })
  return session
}

type Change = Redemption & { readonly now: Date }

async function setUp(t: Db, change: Change): Promise<Owner> {
  const owner = await insertOwner(t, change)
  if (!owner) throw new Problem('no-encontrado')
  if (!change.keepSample) await dropSample(t)
  return owner
}

/** A forgotten password may be in the hands of somebody who added a passkey, so all passkeys end with every session. */
async function reset(t: Db, change: Change): Promise<Owner> {
  const owner = await readOwner(t)
  if (!owner) throw new Problem('no-encontrado')
  await setPassword(t, owner.id, change)
  // First: whoever signs in with one in this moment is waited for, and signed out with the others.
  await dropPasskeys(t, owner.id)
  await closeSignIns(t, owner.id)
  return owner
}
