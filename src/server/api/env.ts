import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Encodings } from '../edge/encodings.ts'
import type { SessionInfo } from '../access/auth.ts'
import type { SentForm } from '../messages/plain-form.ts'

export interface AppEnv {
  Variables: {
    /** The one id of this request, in its answer and in every log line about it. */
    requestId: string
    /** For how long shared caches may keep what everybody gets alike; see `Config`. */
    sharedCacheS?: number
    /** The answer, when it is the same for everybody until the content changes. */
    fresh?: { readonly etag: string; readonly body: Encodings; readonly compressible: boolean }
    /** Set by the guard. */
    session?: SessionInfo
    /** A contact form that was sent without JavaScript: whatever goes wrong, its words are shown again. */
    posted?: SentForm
  }
  Bindings: HttpBindings
}

/** The part of a context that every route's has in common. */
export interface Call {
  readonly req: Pick<Context<AppEnv>['req'], 'header' | 'method' | 'path'>
  readonly var: Pick<AppEnv['Variables'], 'session'>
}
