import type { Executor, Row } from '../db/tables.ts'
import { hashToken, newToken } from './token.ts'

export type LinkPurpose = Row<'one_time_link'>['purpose']

/** How long a link can be used. A reset link opens an existing site, so it lives shorter. */
export const linkMinutes = { setup: 60, reset: 30 } as const satisfies Record<LinkPurpose, number>

/** The token of a new link; earlier ones for the same purpose stop working. */
export async function issueLink(x: Executor, purpose: LinkPurpose, now: Date): Promise<string> {
  const token = newToken()
  await dropLinks(x, purpose)
  await x
    .insertInto('one_time_link')
    .values({
      token_hash: hashToken(token),
      purpose,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + linkMinutes[purpose] * 60_000).toISOString(),
    })
    .execute()
  return token
}

/** What a usable link is for; looking does not use it up. */
export async function findLink(
  x: Executor,
  token: string,
  now: Date,
): Promise<LinkPurpose | undefined> {
  const row = await x
    .selectFrom('one_time_link')
    .select('purpose')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return row?.purpose
}

/** Uses the link up; of several callers in the same moment only one is told yes. */
export async function spendLink(x: Executor, token: string, now: Date): Promise<boolean> {
  const rows = await x
    .deleteFrom('one_time_link')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now.toISOString())
    .returning('purpose')
    .execute()
  return rows.length === 1
}

export async function dropLinks(x: Executor, purpose: LinkPurpose): Promise<void> {
  await x.deleteFrom('one_time_link').where('purpose', '=', purpose).execute()
}

/** Deletes the links whose time is over. */
export async function sweepLinks(x: Executor, now: Date): Promise<void> {
  await x.deleteFrom('one_time_link').where('expires_at', '<=', now.toISOString()).execute()
}
