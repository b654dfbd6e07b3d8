import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { readConfig } from '#server/config.ts'
import { authRoutes } from '#server/access/routes.ts'
import type { AppEnv } from '#server/api/env.ts'
import { clientAddress, requireAdmin } from '#server/api/guard.ts'
import { problemResponse } from '#server/problem.ts'
import { setupRoutes } from '#server/access/setup-routes.ts'
import { toProblem } from '#server/edge/to-problem.ts'
import type { Access } from './owner-access.ts'
import { listenOnLoopback } from './loopback.ts'
import { inTurns } from './turns.ts'

interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Calls {
  readonly port: number
  readonly call: (
    method: string,
    path: string,
    options?: CallOptions,
  ) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
}

/**
 * The calls of the owner's access on a real socket, with three more behind them: `open` answers anybody, `closed` the
 * owner alone, `address` says where it was called from.
 */
export async function startCalls({ processes }: Access, trustProxy = 0): Promise<Calls> {
  const config = { ...readConfig({}), trustProxy }
  const appOf = ({ auth }: Pick<Access, 'auth'>) => {
    const app = new Hono<AppEnv>().basePath('/api')
    app.route('/', authRoutes({ auth, config }))
    app.route('/', setupRoutes({ auth }))
    app.get('/open', (c) => c.text('open'))
    app.get('/address', (c) => c.text(clientAddress(c, config)))
    app.put('/closed', requireAdmin({ auth }), (c) => c.text(c.var.session.userName))
    app.onError((error) => problemResponse(toProblem(error), 'request'))
    return app
  }
  const [first, ...others] = processes
  const next = inTurns(appOf(first), ...others.map(appOf))
  const server = createAdaptorServer({ fetch: (...request) => next().fetch(...request) })
  const port = await listenOnLoopback(server)
  onTestFinished(() => void server.close())
  return {
    port,
    async call(method, path, { body, headers } = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
}
