import { dayMs } from '#contract/durations.ts'

/** The moment in which the day of a moment ends, in milliseconds: what moves by itself, as an age does, moves then. */
export function endOfDay(moment: number): number {
  return (Math.floor(moment / dayMs) + 1) * dayMs
}
