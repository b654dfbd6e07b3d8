/** Runs each work that it is given; resolves to what the work resolves to. */
type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/** A queue that runs one work at a time, in the order in which they were given. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    // The next waits for the end of this one, however it ends; this one's own caller hears of its failure.
    last = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }
}
