import { randomBytes } from 'node:crypto'

export const requestIdHeader = 'x-request-id'

/** The prefix tells one start of the program from another. */
export function createRequestIds(prefix = randomBytes(5).toString('hex')): () => string {
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}
