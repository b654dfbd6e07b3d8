import type { PushMessage } from '#contract/notifications/push.ts'
import { hourMs } from '#contract/durations.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { lockFact, writeFact } from '../db/site-facts.ts'
import type { Db, Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { isUntold } from '../notifications/tellings.ts'

/** What the owner's devices are notified of: a night without a backup, damaged ones, and pictures that the newest lacks. */
export type Alarm = keyof typeof backupTexts.alarms

const alarms: readonly Alarm[] = ['failed', 'damaged', 'incomplete']
/** One of its own for each: on a device that sleeps one alarm would else take the place of another. */
const tagOf = (what: Alarm) => `backup-${what}`

/** What a device shows of an alarm. */
export function alarmMessage(what: Alarm): PushMessage {
  return { ...backupTexts.alarms[what], type: 'sync', url: '/settings#datos', tag: tagOf(what) }
}

export interface AlarmOptions {
  readonly what: Alarm
  /** The nights, the files or the pictures that it is about. */
  readonly about: readonly string[]
  readonly now: Date
  /** Notifies, in the transaction it is given; answers whether there is a device at all. */
  readonly notify: (t: Executor, what: Alarm, now: Date) => Promise<boolean>
}

interface Telling {
  /** As `isUntold` counts. */
  readonly told: number
  readonly at: string
}

/** By what they are about; the newest first. */
type Tellings = ReadonlyMap<string, Telling>

/** Far more than the nights and files that a folder of backups has at a time. */
const mostRemembered = 100
/** What no device took is told on another night, and not of the same one by another process or after another try. */
const apartMs = 20 * hourMs

/**
 * Notifies of what no device was told of yet, by whichever process and however long ago, and on the next nights again as long
 * as no device takes it. Meant for a transaction: it keeps every other process waiting until what was told is written down.
 */
export async function notifyOnce(
  t: Executor,
  { what, about, now, notify }: AlarmOptions,
): Promise<void> {
  const before = await lockTellings(t, what)
  const fresh = about.filter((each) => {
    const last = before.get(each)
    if (!last) return true
    return isUntold(last.told) && Math.abs(now.getTime() - Date.parse(last.at)) >= apartMs
  })
  if (fresh.length > 0 && !(await notify(t, what, now))) return
  const at = now.toISOString()
  const next = new Map(fresh.map((each) => [each, { told: (before.get(each)?.told ?? 0) - 1, at }]))
  const all = [...next, ...[...before].filter(([each]) => !next.has(each))]
  const kept =
    what === 'incomplete'
      ? // A picture that is there again may be lost again, which is news.
        all.filter(([each]) => about.includes(each))
      : all.slice(0, mostRemembered)
  await writeTellings(t, what, new Map(kept))
}

/** Notes of a notification that a device took that what it tells need not be told again. */
export async function noteAlarmTaken(db: Db, { tag }: Pick<PushMessage, 'tag'>): Promise<void> {
  const what = alarms.find((each) => tagOf(each) === tag)
  if (!what) return
  const note = async (t: Executor) => {
    const before = await lockTellings(t, what)
    const taken = [...before].map(([each, { at }]) => [each, { told: 1, at }] as const)
    await writeTellings(t, what, new Map(taken))
  }
  await transact(db, note, { repeatable: true })
}

const keyOf = (what: Alarm) => `told-backups-${what}`

/** Keeps every other transaction that asks from going on until this one ends. */
async function lockTellings(t: Executor, what: Alarm): Promise<Tellings> {
  const value = await lockFact(t, keyOf(what), '[]')
  const kept = JSON.parse(value) as readonly (string | readonly [string, Telling])[]
  // A name alone is from before it was noted whether a device took it.
  return new Map(
    kept.map((each) => (typeof each === 'string' ? [each, { told: 1, at: '' }] : each)),
  )
}

async function writeTellings(t: Executor, what: Alarm, tellings: Tellings): Promise<void> {
  await writeFact(t, keyOf(what), JSON.stringify([...tellings]))
}
