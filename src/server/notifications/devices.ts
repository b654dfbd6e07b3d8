import { v7 as newId } from 'uuid'
import {
  maxDevices,
  type Device,
  type FailedPush,
  type PushAddress,
} from '#contract/notifications/push.ts'
import { deviceKind, raiseRevision } from '../db/revisions.ts'
import { lockFact } from '../db/site-facts.ts'
import type { Executor, TableRow } from '../db/tables.ts'
import { forgetRemoved, isRemoved, rememberRemoved } from './removed-devices.ts'

/** No answer carries the address. */
export interface KnownDevice extends Device {
  readonly address: PushAddress
}

interface NewDevice {
  readonly address: PushAddress
  readonly label: string
  /** The sign-in that asks for it. */
  readonly signInId: string
  /** The page renews its address, without the owner asking for it now. */
  readonly heal: boolean
  readonly now: Date
}

/** Oldest first. */
export async function listDevices(x: Executor): Promise<readonly KnownDevice[]> {
  const rows = await x.selectFrom('device').selectAll().orderBy('id').execute()
  return rows.map(toDevice)
}

/** The device with this id. */
export async function findDevice(x: Executor, id: string): Promise<KnownDevice | undefined> {
  const row = await x.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDevice(row)
}

type Saved = { readonly device: KnownDevice; readonly isNew: boolean } | 'full' | 'removed'

/**
 * Updates a device with a known address and forgets its trouble. A device that the owner took off her list comes back
 * only when she turns it on again.
 */
export async function saveDevice(x: Executor, device: NewDevice): Promise<Saved> {
  const { address, label, signInId, heal, now } = device
  const values = { address: JSON.stringify(address), label, sign_in_id: signInId, trouble: '' }
  const key = addressKeyOf(address)
  // Whoever adds one in this moment is waited for: two tabs of one browser are one device, and the last place is given once.
  await lockFact(x, 'adding-devices', '')
  if (!heal) {
    await raiseRevision(x, deviceKind)
    await forgetRemoved(x, key)
  }
  const known = await x
    .updateTable('device')
    .set(values)
    .where('address_key', '=', key)
    .returningAll()
    .executeTakeFirst()
  if (known) return { device: toDevice(known), isNew: false }
  // Only now: whoever takes it off the list in this moment holds the row that was just looked for.
  if (heal && (await isRemoved(x, key, now))) return 'removed'
  const { count } = await x
    .selectFrom('device')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxDevices) return 'full'
  const row = await x
    .insertInto('device')
    .values({
      ...values,
      id: newId(),
      kind: address.kind,
      address_key: key,
      created_at: now.toISOString(),
      last_sent_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { device: toDevice(row), isNew: true }
}

/** Also deletes its waiting notifications; resolves to whether there was one. */
export async function removeDevice(x: Executor, id: string): Promise<boolean> {
  const removed = await x.deleteFrom('device').where('id', '=', id).returning('id').execute()
  return removed.length > 0
}

/** Like `removeDevice`, by the owner: the device does not put itself back on the list. */
export async function takeOffList(x: Executor, id: string, now: Date): Promise<boolean> {
  const device = await findDevice(x, id)
  if (!device) return false
  await raiseRevision(x, deviceKind)
  await rememberRemoved(x, addressKeyOf(device.address), now)
  return removeDevice(x, id)
}

/** Notes that a push service took a notification for this device, which ends its trouble. */
export async function noteSent(x: Executor, id: string, now: Date): Promise<void> {
  await x
    .updateTable('device')
    .set({ last_sent_at: now.toISOString(), trouble: '' })
    .where('id', '=', id)
    .execute()
}

/** Notes why a device could not be rung, in the sentence that its owner reads. */
export async function noteTrouble(x: Executor, id: string, trouble: string): Promise<void> {
  await x.updateTable('device').set({ trouble }).where('id', '=', id).execute()
}

/** Newest first. */
export async function listFailed(x: Executor): Promise<readonly FailedPush[]> {
  const rows = await failedJobs(x)
    .innerJoin('device', 'device.id', 'job.device_id')
    .select(['job.id', 'job.payload', 'job.why', 'job.created_at', 'device.label'])
    .orderBy('job.id', 'desc')
    .execute()
  return rows.map(({ id, payload, why, created_at: at, label: device }) => {
    const { title: what } = JSON.parse(payload) as { readonly title: string }
    return { id, what, device, why, at }
  })
}

/** Makes the notification due again; resolves to whether there was one. */
export async function retryFailed(x: Executor, id: string, now: Date): Promise<boolean> {
  const retried = await x
    .updateTable('job')
    .set({ state: 'pending', attempts: 0, due_at: now.toISOString() })
    .where('id', '=', id)
    .where('kind', '=', 'push')
    .where('state', '=', 'dead')
    .returning('id')
    .execute()
  return retried.length > 0
}

/** Resolves to whether there was one. */
export async function dropFailed(x: Executor, id: string): Promise<boolean> {
  const dropped = await x
    .deleteFrom('job')
    .where('id', '=', id)
    .where('kind', '=', 'push')
    .where('state', '=', 'dead')
    .returning('id')
    .execute()
  return dropped.length > 0
}

function failedJobs(x: Executor) {
  return x.selectFrom('job').where('job.kind', '=', 'push').where('job.state', '=', 'dead')
}

function addressKeyOf(address: PushAddress): string {
  return address.kind === 'fcm' ? `fcm:${address.fid}` : address.subscription.endpoint
}

function toDevice(row: TableRow<'device'>): KnownDevice {
  return {
    id: row.id,
    label: row.label,
    kind: row.kind,
    createdAt: row.created_at,
    lastSentAt: row.last_sent_at,
    trouble: row.trouble,
    address: JSON.parse(row.address) as PushAddress,
  }
}
