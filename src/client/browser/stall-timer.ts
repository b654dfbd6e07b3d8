import { writeWithinMs } from '#contract/durations.ts'

/** Calls `onSilence` when `writeWithinMs` have passed since the start or the last `heard`, unless `stop` came first. */
export function watchSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, writeWithinMs)
  const stop = () => clearTimeout(timer)
  return {
    stop,
    heard: () => {
      stop()
      timer = setTimeout(onSilence, writeWithinMs)
    },
  }
}
