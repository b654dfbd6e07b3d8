import { hash } from 'node:crypto'
import { setupFields } from '#contract/access/login.ts'
import { composed, isStorable } from '#contract/text.ts'
import { checkValues } from '#contract/validate.ts'
import { accessKind, raiseRevision } from '../db/revisions.ts'
import type { Executor, TableRow } from '../db/tables.ts'
import { Problem } from '../problem.ts'
import { passwordFault } from './password-rules.ts'

/** There is one owner, and so one row: the key makes a second one impossible. */
const onlyOwnerId = 'owner'

const ownerColumns = ['id', 'user_name', 'password', 'created_at', 'password_changed_at'] as const

export type Owner = Pick<TableRow<'owner'>, (typeof ownerColumns)[number]>

/**
 * Identifies one owner's account, whatever her user name is by now. A backup brings it back unchanged. It grants no
 * access.
 */
export function accountOf({ id, created_at }: Pick<Owner, 'id' | 'created_at'>): string {
  return hash('sha256', `${id}\n${created_at}`, 'base64url').slice(0, 22)
}

/** The form in which user names are stored and compared. */
export function canonicalName(userName: string): string {
  return composed(userName.trim().toLowerCase())
}

/** Undefined for any other name, and for texts that no database could hold. */
export async function findOwner(x: Executor, userName: string): Promise<Owner | undefined> {
  const name = canonicalName(userName)
  return x
    .selectFrom('owner')
    .select(ownerColumns)
    .where('user_name', '=', isStorable(name) ? name : '')
    .executeTakeFirst()
}

/** Undefined before the set-up. */
export async function readOwner(x: Executor): Promise<Owner | undefined> {
  return x.selectFrom('owner').select(ownerColumns).where('id', '=', onlyOwnerId).executeTakeFirst()
}

/** Undefined when there already is an owner, even one made at the same moment. */
export async function insertOwner(
  x: Executor,
  { userName, password, now }: { userName: string; password: string; now: Date },
): Promise<Owner | undefined> {
  return x
    .insertInto('owner')
    .values({
      id: onlyOwnerId,
      user_name: canonicalName(userName),
      password,
      created_at: now.toISOString(),
    })
    .onConflict((c) => c.doNothing())
    .returning(ownerColumns)
    .executeTakeFirst()
}

/** Stores a hash as the owner’s password and raises the revision of access; sessions are ended by the caller. */
export async function setPassword(
  x: Executor,
  ownerId: string,
  { password, now }: { password: string; now: Date },
): Promise<void> {
  const password_changed_at = now.toISOString()
  await x
    .updateTable('owner')
    .set({ password, password_changed_at })
    .where('id', '=', ownerId)
    .execute()
  await raiseRevision(x, accessKind)
}

type Credentials = Partial<Pick<Owner, 'user_name' | 'password' | 'password_changed_at'>>

/** Replaces exactly these stored credentials; of several callers at the same moment only one gets true. */
export async function replaceCredentials(
  x: Executor,
  owner: Owner,
  change: Credentials,
): Promise<boolean> {
  const isReplaced = await writeOver(x, owner, change)
  await raiseRevision(x, accessKind)
  return isReplaced
}

/** Whether exactly these credentials are stored; until the transaction ends, whoever wants to replace them waits. */
export function lockCredentials(x: Executor, owner: Owner): Promise<boolean> {
  return writeOver(x, owner, { password: owner.password })
}

async function writeOver(x: Executor, owner: Owner, change: Credentials): Promise<boolean> {
  const rows = await x
    .updateTable('owner')
    .set(change)
    .where('id', '=', owner.id)
    .where('user_name', '=', owner.user_name)
    .where('password', '=', owner.password)
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Throws 422 with a sentence per field. */
export function assertCredentials(userName: string, password: string): void {
  const checked = checkValues(setupFields, 'create', { userName, password })
  // A name that is too long is not analysed.
  const fault = passwordFault(password, checked.ok ? userName : '')
  const errors = {
    ...(fault !== undefined && { password: fault }),
    ...(!checked.ok && checked.errors),
  }
  if (Object.keys(errors).length > 0) throw new Problem('datos-no-validos', { errors })
}
