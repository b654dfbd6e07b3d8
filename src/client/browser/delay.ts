/** Resolves after so many milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Longer than any healthy device takes to read something kept, in milliseconds: a database that never opens holds no page up. */
const readWithinMs = 2_000

/** The same for what has to be kept before anything else goes on, which writes whole pictures to disk. */
export const keptWithinMs = 10_000

/** What the device answers, or a rejection when it takes too long over it. */
export async function inTime<T>(answer: Promise<T>, withinMs = readWithinMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the device does not answer')), withinMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
