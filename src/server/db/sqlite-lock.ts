import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { messageOf } from '../problem.ts'
import { DbError, isLocked } from './errors.ts'

const lockTimeoutMs = 5000
const firstPauseMs = 2
const longestPauseMs = 50

/**
 * Runs what another process's lock may refuse, again until it passes or the time since the caller began to wait is
 * over; the event loop stays free.
 */
export async function untilUnlocked<T>(run: () => T, since = performance.now()): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return run()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (performance.now() - since > lockTimeoutMs) {
        throw new DbError('busy', fill(cliTexts.locked, { message: messageOf(error) }), error)
      }
    }
    await wait(pauseMs)
  }
}
