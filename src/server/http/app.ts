import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { formAgeHeader, honeypotHeader, idempotencyHeader, replayedHeader } from '#contract/api.ts'
import type { Parts } from '../parts.ts'
import { authRoutes } from './auth.ts'
import { configRoutes } from './config-calls.ts'
import { contactRoutes } from './contact.ts'
import { deviceRoutes } from './devices.ts'
import type { AppEnv } from './env.ts'
import { firebaseRoutes } from './firebase.ts'
import { healthRoutes } from './health.ts'
import { imageRoutes } from './images.ts'
import { createKnownMethods } from './known-methods.ts'
import { messageRoutes } from './messages.ts'
import { personRoutes } from './person.ts'
import { Problem, problemResponse } from './problem.ts'
import { limitReads } from './rate-limits.ts'
import { readBeforeRefusing } from './read-before-refusing.ts'
import { createRequestIds, requestIdHeader } from './request-ids.ts'
import { sectionRoutes } from './sections.ts'
import { setupRoutes } from './setup.ts'
import { toProblem } from './to-problem.ts'
import { typingRoutes } from './typing.ts'

const groups = [
  sectionRoutes,
  personRoutes,
  contactRoutes,
  messageRoutes,
  deviceRoutes,
  configRoutes,
  healthRoutes,
  firebaseRoutes,
  authRoutes,
  setupRoutes,
  imageRoutes,
  typingRoutes,
] as const

/** Every call of the product, under `/api`. Whatever is thrown on the way becomes an answer here. */
export function createApp(parts: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>().basePath('/api')
  app.use(nameRequests())
  if (parts.config.allowedOrigins.length > 0) app.use(allowOrigins(parts.config.allowedOrigins))
  app.use(readBeforeRefusing)
  app.use(limitReads(parts))
  for (const group of groups) app.route('/', group(parts))
  app.all('*', answerUnknown(createKnownMethods(app)))
  app.onError((error, c) => answerError(parts, error, c))
  return app
}

function nameRequests(): MiddlewareHandler<AppEnv> {
  const nextId = createRequestIds()
  return async (c, next) => {
    c.set('requestId', nextId())
    await next()
    c.res.headers.set(requestIdHeader, c.var.requestId)
  }
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
    exposeHeaders: ['ETag', 'Location', 'Retry-After', replayedHeader, requestIdHeader],
    maxAge: 86_400,
  })
}

/** What no route takes: 404 for an unknown path, else the methods it has. */
function answerUnknown(methodsOf: (path: string) => readonly string[]) {
  return (c: Context<AppEnv>): Response => {
    const methods = methodsOf(c.req.path)
    if (methods.length === 0) throw new Problem('no-encontrado')
    const allow = methods.join(', ')
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow })
    throw new Problem('metodo-no-permitido', { headers: { allow } })
  }
}

function answerError({ log }: Parts, error: Error, c: Context<AppEnv>): Response {
  const problem = toProblem(error)
  const { requestId } = c.var
  if (problem.status >= 500) {
    const { method, path } = c.req
    log('call-failed', { requestId, method, path, code: problem.code, error: describe(error) })
  }
  return problemResponse(problem, requestId)
}

/** The stack of what went wrong first. */
function describe(error: Error): string {
  const origin = error.cause instanceof Error ? error.cause : error
  return origin.stack ?? origin.message
}
