import { AsyncLocalStorage } from 'node:async_hooks'

/** What a log line may carry: never a token, a password, a message's text or a full address. */
type Facts = Readonly<Record<string, string | number | boolean | undefined>>

export type Log = (event: string, facts?: Facts) => void

/** The id of the request that is being answered; every line written meanwhile carries it. */
export const requestOf = new AsyncLocalStorage<string>()

/** One event has at most so many lines in `windowMs`: a flood of failures must not fill the disk as well. */
const most = 200
const windowMs = 10_000
/** A longer fact is cut: a stack may carry whole statements. */
const longest = 4000

interface Writing {
  write(line: string): unknown
  readonly now: () => Date
}

/** A log of one JSON line per event, with bounds on how many and how long; JSON escapes line breaks, so no text can forge a second line. */
export function createLog({ write, now }: Writing): Log {
  let window = 0
  const counts = new Map<string, number>()
  const put = (event: string, facts: Facts) =>
    write(`${JSON.stringify({ time: now().toISOString(), event, ...facts })}\n`)
  const turnOver = (current: number) => {
    if (current === window) return
    window = current
    for (const [event, count] of counts) {
      if (count > most) put('log-left-out', { of: event, lines: count - most })
    }
    counts.clear()
  }
  return (event, facts = {}) => {
    turnOver(Math.floor(now().getTime() / windowMs))
    const count = (counts.get(event) ?? 0) + 1
    counts.set(event, count)
    if (count > most) return
    const requestId = requestOf.getStore()
    put(event, { ...(requestId !== undefined && { requestId }), ...shorten(facts) })
  }
}

function shorten(facts: Facts): Facts {
  const short = (value: Facts[string]) =>
    typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, short(value)]))
}

interface Output {
  on(event: 'error', listener: () => void): unknown
  write(line: string, done: (error?: Error | null) => void): boolean
}

/**
 * Writes to a stream without which the site goes on: whoever read it may have ended, or its disk may be full. Once it takes
 * lines again, `onBack` is told how many were lost.
 */
export function writerTo(stream: Output, onBack: (lines: number) => void) {
  let lost = 0
  // Each failed write is counted where it was made; nobody listening would end the process.
  stream.on('error', () => undefined)
  return (line: string) =>
    stream.write(line, (error) => {
      if (error) lost += 1
      else if (lost > 0) {
        const lines = lost
        lost = 0
        onBack(lines)
      }
    })
}

/** The server's own log, on standard output. */
export const log = createLog({
  write: writerTo(process.stdout, (lines) => log('log-lost', { lines })),
  now: () => new Date(),
})

// What is said to whoever starts the site, too.
process.stderr.on('error', () => undefined)

/** Says a sentence to whoever starts the site. */
export const say = (sentence: string) => void process.stderr.write(`${sentence}\n`)

/** One kind of trouble has one line in so many milliseconds. */
const throttleMs = 60_000

export type ThrottledLog = (event: string, kind: string, facts: () => Parameters<Log>[1]) => void

/**
 * Logs the first trouble of each kind in a minute and counts the rest, which the next line tells: under a flood the log
 * must not cost more than the answers. `kind` is one of a few words of ours, never what a caller wrote.
 */
export function createThrottledLog(write: Log, now: () => Date): ThrottledLog {
  const told = new Map<string, { at: number; leftOut: number }>()
  return (event, kind, facts) => {
    const time = now().getTime()
    const key = `${event} ${kind}`
    const last = told.get(key)
    if (last && Math.abs(time - last.at) < throttleMs) {
      last.leftOut++
      return
    }
    told.set(key, { at: time, leftOut: 0 })
    write(event, { ...facts(), ...(last?.leftOut && { leftOut: last.leftOut }) })
  }
}
