/** Waits so many milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Longer than any healthy device takes to read a kept value, in milliseconds, so that a database that never opens does
 * not hold up the page.
 */
const readWithinMs = 2_000

/** The limit in milliseconds for writes that must be kept before anything else goes on, such as whole pictures. */
export const keptWithinMs = 10_000

/** Rejects when the answer takes longer than `withinMs`. */
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
