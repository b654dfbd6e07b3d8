/** Runs its jobs one after the other, in the order they came. */
type JobQueue = <T>(job: () => Promise<T>) => Promise<T>

/** A queue that runs one job at a time, in the order in which they were given. */
export function createJobQueue(): JobQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const mine = last.then(job)
    // The next job waits for the end of this one, however it ends; this one's own caller hears of its failure.
    last = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }
}
