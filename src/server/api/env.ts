import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Encodings } from '../edge/encodings.ts'
import type { SessionInfo } from '../access/auth.ts'
import type { SentForm } from '../messages/plain-form.ts'

/** What travels with a request through the calls. */
export interface AppEnv {
  Variables: {
    /** The one id of this request, in its answer and in every log line about it. */
    requestId: string
    /** For how long shared caches may keep what everybody gets alike; see `Config`. */
    sharedCacheS?: number
    /** What was answered, when everybody gets it alike until the content changes. */
    fresh?: { readonly etag: string; readonly body: Encodings; readonly compressible: boolean }
    /** Set by the guard: whose call it is. */
    session?: SessionInfo
    /** A contact form that came without JavaScript: whatever goes wrong, its words go back. */
    posted?: SentForm
  }
  Bindings: HttpBindings
}

/** What was asked, and by whom: as much of a context as every route's has in common. */
export interface Call {
  readonly req: Pick<Context<AppEnv>['req'], 'header' | 'method' | 'path'>
  readonly var: Pick<AppEnv['Variables'], 'session'>
}
