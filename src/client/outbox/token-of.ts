import { getSession } from '#client/data/session.ts'
import { isForeign, type Operation } from './operation.ts'

/**
 * The token that a change goes out with. Throws where another account has signed in since the change was taken up, as
 * while its picture went up: it waits for its own.
 */
export function tokenOf(operation: Operation): string | undefined {
  const session = getSession()
  if (isForeign(operation, session)) throw new Error('another account')
  return session.token
}
