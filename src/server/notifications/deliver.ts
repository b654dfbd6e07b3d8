import type { PushMessage } from '#contract/notifications/push.ts'
import type { Db } from '../db/tables.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { findDevice, noteSent, noteTrouble, removeDevice, type KnownDevice } from './devices.ts'
import type { PushSender, SendResult } from './sender.ts'

interface DeliverOptions {
  readonly db: Db
  readonly now: () => Date
  readonly sender: PushSender
}

interface JobOptions extends DeliverOptions {
  /** Hears of each notification that a device took. */
  readonly onTaken: (message: PushMessage) => Promise<void>
}

/** For jobs of kind `push`. */
export function deliverPush(options: JobOptions): JobHandler {
  return async ({ device_id: id, payload }) => {
    const device = id === null ? undefined : await findDevice(options.db, id)
    if (!device) return { state: 'done' }
    const message = JSON.parse(payload) as PushMessage
    const result = await sendToDevice(options, device, message)
    if (result.state === 'sent') await options.onTaken(message)
    if (result.state === 'rejected') return { state: 'dead', why: result.why }
    return result.state === 'retry' ? result : { state: 'done' }
  }
}

/** Notes the outcome at the device; a device that is gone is removed. */
export async function sendToDevice(
  { db, now, sender }: DeliverOptions,
  { id, address }: KnownDevice,
  message: PushMessage,
): Promise<SendResult> {
  const result = await sender.send(address, message)
  if (result.state === 'sent') await noteSent(db, id, now())
  else if (result.state === 'gone') await removeDevice(db, id)
  else await noteTrouble(db, id, result.why)
  return result
}
