import { keyLifeMs } from '#contract/durations.ts'
import type { Thing } from './last-changes.ts'
import type { Executor } from './tables.ts'

interface Claim {
  /** The call and who makes it: the same key means nothing elsewhere. */
  readonly scope: string
  readonly key: string
  /** A digest of what was sent. */
  readonly fingerprint: string
}

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Claimed =
  | { readonly outcome: 'new' }
  | { readonly outcome: 'done'; readonly answer: KeptAnswer }
  | { readonly outcome: 'running' }
  /** It was done, and what it was about has been erased since. */
  | { readonly outcome: 'erased' }
  /** The key stands for something else; its answer tells what that made. */
  | { readonly outcome: 'other-content'; readonly body: string }

/** The status of a call whose answer nobody is to read any more. */
const erased = 410

/** Takes the key for this transaction, whose end decides whether it was ever taken; a second caller waits for that end. */
export async function claimKey(x: Executor, claim: Claim, now: Date): Promise<Claimed> {
  const { scope, key, fingerprint } = claim
  const taken = await x
    .insertInto('idempotency_key')
    .values({ ...claim, status: null, headers: null, body: null, created_at: now.toISOString() })
    .onConflict((c) => c.columns(['scope', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (taken) return { outcome: 'new' }
  const row = await x
    .selectFrom('idempotency_key')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (row.fingerprint !== fingerprint) return { outcome: 'other-content', body: row.body ?? 'null' }
  if (row.status === null) return { outcome: 'running' }
  if (row.status === erased) return { outcome: 'erased' }
  const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>
  return { outcome: 'done', answer: { status: row.status, headers, body: row.body ?? '' } }
}

/** Belongs in the transaction that claimed the key; each later call with that key gets this answer. */
export async function keepAnswer(
  x: Executor,
  { scope, key }: Pick<Claim, 'scope' | 'key'>,
  { status, headers, body }: KeptAnswer,
): Promise<void> {
  await x
    .updateTable('idempotency_key')
    .set({ status, headers: JSON.stringify(headers), body })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
}

/** Forgets what was answered about an entry; its calls still count as made. */
export async function eraseAnswers(x: Executor, { kind, id }: Thing): Promise<void> {
  await x
    .updateTable('idempotency_key')
    .set({ status: erased, headers: null, body: null })
    .where('scope', 'like', `%/${kind}/%`)
    .where('body', 'like', `%"id":"${id}"%`)
    .execute()
}

/** Forgets the keys of calls made long ago. Meant to run daily. */
export async function sweepKeys(x: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keyLifeMs).toISOString()
  await x.deleteFrom('idempotency_key').where('created_at', '<', before).execute()
}
