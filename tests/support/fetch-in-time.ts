/** However busy the machine is, a server that does not answer a call for so long, in milliseconds, hangs. */
const answersWithinMs = 90_000

/** As `fetch`, for servers of the tests' own: rejects with a `TimeoutError` when no whole answer comes in time. */
export function fetchInTime(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, signal: AbortSignal.timeout(answersWithinMs) })
}
