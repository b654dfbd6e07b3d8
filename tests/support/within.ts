/** What a step resolves to; one that does not come within so many seconds is a `TimeoutError` that names it, instead of a run without end. */
export async function within<T>(seconds: number, step: string, doing: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const words = `${step} did not come within ${seconds} seconds`
    late.reject(new DOMException(words, 'TimeoutError'))
  }, seconds * 1000)
  return Promise.race([doing, late.promise]).finally(() => clearTimeout(timer))
}
