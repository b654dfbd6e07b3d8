import { setImmediate as realTurn } from 'node:timers/promises'

/** The moment at which every history begins, in milliseconds since 1970. */
export const begins = Date.parse('2031-03-01T10:00:00Z')

interface Due {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

export type Clock = ReturnType<typeof createClock>

/**
 * A time that moves only by hand. What is due runs one after the other, each when everything before it has come to rest: the
 * same history always takes the same course, whatever the machine does.
 */
export function createClock() {
  const due: Due[] = []
  const underWay = new Set<Promise<unknown>>()
  let now = 0
  let order = 0

  /** Runs something after so many milliseconds; returns how to call it off. */
  function after(ms: number, run: () => void): () => void {
    const entry = { at: now + Math.max(0, ms), order: order++, run }
    const place = due.findLastIndex(({ at }) => at <= entry.at) + 1
    due.splice(place, 0, entry)
    return () => {
      const index = due.indexOf(entry)
      if (index !== -1) due.splice(index, 1)
    }
  }

  /** Resolves once nothing is left to do at this moment. */
  async function rest(): Promise<void> {
    await realTurn()
    await realTurn()
    while (underWay.size > 0) {
      await Promise.allSettled(underWay)
      await realTurn()
      await realTurn()
    }
  }

  return {
    now: () => now,
    after,
    /** Has time stand still until this is done, which is done in the machine's own time. */
    meanwhile: <T>(work: Promise<T>): Promise<T> => {
      underWay.add(work)
      const done = () => void underWay.delete(work)
      // oxlint-disable-next-line promise/no-callback-in-promise -- nobody is called back, a place is given up
      work.then(done, done)
      return work
    },
    /** Lets so many milliseconds pass, with everything that is due in them. */
    pass: async (ms: number): Promise<void> => {
      const end = now + ms
      await rest()
      for (let next = due[0]; next && next.at <= end; next = due[0]) {
        due.shift()
        now = next.at
        next.run()
        await rest()
      }
      now = end
    },
  }
}
