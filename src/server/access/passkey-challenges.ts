import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hourMs, minuteMs } from '#contract/durations.ts'
import type { Executor } from '../db/tables.ts'
import { hashToken, newToken } from './token.ts'

/*
 * Challenges that passkeys sign. A challenge carries its own moment and purpose under this site's signature, so that
 * issuing one stores nothing: however many strangers ask for one, the owner's stays valid. Only its use is stored,
 * since it serves once.
 */

/** Signing in, or adding a key in the sign-in of that id. */
type Purpose = 'sign-in' | `add:${string}`

/** Browsers give up after five minutes at most. */
const lifeMs = 5 * minuteMs
/**
 * A used challenge is remembered for much longer, so that none becomes valid again once a clock that ran ahead is set
 * right.
 */
const spentMs = hourMs

const secretName = 'challenge'
/** A challenge consists of its moment, random bytes, and the signature of both and of its purpose. */
const momentBytes = 6
const bodyBytes = momentBytes + 16
const signatureBytes = 32

/** The challenge lasts five minutes, for one purpose. */
export async function makeChallenge(
  x: Executor,
  purpose: Purpose,
  now: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const moment = Buffer.alloc(momentBytes)
  moment.writeUIntBE(now.getTime(), 0, momentBytes)
  const body = Buffer.concat([moment, randomBytes(bodyBytes - momentBytes)])
  return new Uint8Array(Buffer.concat([body, signatureOf(body, purpose, await takeSecret(x))]))
}

/** Resolves to whether the challenge was valid for this purpose and unused. Meant for a transaction. */
export async function spendChallenge(
  x: Executor,
  { challenge, purpose }: { readonly challenge: string; readonly purpose: Purpose },
  now: Date,
): Promise<boolean> {
  const given = Buffer.from(challenge, 'base64url')
  if (given.length !== bodyBytes + signatureBytes) return false
  const [body, signature] = [given.subarray(0, bodyBytes), given.subarray(bodyBytes)]
  const expected = signatureOf(body, purpose, await takeSecret(x))
  if (!timingSafeEqual(signature, expected)) return false
  const made = body.readUIntBE(0, momentBytes)
  if (Math.abs(now.getTime() - made) >= lifeMs) return false
  await sweepChallenges(x, now)
  const noted = await x
    .insertInto('spent_challenge')
    .values({
      challenge_hash: hashToken(given.toString('base64url')),
      made_at: new Date(made).toISOString(),
    })
    .onConflict((c) => c.doNothing())
    .returning('challenge_hash')
    .execute()
  return noted.length > 0
}

/** Removes the spent challenges that are too old to be accepted anyway. */
export async function sweepChallenges(x: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - spentMs).toISOString()
  await x.deleteFrom('spent_challenge').where('made_at', '<=', before).execute()
}

function signatureOf(body: Uint8Array, purpose: Purpose, secret: string): Buffer {
  return createHmac('sha256', secret).update(purpose).update('\n').update(body).digest()
}

/**
 * The key that signs challenges. Every process of the site reads it; no backup holds it, so that challenges from
 * before a restore are worthless after it.
 */
async function takeSecret(x: Executor): Promise<string> {
  const kept = await readSecret(x)
  if (kept !== undefined) return kept
  const value = newToken()
  await x
    .insertInto('secret')
    .values({ name: secretName, value })
    .onConflict((c) => c.doNothing())
    .execute()
  // Of two processes that ask at once, one has made it.
  return (await readSecret(x)) ?? value
}

async function readSecret(x: Executor): Promise<string | undefined> {
  const row = await x
    .selectFrom('secret')
    .select('value')
    .where('name', '=', secretName)
    .executeTakeFirst()
  return row?.value
}
