import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { causeOf } from '../problem.ts'
import type { PurgeCall } from './purge-call.ts'

interface PurgeOptions {
  readonly call: PurgeCall
  readRevision(): Promise<number>
  readonly log: Log
  /** The pause after the first failure, in milliseconds; twice as long after each further one. */
  readonly firstPauseMs?: number
}

/** The cache may take so long to answer, in milliseconds. */
const answersWithinMs = 10_000
const longestPauseMs = 60_000

/**
 * Tells a shared cache of each revision of the content that this process finds, once: of the one that it starts with too, since
 * it may have ended before it told. Returns what is to be called after each write. What a cache was not told it asks for
 * after its time.
 */
export function createPurge({
  call,
  readRevision,
  log,
  firstPauseMs = 1_000,
}: PurgeOptions): () => void {
  let told: number | undefined
  let isAsked = false
  let running: Promise<void> | undefined

  const tell = async () => {
    const revision = await readRevision()
    if (revision === told) return
    const { url, ...init } = call
    const signal = AbortSignal.timeout(answersWithinMs)
    const answer = await fetch(url, { ...init, signal, redirect: 'error' })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`The shared cache answered ${answer.status}`)
    told = revision
  }
  const run = async () => {
    let pauseMs = firstPauseMs
    while (isAsked) {
      isAsked = false
      try {
        await tell()
        pauseMs = firstPauseMs
      } catch (error) {
        log('purge-failed', { error: causeOf(error).message })
        isAsked = true
        // Does not keep a process alive that is about to end.
        await wait(pauseMs, undefined, { ref: false })
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }
  const look = () => {
    isAsked = true
    running ??= run().finally(() => (running = undefined))
  }
  look()
  return look
}
