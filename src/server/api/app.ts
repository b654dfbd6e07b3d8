import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { routePath } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import { accessCalls } from '#contract/access/access.ts'
import {
  calls,
  formAgeHeader,
  honeypotHeader,
  idempotencyHeader,
  ownHeader,
  replayedHeader,
} from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { recoverCall } from '#contract/access/recover.ts'
import { createThrottledLog, requestOf } from '../log.ts'
import type { Services } from '../services.ts'
import { authRoutes } from '../access/routes.ts'
import { backupRoutes } from '../backup/routes.ts'
import { binRoutes } from '../entries/bin-routes.ts'
import { hiddenRoutes } from '../entries/hidden-routes.ts'
import { configRoutes } from '../settings/routes.ts'
import { contactRoutes } from '../messages/contact-routes.ts'
import { copyRoutes } from '../export/routes.ts'
import { deviceRoutes } from '../notifications/routes.ts'
import type { AppEnv } from './env.ts'
import { firebaseRoutes } from '../firebase/routes.ts'
import { healthRoutes } from './health.ts'
import { historyRoutes } from '../entries/history-routes.ts'
import { imageRoutes } from '../images/routes.ts'
import { createCounts, type CountCall } from '../edge/address-counts.ts'
import { keptRoutes } from '../access/kept-routes.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { linkRoutes } from '../links/routes.ts'
import { recoverRoutes } from '../mail/routes.ts'
import { messageRoutes } from '../messages/routes.ts'
import { openSessionRoutes } from '../access/open-sessions-routes.ts'
import { passkeyRoutes } from '../access/passkey-routes.ts'
import { personRoutes } from '../person/routes.ts'
import { faultOf, Problem, problemResponse } from '../problem.ts'
import { limitPosts, limitReads } from './rate-limits.ts'
import { readBeforeRefusing } from '../edge/read-before-refusing.ts'
import { createRequestIds, requestIdHeader } from '../edge/request-ids.ts'
import { resumeRoutes } from '../resume/routes.ts'
import { sectionRoutes } from '../entries/routes.ts'
import { setupRoutes } from '../access/setup-routes.ts'
import { toProblem } from '../edge/to-problem.ts'
import { typingRoutes } from '../typed-title/routes.ts'

const groups = [
  sectionRoutes,
  binRoutes,
  historyRoutes,
  hiddenRoutes,
  personRoutes,
  resumeRoutes,
  contactRoutes,
  messageRoutes,
  deviceRoutes,
  configRoutes,
  healthRoutes,
  firebaseRoutes,
  authRoutes,
  keptRoutes,
  openSessionRoutes,
  passkeyRoutes,
  setupRoutes,
  imageRoutes,
  typingRoutes,
  backupRoutes,
  linkRoutes,
  recoverRoutes,
] as const

const postedByStrangers = [
  ownerCalls.login,
  ownerCalls.setup,
  ownerCalls.setupCheck,
  calls.contact,
  recoverCall,
  accessCalls.passkeyChallenge,
  accessCalls.passkeySignIn,
]

/** What a device that keeps the owner's session posts; strangers on her network must not use up its limit. */
const postedByKept = [
  accessCalls.kept,
  accessCalls.keep,
  accessCalls.keepNoLonger,
  accessCalls.endLeft,
]

/** What the calls share with the listener, which answers some of them by itself. */
interface Shared {
  readonly metrics?: Metrics
  readonly countRead?: CountCall
  readonly keep?: MiddlewareHandler<AppEnv>
  /** What a static copy is drawn from; without it none is made. */
  readonly copied?: Parameters<typeof copyRoutes>[1]
}

