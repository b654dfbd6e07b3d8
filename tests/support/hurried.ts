/*
 * A server process with a time of its own. Loaded before the server's own code (`node --import`), so that the product runs
 * unchanged.
 */

const everyMs = 200
const slower = 20

/**
 * Variables that make a server process look several times a second for what it looks for every few minutes, with its
 * clock so many milliseconds ahead.
 */
export function hurriedEnv(aheadMs: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, AHEAD_MS: String(aheadMs) }
}

/**
 * Variables that make the time of server processes pass slowly, the same for all that are given them: however busy the machine
 * is, nothing that they wait for takes as long as they wait.
 */
export function unhurriedEnv(): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, SLOW_SINCE: String(Date.now()) }
}

function hurry(aheadMs: number): void {
  const realInterval = globalThis.setInterval
  const hurried = (run: () => void, ms = 0) => realInterval(run, Math.min(ms, everyMs))
  globalThis.setInterval = hurried as typeof setInterval
  setClock((real) => real + aheadMs)
}

function slowDown(since: number): void {
  const realTimeout = globalThis.setTimeout
  const slow = (run: () => void, ms = 0, ...given: readonly []) =>
    realTimeout(run, ms * slower, ...given)
  globalThis.setTimeout = slow as typeof setTimeout
  const realSignal = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => realSignal(ms * slower)
  setClock((real) => since + Math.round((real - since) / slower))
}

function setClock(now: (real: number) => number): void {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly []) {
      if (given.length === 0) super(now(RealDate.now()))
      else super(...given)
    }
    static override now() {
      return now(RealDate.now())
    }
  } as DateConstructor
}

const { AHEAD_MS: ahead, SLOW_SINCE: slowSince } = process.env
if (ahead !== undefined) hurry(Number(ahead))
if (slowSince !== undefined) slowDown(Number(slowSince))
