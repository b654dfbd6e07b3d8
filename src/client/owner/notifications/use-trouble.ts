import { ApiError } from '#client/data/api.ts'
import { connection } from '#client/browser/connection.ts'
import { useStore } from '#client/ui/store.ts'

/** Why something could not be read: no network, no answer, a session that is over, or a server that says no. */
export type Trouble = 'offline' | 'silent' | 'session' | 'refused'

/** Tells the kinds of trouble apart; undefined without an error. Follows the connection. */
export function useTrouble(error: Error | null): Trouble | undefined {
  const isOffline = useStore(connection, 'online') === 'offline'
  return error ? troubleOf(error, isOffline) : undefined
}

/** The kind of trouble behind an error: an answer is none of the connection's. */
export function troubleOf(error: Error, isOffline: boolean): Trouble {
  if (error instanceof ApiError) return error.status === 401 ? 'session' : 'refused'
  return isOffline ? 'offline' : 'silent'
}
