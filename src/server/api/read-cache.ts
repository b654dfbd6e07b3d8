import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { ownHeader } from '#contract/api.ts'
import { endOfDay } from '#contract/durations.ts'
import { publicKinds } from '#contract/offline/public-kinds.ts'
import type { RevisionMemo } from '../pages/revision-memo.ts'
import { storeAnswer, type StoredAnswer } from '../edge/stored-answer.ts'
import type { HeaderList } from '../edge/security-headers.ts'
import type { AppEnv } from './env.ts'

/*
 * Keeps the answers to visitors' reads of the content until any content changes or the day ends: most reads then cost
 * no query and none of the work that all calls share.
 */

/** Entries are many; beyond so many addresses the memory starts empty. */
const mostKept = 1000

const readable = new RegExp(`^/api/(?:${publicKinds.join('|')})(?:/[\\w-]+)*$`)

interface Kept {
  readonly revision: number
  readonly answer: StoredAnswer
  /** In milliseconds. A clock that is set back makes an age or a date wrong, too. */
  readonly since: number
  /** In milliseconds; after it the answer may show an age or a date that is no longer right. */
  readonly until: number
}

/** The listener reads from these answers and the calls fill them. */
export interface ReadCache {
  /** Told of an answer that is about to be given, and of when its request began. */
  note(res: ServerResponse, begun: number): void
  /** Undefined where the calls have to answer. */
  find(req: IncomingMessage): StoredAnswer | Promise<StoredAnswer | undefined> | undefined
  readonly keep: MiddlewareHandler<AppEnv>
}

interface ReadCacheOptions extends Pick<ReadCache, 'note'> {
  readonly revision: RevisionMemo
  readonly headers: HeaderList
  /** What else than its address an answer hangs on, in one header: some proxies read the last of several alone. */
  readonly vary: readonly string[]
  readonly now: () => Date
  /** Counts one more read of its address; false when there were too many. */
  mayRead(req: IncomingMessage): boolean
}

/** Keeps the answers of visitors’ reads in memory, each until the revision that it was made of has passed. */
export function createReadCache({
  revision,
  headers,
  vary,
  now,
  mayRead,
  note,
}: ReadCacheOptions): ReadCache {
  const kept = new Map<string, Kept>()
  const current = (req: IncomingMessage, known: number) => {
    const one = kept.get(req.url ?? '')
    const time = now().getTime()
    const isCurrent = one?.revision === known && one.since <= time && time < one.until
    // The calls count every read that is not answered here, and refuse what is too much.
    return isCurrent && mayRead(req) ? one.answer : undefined
  }
  return {
    note,
    find: (req) => {
      if (!kept.has(req.url ?? '') || !isVisitors(req)) return undefined
      const known = revision.known()
      if (known !== undefined) return current(req, known)
      return revision.read().then(
        (read) => current(req, read),
        // The call itself tells what is wrong.
        () => undefined,
      )
    },
    keep: async (c, next) => {
      const { incoming } = c.env ?? {}
      if (!incoming || !readable.test(incoming.url ?? '') || !isVisitors(incoming)) return next()
      // Read before the rows: a change in between then only costs one more reading.
      const begun = revision.known() ?? (await revision.read())
      const since = now().getTime()
      await next()
      const { fresh } = c.var
      if (!fresh || c.res.status !== 200) return
      const own = ['content-type', 'cache-control', 'cdn-cache-control'].flatMap((name) => {
        const value = c.res.headers.get(name)
        return value === null ? [] : [name, value]
      })
      if (kept.size >= mostKept) kept.clear()
      const answer = storeAnswer({
        status: 200,
        headers: [...headers, ...own, ownHeader, '1'],
        vary,
        ...fresh,
      })
      const until = endOfDay(since)
      kept.set(incoming.url ?? '', { revision: begun, answer, since, until })
    },
  }
}

/** A request that names its sender, or comes from another site's page, gets an answer of its own. */
function isVisitors({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { authorization, cookie, origin } = headers
  return authorization === undefined && cookie === undefined && origin === undefined
}
