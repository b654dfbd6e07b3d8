import { randomUUID } from 'node:crypto'
import type { Passkey } from '#contract/access/access.ts'
import { accessKind, raiseRevision } from '../db/revisions.ts'
import type { Executor, TableRow } from '../db/tables.ts'

/** How many passkeys the owner may have. */
export const maxPasskeys = 20

/** The owner's passkeys, the oldest first. */
export async function listPasskeys(x: Executor, ownerId: string): Promise<readonly Passkey[]> {
  const rows = await passkeysOf(x, ownerId)
  return rows.map(({ id, name, created_at, used_at }) => ({
    id,
    name,
    createdAt: created_at,
    usedAt: used_at,
  }))
}

/** As they are stored. */
export function passkeysOf(x: Executor, ownerId: string): Promise<readonly TableRow<'passkey'>[]> {
  return x
    .selectFrom('passkey')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The passkey that an authenticator knows by this name, if it was made for that site. */
export function findPasskey(
  x: Executor,
  { credentialId, rpId }: { readonly credentialId: string; readonly rpId: string },
): Promise<TableRow<'passkey'> | undefined> {
  return x
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', rpId)
    .executeTakeFirst()
}

/** Stores a new passkey; undefined when that authenticator has one here already. */
export async function insertPasskey(
  x: Executor,
  row: Omit<TableRow<'passkey'>, 'id' | 'used_at'>,
): Promise<Passkey | undefined> {
  const id = randomUUID()
  const made = await x
    .insertInto('passkey')
    .values({ ...row, id, used_at: null })
    .onConflict((c) => c.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  await raiseRevision(x, accessKind)
  return made && { id, name: row.name, createdAt: row.created_at, usedAt: null }
}

/** Notes a use; false when the passkey is gone or was used with this count in the same moment. */
export async function markUsed(
  x: Executor,
  { id, counter: before }: Pick<TableRow<'passkey'>, 'id' | 'counter'>,
  { counter, now }: { readonly counter: number; readonly now: Date },
): Promise<boolean> {
  const rows = await x
    .updateTable('passkey')
    .set({ counter, used_at: now.toISOString() })
    .where('id', '=', id)
    .where('counter', '=', before)
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Gives a passkey another name; whether there is one of that id. */
export async function renamePasskey(x: Executor, id: string, name: string): Promise<boolean> {
  const rows = await x
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Removes a passkey; whether there was one of that id. */
export async function removePasskey(x: Executor, id: string): Promise<boolean> {
  await raiseRevision(x, accessKind)
  const rows = await x.deleteFrom('passkey').where('id', '=', id).returning('id').execute()
  return rows.length === 1
}

/** Removes all of them. */
export async function dropPasskeys(x: Executor, ownerId: string): Promise<void> {
  await x.deleteFrom('passkey').where('owner_id', '=', ownerId).execute()
}
