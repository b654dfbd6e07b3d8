import { randomUUID } from 'node:crypto'
import type { Passkey } from '#contract/access/access.ts'
import { accessKind, raiseRevision } from '../db/revisions.ts'
import type { Executor, TableRow } from '../db/tables.ts'

export const maxPasskeys = 20

/** The oldest first. */
export async function listPasskeys(x: Executor, ownerId: string): Promise<readonly Passkey[]> {
  const rows = await passkeysOf(x, ownerId)
  return rows.map(({ id, name, created_at, used_at }) => ({
    id,
    name,
    createdAt: created_at,
    usedAt: used_at,
  }))
}

/** The owner’s passkeys, the oldest first. */
export function passkeysOf(x: Executor, ownerId: string): Promise<readonly TableRow<'passkey'>[]> {
  return x
    .selectFrom('passkey')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Finds by the authenticator's own id, among those made for that site. */
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

/** Undefined when that authenticator has a passkey here already; the revision of access is for the caller to raise. */
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
  return made && { id, name: row.name, createdAt: row.created_at, usedAt: null }
}

/** False when the passkey is gone or was used with this count at the same moment. */
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

/** False when there is none of that id. */
export async function renamePasskey(x: Executor, id: string, name: string): Promise<boolean> {
  const rows = await x
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .returning('id')
    .execute()
  return rows.length === 1
}

/** False when there was none of that id. */
export async function removePasskey(x: Executor, id: string): Promise<boolean> {
  await raiseRevision(x, accessKind)
  const rows = await x.deleteFrom('passkey').where('id', '=', id).returning('id').execute()
  return rows.length === 1
}

/** Removes all passkeys of the owner. */
export async function dropPasskeys(x: Executor, ownerId: string): Promise<void> {
  await x.deleteFrom('passkey').where('owner_id', '=', ownerId).execute()
}
