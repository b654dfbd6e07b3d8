import type { HttpBindings } from '@hono/node-server'
import type { SessionInfo } from '../auth/auth.ts'

/** What travels with a request through the calls. */
export interface AppEnv {
  Variables: {
    /** The one id of this request, in its answer and in every log line about it. */
    requestId: string
    /** Set by the guard: whose call it is. */
    session?: SessionInfo
  }
  Bindings: HttpBindings
}
