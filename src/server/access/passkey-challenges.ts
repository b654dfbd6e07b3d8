import type { Executor, TableRow } from '../db/tables.ts'
import { hashToken } from './token.ts'

type Purpose = TableRow<'passkey_challenge'>['purpose']

/** How long a challenge waits for its signature: browsers give up after five minutes at most. */
const lifeMs = 5 * 60_000
/** How many one holder has at once: the newest tabs'. */
const mostOfHolder = 5
/** How many there are at once, whoever asks for them. */
const most = 1000

/** Notes what a passkey has to sign. Beyond the bounds the oldest go, first the holder's own. Meant for a transaction. */
export async function noteChallenge(
  x: Executor,
  given: { readonly challenge: string; readonly purpose: Purpose; readonly holder: string },
  now: Date,
): Promise<void> {
  const { challenge, purpose, holder } = given
  await sweepChallenges(x, now)
  const made_at = now.toISOString()
  await x
    .insertInto('passkey_challenge')
    .values({ challenge_hash: hashToken(challenge), purpose, holder, made_at })
    .execute()
  const own = await newestFirst(x).where('holder', '=', holder).offset(mostOfHolder).execute()
  const all = await newestFirst(x).offset(most).execute()
  const over = [...own, ...all].map(({ challenge_hash }) => challenge_hash)
  if (over.length === 0) return
  await x.deleteFrom('passkey_challenge').where('challenge_hash', 'in', over).execute()
}

/** Uses a challenge up; whether it was one for this, living and unused. The holder counts where it is named. */
export async function spendChallenge(
  x: Executor,
  given: { readonly challenge: string; readonly purpose: Purpose; readonly holder?: string },
  now: Date,
): Promise<boolean> {
  const { challenge, purpose, holder } = given
  const [row] = await x
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', hashToken(challenge))
    .returningAll()
    .execute()
  if (row?.purpose !== purpose) return false
  return isAlive(row, now) && (holder === undefined || holder === row.holder)
}

/** Deletes the challenges whose time is over. */
export async function sweepChallenges(x: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - lifeMs).toISOString()
  await x
    .deleteFrom('passkey_challenge')
    // A clock that was set back leaves none for longer.
    .where((w) => w.or([w('made_at', '<=', before), w('made_at', '>', now.toISOString())]))
    .execute()
}

function isAlive({ made_at }: TableRow<'passkey_challenge'>, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(made_at)) < lifeMs
}

/** SQLite takes an offset only after a limit. */
function newestFirst(x: Executor) {
  return x
    .selectFrom('passkey_challenge')
    .select('challenge_hash')
    .orderBy('made_at', 'desc')
    .limit(2 * most)
}
