import { hash } from 'node:crypto'
import { idempotencyHeader, replayedHeader } from '#contract/api.ts'
import type { JsonObject } from '#contract/json.ts'
import { claimKey, keepAnswer, type KeptAnswer } from '../db/idempotency-keys.ts'
import type { Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { isOpen, type SessionInfo } from '../access/session.ts'
import { lockSignIn } from '../access/sign-in.ts'
import type { Services } from '../services.ts'
import type { Call } from './env.ts'
import { noStore } from '../edge/shared-cache.ts'
import { sessionNeeded } from './guard.ts'
import { Problem } from '../problem.ts'

interface WriteAnswer {
  readonly status: 200 | 201
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Write {
  /** Undefined for a call without a body. */
  readonly sent?: JsonObject
  /** Whether closing the sign-in takes along what is stored: whoever closes it in this moment is waited for, or waits. */
  readonly goesWithSignIn?: boolean
  readonly effect: (t: Executor) => Promise<WriteAnswer>
}

const visible = /^[\x21-\x7e]{1,200}$/

/**
 * Carries a write out in one transaction and answers it. With an `Idempotency-Key` the answer is kept in that same
 * transaction, so the call repeated gets it again without a second effect; a refusal is not kept. Throws 422 when the
 * key was used with other content, and 401 when the session has ended since it was found.
 */
export async function idempotent(
  call: Call,
  { db, now }: Pick<Services, 'db' | 'now'>,
  { sent, goesWithSignIn = false, effect }: Write,
): Promise<Response> {
  const key = call.req.header(idempotencyHeader)
  if (key !== undefined && !visible.test(key)) throw new Problem('peticion-no-valida')
  const { session } = call.var
  const run = async (t: Executor) => {
    // A body may take its time: who sends it can have been signed out meanwhile.
    if (session && !(await isStillOpen(t, session, goesWithSignIn))) throw sessionNeeded()
    if (key === undefined) return respond(toKept(await effect(t)))
    const claim = { scope: scopeOf(call), key, fingerprint: fingerprintOf(call, sent) }
    const claimed = await claimKey(t, claim, now())
    if (claimed.outcome === 'done') return respond(claimed.answer, { [replayedHeader]: 'true' })
    if (claimed.outcome === 'other-content') throw reused(claimed.body)
    if (claimed.outcome === 'erased') throw new Problem('no-encontrado')
    if (claimed.outcome === 'running') {
      throw new Problem('en-curso', { headers: { 'retry-after': '1' } })
    }
    const answer = toKept(await effect(t))
    await keepAnswer(t, claim, answer)
    return respond(answer)
  }
  // With a key, a commit whose answer was lost is found when the call is repeated.
  return transact(db, run, { repeatable: key !== undefined })
}

async function isStillOpen(
  t: Executor,
  { tokenHash, signInId }: SessionInfo,
  isLocked: boolean,
): Promise<boolean> {
  return (!isLocked || (await lockSignIn(t, signInId))) && (await isOpen(t, tokenHash))
}

/** The refusal of a key that was used with other content, with the row that was made then, where it is one. */
function reused(body: string): Problem {
  const made: unknown = JSON.parse(body)
  const isRow = typeof made === 'object' && made !== null && 'version' in made
  return new Problem('clave-reutilizada', isRow ? { current: made } : {})
}

function toKept({ status, headers = {}, body }: WriteAnswer): KeptAnswer {
  return { status, headers, body: JSON.stringify(body) }
}

function respond(
  { status, headers, body }: KeptAnswer,
  more: Readonly<Record<string, string>> = {},
) {
  const common = { 'content-type': 'application/json', ...noStore }
  return new Response(body, { status, headers: { ...common, ...headers, ...more } })
}

function scopeOf(call: Call): string {
  return `${call.var.session?.ownerId ?? ''} ${call.req.method} ${call.req.path}`
}

function fingerprintOf(call: Call, sent: JsonObject | undefined): string {
  const parts = [call.req.header('if-match') ?? '', JSON.stringify(sent ?? null)]
  return hash('sha256', parts.join('\n'))
}
