import { hash } from 'node:crypto'
import { dayMs } from '#contract/durations.ts'
import type { Executor } from '../db/tables.ts'

/** A device that was not opened for so long has another address by then. */
const keptMs = 90 * dayMs
const most = 200

/** Remembers the address for ninety days, beside at most 199 others. */
export async function rememberRemoved(x: Executor, addressKey: string, now: Date): Promise<void> {
  const removed_at = now.toISOString()
  await x
    .insertInto('removed_device')
    .values({ address_hash: hashOf(addressKey), removed_at })
    .onConflict((c) => c.column('address_hash').doUpdateSet({ removed_at }))
    .execute()
  await x.deleteFrom('removed_device').where('removed_at', '<=', oldest(now)).execute()
  await x
    .deleteFrom('removed_device')
    .where('address_hash', 'not in', (q) =>
      q
        .selectFrom('removed_device')
        .select('address_hash')
        .orderBy('removed_at', 'desc')
        .orderBy('address_hash')
        .limit(most),
    )
    .execute()
}

/** Whether the owner removed the device with this address lately, so that it must not enter again by itself. */
export async function isRemoved(x: Executor, addressKey: string, now: Date): Promise<boolean> {
  const row = await x
    .selectFrom('removed_device')
    .select('address_hash')
    .where('address_hash', '=', hashOf(addressKey))
    .where('removed_at', '>', oldest(now))
    .executeTakeFirst()
  return row !== undefined
}

/** Called when the owner turns notifications on there again. */
export async function forgetRemoved(x: Executor, addressKey: string): Promise<void> {
  await x.deleteFrom('removed_device').where('address_hash', '=', hashOf(addressKey)).execute()
}

function hashOf(addressKey: string): string {
  return hash('sha256', addressKey, 'base64url')
}

function oldest(now: Date): string {
  return new Date(now.getTime() - keptMs).toISOString()
}
