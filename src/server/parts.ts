import type { Auth } from './auth/auth.ts'
import type { Config } from './config.ts'
import type { Db, Engine } from './db/tables.ts'
import type { ImageStore } from './images/store.ts'
import type { Jobs } from './jobs/worker.ts'
import type { Log } from './log.ts'
import type { FormAge } from './messages/form-age.ts'
import type { Push } from './push/push.ts'
import type { TypedTitle } from './typed-title/typed-title.ts'

/** Everything the calls stand on; made once at start, or by a test. */
export interface Parts {
  readonly db: Db
  readonly engine: Engine
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  readonly images: ImageStore
  readonly auth: Auth
  readonly typedTitle: TypedTitle
  readonly push: Push
  readonly formAge: FormAge
  readonly jobs: Jobs
  /** The Firebase project that the pages were built for. */
  readonly pagesProject?: string
}
