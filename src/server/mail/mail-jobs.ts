import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import { fill } from '#contract/text.ts'
import { mailTexts } from '#contract/texts/mail.ts'
import { linkFor } from '../access/first-run.ts'
import { issueLink, linkMinutes } from '../access/one-time-link.ts'
import { readOwner } from '../access/owner.ts'
import { hit } from '../api/throttle.ts'
import type { Config } from '../config.ts'
import type { Db, Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { addJob, type Job } from '../jobs/job-table.ts'
import type { JobHandler, JobResult } from '../jobs/worker.ts'
import type { Mail, Mailer } from './mailer.ts'

/** What a job of kind `mail` is about; neither a message's words nor a link is written down in it. */
type MailJob = { readonly message: string } | { readonly reset: string }

/** However many addresses ask in her name: each one is a mail that she did not want. */
const mostResets = { limit: 20, windowMs: hourMs }

/** A server that is slow to answer may get a mail at each. */
const mostResetTries = 3

/** Some twenty minutes; a message that was tried so often waits together with all others. */
const mostQuickTries = 8

/** Mail servers keep what they cannot hand on for as long. */
const keptMs = 5 * dayMs

interface MailOptions {
  readonly db: Db
  readonly now: () => Date
  readonly config: Pick<Config, 'publicUrl'>
  /** Absent where the operator named no mail server. */
  readonly mailer: Mailer | undefined
}

/** Has a link sent to whoever this is, if she is the owner: nobody who asks learns whether. */
export function addReset(x: Executor, userName: string, now: Date): Promise<void> {
  return addJob(x, { kind: 'mail', payload: { reset: userName } satisfies MailJob, now })
}

/** Carries out jobs of kind `mail`: a visitor's message, or the link for a new password, to the owner's own address. */
export function sendMails(options: MailOptions): JobHandler {
  const send = sendTogether(options)
  return async (job) => {
    const owner = await readOwner(options.db)
    // What was written down before the operator took the mail server away.
    if (!options.mailer || !owner?.user_name.includes('@')) return { state: 'done' }
    const about = JSON.parse(job.payload) as MailJob
    if ('reset' in about) {
      const mail = await resetMail(options, owner.user_name, about.reset)
      if (!mail) return { state: 'done' }
      const result = resultOf(await options.mailer(mail))
      // Whoever waits for a link asks again.
      const isEnough = job.attempts + 1 >= mostResetTries
      return result.state === 'retry' && isEnough ? { ...result, state: 'dead' } : result
    }
    const mail = await messageMail(options, owner.user_name, about.message)
    return mail ? send(options.mailer, mail, job) : { state: 'done' }
  }
}

/** Where the mail server takes nothing at all, what visitors wrote waits for it, and asks it no more often for being more. */
function sendTogether({ now }: Pick<MailOptions, 'now'>) {
  const pause = createMailPause(now)
  return async (mailer: Mailer, mail: Mail, job: Job): Promise<JobResult> => {
    const at = pause.wait()
    if (at) return { state: 'later', at }
    const taken = await mailer(mail)
    const result = resultOf(taken)
    if (result.state !== 'retry') {
      pause.end()
      return result
    }
    const isLong = taken === 'barred' || job.attempts >= mostQuickTries
    // Few tries: in a longer time than five days the site was off, or its clock has been set right.
    if (!isLong) return result
    const isOld = now().getTime() > Date.parse(job.created_at) + keptMs
    return isOld ? { ...result, state: 'dead' } : { state: 'later', at: pause.begin() }
  }
}

function resultOf(result: Awaited<ReturnType<Mailer>>): JobResult {
  if (result === 'sent') return { state: 'done' }
  if (result === 'refused') return { state: 'dead', why: mailTexts.refused }
  const why = result === 'barred' ? mailTexts.refused : mailTexts.unreachable
  return { state: 'retry', why }
}

/** Undefined for a message that she has deleted or moved to the spam folder meanwhile. */
async function messageMail(
  { db, config: { publicUrl: url } }: MailOptions,
  to: string,
  id: string,
): Promise<Mail | undefined> {
  const message = await db
    .selectFrom('contact_message')
    .select(['name', 'email', 'message'])
    .where('id', '=', id)
    .where('spam', '=', 0)
    .executeTakeFirst()
  if (!message) return undefined
  const { name, email, message: text } = message
  const foot = fill(mailTexts.messageFoot, { url, email })
  return {
    to,
    subject: fill(mailTexts.messageSubject, { name }),
    text: `${text}\n\n-- \n${foot}\n`,
    replyTo: { name, address: email },
  }
}

/** A link is made when its mail is. Those before go on working: a stranger who asks in her name would else end hers. */
async function resetMail(
  { db, now, config }: MailOptions,
  to: string,
  asked: string,
): Promise<Mail | undefined> {
  if (asked.trim().toLowerCase() !== to.toLowerCase()) return undefined
  // Counted here, where it is hers: what strangers ask for in other names would use up what she may ask for.
  const { allowed } = await hit(db, 'recover', { ...mostResets, now: now() })
  if (!allowed) return undefined
  const token = await transact(db, (t) => issueLink(t, 'reset', now(), { besides: true }))
  const link = linkFor(config, token)
  const { publicUrl: url } = config
  return {
    to,
    subject: mailTexts.resetSubject,
    text: fill(mailTexts.resetBody, { url, link, minutes: linkMinutes.reset }),
  }
}

/** While a mail server takes no mail, in milliseconds. */
const pauseMs = 15 * minuteMs
/** Longer than one try takes. */
const probeMs = minuteMs

/** While a mail server takes no mail at all, one of those that wait tries it every quarter of an hour. */
interface MailPause {
  /** When to come again; undefined for whoever is to try now. */
  wait(): Date | undefined
  /** Nobody tries for a quarter of an hour; returns when to come again. */
  begin(): Date
  end(): void
}

/** Lives in memory: whoever mends the account starts the server anew. */
function createMailPause(now: () => Date): MailPause {
  let pause: { readonly from: number; readonly until: number } | undefined
  const begin = (ms: number): Date => {
    const from = now().getTime()
    pause = { from, until: from + ms }
    return new Date(pause.until)
  }
  return {
    wait() {
      if (!pause) return undefined
      const moment = now().getTime()
      // A clock that was set back makes no pause longer.
      if (pause.from <= moment && moment < pause.until) return new Date(pause.until)
      begin(probeMs)
      return undefined
    },
    begin: () => begin(pauseMs),
    end() {
      pause = undefined
    },
  }
}
