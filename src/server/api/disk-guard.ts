import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'
import { Problem } from '../problem.ts'

const downloads = /^\/api\/backups\/[^/]+\/link$/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** While the disk is full only what lets the owner make room passes: signing in and out, deleting, and taking a backup elsewhere. */
export function whileRoom({ room }: Pick<Services, 'room'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, path } = c.req
    const makesRoom = method === 'DELETE' || path.startsWith('/api/auth/') || downloads.test(path)
    if (!reads.has(method) && room?.isScarce() && !makesRoom) throw new Problem('sin-espacio')
    await next()
  }
}
