import { randomBytes } from 'node:crypto'

export const requestIdHeader = 'x-request-id'

/** Their beginning tells one start of the program from another. */
export function createRequestIds(): () => string {
  const prefix = randomBytes(5).toString('hex')
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}
