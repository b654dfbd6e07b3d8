import { setupFields } from '#contract/login.ts'
import { isStorable } from '#contract/text.ts'
import { checkDraft } from '#contract/validate.ts'
import type { Executor, Row } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import { passwordFault } from './password-rules.ts'

/** There is one owner, and so one row: the key makes a second one impossible. */
const onlyOwnerId = 'owner'

export type Owner = Pick<Row<'owner'>, 'id' | 'user_name' | 'password'>

/** The form in which user names are stored and compared. */
export function canonicalName(userName: string): string {
  return userName.trim().toLowerCase().normalize('NFC')
}

/** The owner, if that is the user name; a text no database could hold names nobody. */
export async function findOwner(x: Executor, userName: string): Promise<Owner | undefined> {
  const name = canonicalName(userName)
  return x
    .selectFrom('owner')
    .select(['id', 'user_name', 'password'])
    .where('user_name', '=', isStorable(name) ? name : '')
    .executeTakeFirst()
}

/** The owner, undefined before the set-up. */
export async function readOwner(x: Executor): Promise<Owner | undefined> {
  return x
    .selectFrom('owner')
    .select(['id', 'user_name', 'password'])
    .where('id', '=', onlyOwnerId)
    .executeTakeFirst()
}

/** The new owner's row; undefined when there already is an owner, even one made in the same moment. */
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
    .returning(['id', 'user_name', 'password'])
    .executeTakeFirst()
}

export async function setPassword(x: Executor, ownerId: string, password: string): Promise<void> {
  await x.updateTable('owner').set({ password }).where('id', '=', ownerId).execute()
}

/** Throws 422, with a sentence per field, for a user name or password the owner cannot have. */
export function assertCredentials(userName: string, password: string): void {
  const checked = checkDraft(setupFields, 'create', { userName, password })
  const fault = passwordFault(password, userName)
  const errors = {
    ...(fault !== undefined && { password: fault }),
    ...(!checked.ok && checked.errors),
  }
  if (Object.keys(errors).length > 0) throw new Problem('datos-no-validos', { errors })
}
