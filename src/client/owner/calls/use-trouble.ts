import { ApiError } from '#client/data/api.ts'
import { connection } from '#client/browser/connection.ts'
import { useStore } from '#client/ui/store.ts'

/** No network, no answer, an ended session, or a refusal by the server. */
export type Trouble = 'offline' | 'silent' | 'session' | 'refused'

/** Undefined without an error; follows the connection. */
export function useTrouble(error: Error | null): Trouble | undefined {
  const isOffline = useStore(connection, 'online') === 'offline'
  return error ? troubleOf(error, isOffline) : undefined
}

/** An error that the server answered with is no trouble of the connection. */
export function troubleOf(error: Error, isOffline: boolean): Trouble {
  if (error instanceof ApiError) return error.status === 401 ? 'session' : 'refused'
  return isOffline ? 'offline' : 'silent'
}
