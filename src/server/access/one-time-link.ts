import { clocksMs, minuteMs } from '#contract/durations.ts'
import type { Executor, TableRow } from '../db/tables.ts'
import { hashToken, newToken } from './token.ts'

export type LinkPurpose = Extract<TableRow<'one_time_link'>['purpose'], 'setup' | 'reset'>

/** A reset link opens an existing site, so it lives shorter. */
export const linkMinutes = { setup: 60, reset: 30 } as const satisfies Record<LinkPurpose, number>

export interface Issue {
  /** Leaves earlier links for the same purpose as they are; otherwise they stop working. */
  readonly besides?: boolean
}

/** Resolves to the token of a new link. */
export async function issueLink(
  x: Executor,
  purpose: LinkPurpose,
  now: Date,
  { besides = false }: Issue = {},
): Promise<string> {
  const token = newToken()
  if (!besides) await dropLinks(x, purpose)
  await x
    .insertInto('one_time_link')
    .values({
      token_hash: hashToken(token),
      purpose,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + linkMinutes[purpose] * minuteMs).toISOString(),
    })
    .execute()
  return token
}

/** Looking up a link does not use it up. */
export async function findLink(
  x: Executor,
  token: string,
  now: Date,
): Promise<LinkPurpose | undefined> {
  const purpose = await openedBy(x, hashToken(token), now)
  return purpose !== undefined && isPurpose(purpose) ? purpose : undefined
}

/** What the link or ticket of this hash opens now. One from a clock that was ahead would live until the clock is there. */
export async function openedBy(
  x: Executor,
  tokenHash: string,
  now: Date,
): Promise<TableRow<'one_time_link'>['purpose'] | undefined> {
  const row = await x
    .selectFrom('one_time_link')
    .select('purpose')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .where('created_at', '<=', latest(now))
    .executeTakeFirst()
  return row?.purpose
}

function isPurpose(purpose: TableRow<'one_time_link'>['purpose']): purpose is LinkPurpose {
  return purpose in linkMinutes
}

/** Uses up the link and all others for the same purpose; of several callers at the same moment only one gets true. */
export async function spendLink(x: Executor, token: string, now: Date): Promise<boolean> {
  const purpose = await findLink(x, token, now)
  if (purpose === undefined) return false
  const spent = await x
    .deleteFrom('one_time_link')
    .where('purpose', '=', purpose)
    .returning('token_hash')
    .execute()
  const hash = hashToken(token)
  return spent.some((link) => link.token_hash === hash)
}

/** Makes every link of this purpose useless, whether it has ended or not. */
export async function dropLinks(x: Executor, purpose: LinkPurpose): Promise<void> {
  await x.deleteFrom('one_time_link').where('purpose', '=', purpose).execute()
}

/** Removes the links that nobody can use any more. */
export async function sweepLinks(x: Executor, now: Date): Promise<void> {
  await x
    .deleteFrom('one_time_link')
    .where((w) =>
      w.or([w('expires_at', '<=', now.toISOString()), w('created_at', '>', latest(now))]),
    )
    .execute()
}

function latest(now: Date): string {
  return new Date(now.getTime() + clocksMs).toISOString()
}