/** Every call of the product, under `/api`. Whatever a call throws becomes an answer here. */
export function createApp(services: Services, shared: Shared = {}): Hono<AppEnv> {
  const {
    metrics = createMetrics(services),
    countRead = createCounts(services.config.limits.reads, services.now),
    keep,
    copied,
  } = shared
  const app = new Hono<AppEnv>().basePath('/api')
  app.use(markAnswers())
  app.use(async (c, next) => {
    c.set('sharedCacheS', services.config.sharedCacheS)
    await next()
  })
  app.use(metrics.count)
  if (services.config.allowedOrigins.length > 0) {
    app.use(allowOrigins(services.config.allowedOrigins))
  }
  app.use(readBeforeRefusing)
  const limitByAddress = limitPosts(services)
  const limitRenewals = limitPosts(services, services.config.limits.renewals)
  app.use(limitReads(services, countRead))
  app.use(rejectUnstorable)
  for (const path of postedByStrangers) app.use(`/${path}`, limitByAddress)
  for (const path of postedByKept) app.use(`/${path}`, limitRenewals)
  app.use(whileRoom(services))
  if (keep) app.use(keep)
  for (const group of groups) app.route('/', group(services))
  if (copied) app.route('/', copyRoutes(services, copied))
  app.route('/', metrics.routes)
  app.all('*', answerUnknown(methodsByPath(app)))
  app.onError(answerErrors(services))
  return app
}

/** Marks every answer as ours, and gives it the id under which the log names it. */
function markAnswers(): MiddlewareHandler<AppEnv> {
  const nextId = createRequestIds()
  return async (c, next) => {
    // The listener, where there is one, has set the id already.
    const named = c.env?.outgoing?.getHeader(requestIdHeader)
    const id = typeof named === 'string' ? named : nextId()
    c.set('requestId', id)
    await requestOf.run(id, next)
    c.res.headers.set(requestIdHeader, c.var.requestId)
    c.res.headers.set(ownHeader, '1')
  }
}

/** No database holds a NUL, which PostgreSQL takes for a fault: nothing is found under a name that has one. */
const rejectUnstorable: MiddlewareHandler<AppEnv> = async ({ req }, next) => {
  if (req.url.replace(/\?.*/s, '').includes('%00')) throw new Problem('no-encontrado')
  await next()
}

/** Lets pages of these origins call; every other page is held to the browser's own rule. */
function allowOrigins(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'If-Match',
      'If-None-Match',
      idempotencyHeader,
      formAgeHeader,
      honeypotHeader,
    ],
    exposeHeaders: ['ETag', 'Location', 'Retry-After', replayedHeader, requestIdHeader, ownHeader],
    maxAge: 86_400,
  })
}

/** `HEAD` and `OPTIONS` are included; an unknown path has none. */
function methodsByPath({ routes }: Hono<AppEnv>): (path: string) => readonly string[] {
  const router = new TrieRouter<string>()
  for (const { method, path } of routes) {
    if (method !== 'ALL') router.add('ALL', path, method)
  }
  return (path) => {
    const own = new Set(router.match('ALL', path)[0].map(([method]) => method))
    if (own.size === 0) return []
    if (own.has('GET')) own.add('HEAD')
    return [...own.add('OPTIONS')]
  }
}

/** Answers 404 for an unknown path, else 405 with the methods that the path has. */
function answerUnknown(methodsOf: (path: string) => readonly string[]) {
  return (c: Context<AppEnv>): Response => {
    const methods = methodsOf(c.req.path)
    if (methods.length === 0) throw new Problem('no-encontrado')
    const allow = methods.join(', ')
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow })
    throw new Problem('metodo-no-permitido', { headers: { allow } })
  }
}

/** Turns what was thrown into an answer. A refusal is no fault, so its stack is not logged. */
function answerErrors({ log, now }: Services) {
  const trouble = createThrottledLog(log, now)
  return (error: Error, c: Context<AppEnv>): Response => {
    const problem = toProblem(error)
    const { requestId } = c.var
    const { code } = problem
    if (problem.status >= 500) {
      const { method, path } = c.req
      trouble('call-failed', `${code} ${routePath(c)}`, () => ({
        requestId,
        method,
        path,
        code,
        ...faultOf(error),
      }))
    }
    return problemResponse(problem, requestId)
  }
}

const downloads = /^\/api\/backups\/[^/]+\/link$/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * While the disk is full, only calls pass that let the owner make room: signing in and out, deleting, and downloading
 * a backup.
 */
function whileRoom({ room }: Pick<Services, 'room'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, path } = c.req
    const makesRoom = method === 'DELETE' || path.startsWith('/api/auth/') || downloads.test(path)
    if (!reads.has(method) && room?.isScarce() && !makesRoom) throw new Problem('sin-espacio')
    await next()
  }
}
