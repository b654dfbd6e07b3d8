import type { Context, MiddlewareHandler } from 'hono'
import { adminRole } from '#contract/access/session.ts'
import type { SessionInfo } from '../access/session.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { addressOf } from '../edge/client-address.ts'
import type { AppEnv } from './env.ts'
import { markKnown } from '../edge/known-callers.ts'
import { Problem } from '../problem.ts'

/** Two headers arrive joined by a comma and so never match. */
const bearer = /^bearer ?([A-Za-z0-9_-]{43})$/i

/** Undefined without a header, or when it is not well formed. */
export async function sessionOfHeader(
  { auth }: Pick<Services, 'auth'>,
  authorization: string | undefined,
): Promise<SessionInfo | undefined> {
  const token = bearer.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : auth.findSession(token)
}

type SessionEnv = AppEnv & { Variables: { session: SessionInfo } }

/** Answers 401 without a living session, which is then in the context as `session`. */
export function requireSession(services: Pick<Services, 'auth'>): MiddlewareHandler<SessionEnv> {
  return async (c, next) => {
    c.set('session', await sessionOf(c, services))
    await next()
  }
}

/** Answers 401 without a living session, 403 without the role. */
export function requireAdmin(services: Pick<Services, 'auth'>): MiddlewareHandler<SessionEnv> {
  return async (c, next) => {
    const session = await sessionOf(c, services)
    if (session.role !== adminRole) throw new Problem('prohibido')
    c.set('session', session)
    await next()
  }
}

/** Whether a call that anybody may make is the owner's. */
export async function isOwners(
  { req }: Pick<Context<AppEnv>, 'req'>,
  services: Pick<Services, 'auth'>,
): Promise<boolean> {
  return (await sessionOfHeader(services, req.header('authorization')))?.role === adminRole
}

async function sessionOf(
  c: Context<SessionEnv>,
  services: Pick<Services, 'auth'>,
): Promise<SessionInfo> {
  const session = await sessionOfHeader(services, c.req.header('authorization'))
  if (session) {
    markKnown(c.env?.incoming)
    return session
  }
  throw sessionNeeded()
}

/** The `Problem` 401. */
export function sessionNeeded(): Problem {
  return new Problem('sesion-requerida')
}

/** The sender's address as throttles count it; see `addressOf`. */
export function clientAddress(
  { env, req }: Context<AppEnv>,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): string {
  // Without a connection only the header can tell, as in tests that need no port.
  const headers = env?.incoming?.headers ?? { 'x-forwarded-for': req.header('x-forwarded-for') }
  return addressOf({ headers, socket: env?.incoming?.socket ?? {} }, trustProxy)
}
