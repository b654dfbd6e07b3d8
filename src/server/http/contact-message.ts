import { v7 as newId } from 'uuid'
import type { Draft } from '#contract/fields.ts'
import { hit } from '../auth/throttle.ts'
import { readSettings } from '../db/content.ts'
import type { Executor } from '../db/tables.ts'
import type { Parts } from '../parts.ts'
import { refuseInMaintenance } from './maintenance.ts'
import { Problem } from './problem.ts'
import { countHit } from './rate-limits.ts'

/** Nobody fills three fields in less. */
const fastestPersonMs = 2000

interface NewMessage {
  /** The checked fields of the contact form. */
  readonly draft: Draft
  /** Where it comes from, as `clientAddress` tells. */
  readonly address: string
  /** What stood in the field that people do not see. */
  readonly honeypot: string
  /** From the form's appearance to its sending, when the sender tells. */
  readonly ageMs: number | undefined
}

/**
 * Stores a message in the inbox, or in the spam tray without the sender noticing: what a robot gives away, and whatever
 * exceeds the budget of all senders together, is kept there. Throws 403 while the form is closed, 503 while nothing may
 * change and 429 for one sender too busy. Meant for a transaction, so that a refused message is not counted.
 */
export async function storeMessage(
  x: Executor,
  { config, now }: Pick<Parts, 'config' | 'now'>,
  message: NewMessage,
): Promise<void> {
  const settings = await readSettings(x)
  refuseInMaintenance(settings)
  if (settings.contact_enabled === 'false') {
    throw new Problem('prohibido', { mensaje: settings.contact_disabled_text })
  }
  const { contact, contactTotal } = config.limits
  await countHit(x, { now }, { key: `contact:${message.address}`, ...contact })
  const total = await hit(x, 'contact', { ...contactTotal, now: now() })
  const spamReason = robotSign(message) ?? (total.allowed ? '' : 'flood')
  const { name = '', email = '', message: text = '' } = message.draft
  await x
    .insertInto('contact_message')
    .values({
      id: newId(),
      name,
      email,
      message: text,
      received_at: now().toISOString(),
      spam: spamReason === '' ? 0 : 1,
      spam_reason: spamReason,
      read_at: null,
    })
    .execute()
}

function robotSign({ honeypot, ageMs }: NewMessage): string | undefined {
  if (honeypot !== '') return 'honeypot'
  return ageMs !== undefined && ageMs < fastestPersonMs ? 'too-fast' : undefined
}
