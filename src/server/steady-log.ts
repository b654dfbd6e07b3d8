import type { Log } from './log.ts'

/** Of one kind of trouble one line in so long is enough. */
const windowMs = 60_000

type Trouble = (event: string, kind: string, facts: () => Parameters<Log>[1]) => void

/**
 * Logs the first trouble of each kind in a minute and counts the rest, which the next line tells: under a flood the log
 * must not cost more than the answers. `kind` is one of a few words of ours, never what a caller wrote.
 */
export function createSteadyLog(log: Log, now: () => Date): Trouble {
  const told = new Map<string, { at: number; leftOut: number }>()
  return (event, kind, facts) => {
    const time = now().getTime()
    const key = `${event} ${kind}`
    const last = told.get(key)
    if (last && Math.abs(time - last.at) < windowMs) {
      last.leftOut++
      return
    }
    told.set(key, { at: time, leftOut: 0 })
    log(event, { ...facts(), ...(last?.leftOut && { leftOut: last.leftOut }) })
  }
}
