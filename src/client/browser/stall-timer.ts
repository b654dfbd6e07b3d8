import { writeWithinMs } from '#contract/durations.ts'

/** Calls `onStall` when `writeWithinMs` have passed since the start or the last `heard`, unless `stop` came first. */
export function createStallTimer(onStall: () => void) {
  let timer = setTimeout(onStall, writeWithinMs)
  const stop = () => clearTimeout(timer)
  return {
    stop,
    heard: () => {
      stop()
      timer = setTimeout(onStall, writeWithinMs)
    },
  }
}
