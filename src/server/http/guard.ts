import { isIPv6 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { adminRole } from '#contract/session.ts'
import type { SessionInfo } from '../auth/session.ts'
import type { Config } from '../config.ts'
import type { Parts } from '../parts.ts'
import type { AppEnv } from './env.ts'
import { Problem } from './problem.ts'

/** Two headers arrive joined by a comma and so never match. */
const bearer = /^bearer ?([A-Za-z0-9_-]{43})$/i

/** The token of the request's Authorization header, undefined unless it is well formed. */
function bearerToken(c: Context<SessionEnv>): string | undefined {
  return bearer.exec(c.req.header('authorization') ?? '')?.[1]
}

type SessionEnv = AppEnv & { Variables: { session: SessionInfo } }

/** Lets only calls with a living session pass, which is then in the context as `session`: else 401. */
export function requireSession({ auth }: Pick<Parts, 'auth'>): MiddlewareHandler<SessionEnv> {
  return async (c, next) => {
    c.set('session', await sessionOf(c, auth))
    await next()
  }
}

/** Lets only the owner's calls pass: 401 without a living session, 403 without the role. */
export function requireAdmin({ auth }: Pick<Parts, 'auth'>): MiddlewareHandler<SessionEnv> {
  return async (c, next) => {
    const session = await sessionOf(c, auth)
    if (session.role !== adminRole) throw new Problem('prohibido')
    c.set('session', session)
    await next()
  }
}

async function sessionOf(c: Context<SessionEnv>, auth: Parts['auth']): Promise<SessionInfo> {
  const token = bearerToken(c)
  const session = token === undefined ? undefined : await auth.findSession(token)
  if (session) return session
  throw new Problem('sesion-requerida', { headers: { 'www-authenticate': 'Bearer' } })
}

/**
 * Where the request comes from, as throttles count it: an IPv4 address or the /64 of an IPv6 one. Forwarded addresses
 * count only as far as `trustProxy` hops are ours; the rest of that header is whatever the sender wrote.
 */
export function clientAddress(c: Context<AppEnv>, config: Pick<Config, 'trustProxy'>): string {
  const socket = c.env?.incoming?.socket.remoteAddress ?? ''
  if (config.trustProxy === 0) return addressKey(socket)
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return addressKey(forwarded.at(-config.trustProxy) || socket)
}

const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/** The network an address belongs to; one household has a whole /64, so single IPv6 addresses mean nothing. */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail = ''] = plain.split('::')
  const missing = plain.includes('::') ? 8 - groups(head).length - groups(tail).length : 0
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
