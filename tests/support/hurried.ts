/*
 * A server process for which little time is a long time: what looks every few minutes looks several times a second, and
 * the clock is ahead. Loaded before the server's own code (`node --import`), so that the product runs unchanged.
 */

const everyMs = 200

/** Variables that make a server process look in a hurry, with its clock so many milliseconds ahead. */
export function hurriedEnv(aheadMs: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, AHEAD_MS: String(aheadMs) }
}

function install(aheadMs: number): void {
  const realInterval = globalThis.setInterval
  const hurried = (run: () => void, ms = 0) => realInterval(run, Math.min(ms, everyMs))
  globalThis.setInterval = hurried as typeof setInterval
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly []) {
      if (given.length === 0) super(RealDate.now() + aheadMs)
      else super(...given)
    }
    static override now() {
      return RealDate.now() + aheadMs
    }
  } as DateConstructor
}

const ahead = process.env['AHEAD_MS']
if (ahead !== undefined) install(Number(ahead))
