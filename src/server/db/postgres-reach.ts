import { setTimeout as wait } from 'node:timers/promises'
import { LostConnection } from './errors.ts'

/** How long what did nothing yet is tried again: a restart of the server takes about so long. */
export const triedForMs = 3000
const firstPauseMs = 20
const longestPauseMs = 300

/**
 * Refusals of a server that is going down, not up yet, no longer the one that writes or has no connection left; after
 * them the connection is gone.
 */
const goneStates = /^(?:57P0[1-5]|53300|25006|25P03|08)/
/** The connection's own failures; a name that cannot be resolved right now is one of them. */
const goneCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** The driver's own words, which carry no code. */
const goneWords =
  /^(?:Query read timeout|Connection terminated|timeout e|Client has encountered a connection error|Client was closed)/

/** Whether the error tells that there is no connection, or none any more. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof LostConnection) return true
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.every(isUnreachable)
  const { code, severity } = error as Error & { code?: unknown; severity?: unknown }
  if (typeof severity === 'string') return goneStates.test(String(code))
  return (typeof code === 'string' && goneCodes.has(code)) || goneWords.test(error.message)
}

/** Runs what has done nothing when it finds no connection, again until it passes or the time is over. */
export async function untilReachable<T>(run: () => Promise<T>): Promise<T> {
  const since = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await run()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      if (performance.now() - since + pauseMs > triedForMs) {
        throw error instanceof LostConnection ? error : new LostConnection(true, error)
      }
    }
    await wait(pauseMs)
  }
}
