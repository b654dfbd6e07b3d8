import { minuteMs } from '#contract/durations.ts'
import type { Executor } from '../db/tables.ts'
import { openedBy } from './one-time-link.ts'
import { hashToken, newToken } from './token.ts'

/*
 * A browser saves a large file from an address and not through a script, and then sends no token. So a signed-in
 * owner gets an address for one file and some minutes. While it lasts, a download that broke off can be resumed; it
 * ends with her sign-in.
 */

const linkMs = 10 * minuteMs
/** How many a sign-in may have at once. */
const maxLinks = 20

interface DownloadOf {
  readonly name: string
  readonly signInId: string
  readonly now: Date
}

/** Resolves to the ticket that opens this one file. */
export async function issueDownload(
  x: Executor,
  { name, signInId, now }: DownloadOf,
): Promise<string> {
  const ticket = newToken()
  const purpose = `download:${signInId}` as const
  await x
    .insertInto('one_time_link')
    .values({
      token_hash: hashOf(ticket, name),
      purpose,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + linkMs).toISOString(),
    })
    .execute()
  await x
    .deleteFrom('one_time_link')
    .where('purpose', '=', purpose)
    .where('token_hash', 'not in', (q) =>
      q
        .selectFrom('one_time_link')
        .select('token_hash')
        .where('purpose', '=', purpose)
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(maxLinks),
    )
    .execute()
  return ticket
}

/**
 * Whether a ticket opens this file now: it was made for it, has not ended, and the session that asked for it is still
 * open.
 */
export async function opensDownload(
  x: Executor,
  { ticket, name, now }: { readonly ticket: string; readonly name: string; readonly now: Date },
): Promise<boolean> {
  const purpose = await openedBy(x, hashOf(ticket, name), now)
  const signInId = purpose?.split('download:')[1]
  if (signInId === undefined) return false
  const signIn = await x
    .selectFrom('sign_in')
    .select('id')
    .where('id', '=', signInId)
    .executeTakeFirst()
  return signIn !== undefined
}

/** The file's name is part of the hash, so that the ticket of one file opens no other. */
const hashOf = (ticket: string, name: string) => hashToken(`${ticket}/${name}`)
