import { unavailable, type Problem } from '../problem.ts'

interface Waiting {
  readonly rank: number
  readonly isGone: () => boolean
  readonly start: () => void
  readonly refuse: (reason: Problem) => void
}

/**
 * Runs one piece of work at a time, the lowest rank first. Work whose caller is gone, as `isGone` tells, comes before
 * all, so that it does not pile up: it must end at once by itself.
 */
type FairQueue = <T>(rank: number, work: () => Promise<T>, isGone?: () => boolean) => Promise<T>

/**
 * One of so many turns goes to the work that has waited longest, which new low ranks would otherwise keep out for good.
 */
const turnsPerOldest = 4

/**
 * A crowd of high ranks cannot keep a low one out: when too many wait, the highest rank is refused with 503, which may
 * be one that waits already.
 */
export function createFairQueue(maxWaiting: number): FairQueue {
  const waiting: Waiting[] = []
  let isBusy = false
  let turns = 0

  const indexOfNext = (): number => {
    const gone = waiting.findIndex(({ isGone }) => isGone())
    if (gone !== -1) return gone
    if (++turns % turnsPerOldest === 0) return 0
    const lowest = Math.min(...waiting.map(({ rank }) => rank))
    return waiting.findIndex(({ rank }) => rank === lowest)
  }
  const next = (): void => {
    const [first] = waiting.splice(indexOfNext(), 1)
    isBusy = first !== undefined
    first?.start()
  }
  const turn = (rank: number, isGone: () => boolean) =>
    new Promise<void>((start, refuse) => {
      waiting.push({ rank, isGone, start, refuse })
      if (waiting.length <= maxWaiting) return
      const highest = Math.max(...waiting.map((one) => one.rank))
      const [last] = waiting.splice(
        waiting.findLastIndex((one) => one.rank === highest),
        1,
      )
      last?.refuse(unavailable())
    })
  return async (rank, work, isGone = () => false) => {
    if (isBusy) await turn(rank, isGone)
    isBusy = true
    try {
      return await work()
    } finally {
      if (waiting.length > 0) next()
      else isBusy = false
    }
  }
}
