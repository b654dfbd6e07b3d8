import { hash } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { dayMs } from '#contract/durations.ts'
import type { FieldValues } from '#contract/fields.ts'
import { folderFull, folderLimits, type SpamReason } from '#contract/messages/messages.ts'
import { hit } from '../api/throttle.ts'
import { readSettings } from '../db/settings.ts'
import { messageKind, raiseRevision } from '../db/revisions.ts'
import type { Executor } from '../db/tables.ts'
import { addJob, addOnce } from '../jobs/job-table.ts'
import { normalizedText, spamSigns, type Signs } from './spam.ts'
import { countFolder, dropRobot } from './folders.ts'
import type { Services } from '../services.ts'
import { refuseInMaintenance } from '../api/maintenance.ts'
import { Problem } from '../problem.ts'
import { countHit } from '../api/rate-limits.ts'

/** When to try again while a folder is full. */
const fullRetryS = 3600

interface NewMessage {
  /** The id that its device gave it, which identifies the message for as long as it lies here. */
  readonly id?: string | undefined
  /** The checked fields of the contact form. */
  readonly values: FieldValues
  /** As `clientAddress` returns it. */
  readonly address: string
  /** The value of the field that people do not see. */
  readonly honeypot: string
  readonly pageAgeMs: Signs['pageAgeMs']
  readonly markAgeMs: Signs['markAgeMs']
}

/**
 * Stores a message in the inbox, with the job that tells the owner's devices, or in the spam folder without the sender
 * noticing: what a robot gives away, and whatever exceeds the budget of all senders together, is kept there. Throws 403
 * while the form is closed, 503 while nothing may change, 429 for one sender too busy or a folder that is full, unless
 * robots' messages can make way for a person's. Meant for a transaction, so that a refused message is not counted.
 */
export async function storeMessage(
  x: Executor,
  { config, now }: Pick<Services, 'config' | 'now'>,
  message: NewMessage,
): Promise<void> {
  const { name = '', email = '', message: text = '' } = message.values
  const digest = digestOf(text)
  const known = await knownBy(x, message.id)
  // The sender pressed again after weeks, when the answers to repeated calls are forgotten.
  if (known?.name === name && known.email === email && known.message === text) return
  const settings = await readSettings(x)
  refuseInMaintenance(settings)
  if (settings.contact_enabled === 'false') {
    throw new Problem('prohibido', { mensaje: settings.contact_disabled_text })
  }
  await countSender(x, { config, now }, message)
  // Before anything is counted: a message that another process stores in this moment is waited for.
  const arrival = await raiseRevision(x, messageKind)
  const reasons = spamSigns({
    ...message,
    name,
    message: text,
    repeats: await countRepeats(x, digest, now()),
  })
  const spamReason = reasons.length > 0 ? reasons.join(',') : await floodSign(x, { config, now })
  const folder = spamReason === '' ? 'inbox' : 'spam'
  if ((await countFolder(x, folder)) >= folderLimits[folder]) {
    // A message of a flood may be a person's: a robot's message makes way before she is turned away.
    if (spamReason !== 'flood' || !(await dropRobot(x))) throw new FullFolder()
  }
  const id = (known === undefined ? message.id : undefined) ?? newId()
  await x
    .insertInto('contact_message')
    .values({
      id,
      name,
      email,
      message: text,
      received_at: now().toISOString(),
      spam: folder === 'spam' ? 1 : 0,
      spam_reason: spamReason,
      read_at: null,
      rung: folder === 'spam' ? 1 : 0,
      digest,
      arrival,
    })
    .execute()
  if (folder !== 'inbox') return
  await addOnce(x, { kind: 'ring', now: now() })
  if (config.smtp) await addJob(x, { kind: 'mail', payload: { message: id }, now: now() })
}

/** What is stored under an id, which may be less than the sender wants to say by now; undefined where there is nothing. */
async function knownBy(x: Executor, id: string | undefined) {
  if (id === undefined) return undefined
  return x
    .selectFrom('contact_message')
    .select(['name', 'email', 'message'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Refuses a message whose folder is full; only the owner can make room. */
class FullFolder extends Problem {
  constructor() {
    super('demasiados-intentos', {
      mensaje: folderFull,
      headers: { 'retry-after': String(fullRetryS) },
    })
  }
}

/**
 * Runs the transaction that stores a message. One that finds its folder full is undone with all that it had counted, so its
 * sender's try is counted after it: else nobody were ever too busy for a folder that stays full.
 */
export async function countingTries<T>(
  services: Pick<Services, 'config' | 'now' | 'db'>,
  sender: Pick<NewMessage, 'address'>,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (error instanceof FullFolder) await countSender(services.db, services, sender)
    throw error
  }
}

function countSender(
  x: Executor,
  { config, now }: Pick<Services, 'config' | 'now'>,
  { address }: Pick<NewMessage, 'address'>,
): Promise<void> {
  return countHit(x, { now }, { key: `contact:${address}`, ...config.limits.contact })
}

/** Counts only messages that look like a person's, so that robots cannot use the budget up. */
async function floodSign(
  x: Executor,
  { config, now }: Pick<Services, 'config' | 'now'>,
): Promise<SpamReason | ''> {
  const { allowed } = await hit(x, 'contact', { ...config.limits.contactTotal, now: now() })
  return allowed ? '' : 'flood'
}

function digestOf(text: string): string {
  return hash('sha256', normalizedText(text) || text, 'base64url')
}

/** Counts the equal messages of the last day, two at most: a flood of copies costs no more. */
async function countRepeats(x: Executor, digest: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - dayMs).toISOString()
  const found = await x
    .selectFrom('contact_message')
    .select('digest')
    .where('digest', '=', digest)
    .where('received_at', '>', since)
    .limit(2)
    .execute()
  return found.length
}
