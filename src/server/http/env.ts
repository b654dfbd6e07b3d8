import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
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

/** What was asked, and by whom: as much of a context as every route's has in common. */
export interface Call {
  readonly req: Pick<Context<AppEnv>['req'], 'header' | 'method' | 'path'>
  readonly var: Pick<AppEnv['Variables'], 'session'>
}
