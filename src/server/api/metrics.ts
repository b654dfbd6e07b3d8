import { hash, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Hono, type MiddlewareHandler } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import { isAhead } from '../backup/retention.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'
import { noStore } from '../edge/shared-cache.ts'
import { sessionNeeded } from './guard.ts'

type MetricsServices = Pick<Services, 'backups' | 'config' | 'db' | 'now'>

/** Upper bounds, in seconds, of the counted durations. */
const bounds = [0.005, 0.02, 0.1, 0.5, 2, 10]

interface Counts {
  readonly calls: Map<string, number>
  readonly within: number[]
  seconds: number
}

export interface Metrics {
  readonly count: MiddlewareHandler<AppEnv>
  /** Counts a call that was answered without the app, once its answer has been sent. */
  note(res: ServerResponse, begun: number): void
  readonly routes: Hono<AppEnv>
}

/** Without a token the address does not exist. */
export function createMetrics(services: MetricsServices): Metrics {
  const app = new Hono<AppEnv>()
  const token = services.config.metricsToken
  if (token === undefined) return { count: (_, next) => next(), note: () => undefined, routes: app }
  const counts: Counts = { calls: new Map(), within: bounds.map(() => 0), seconds: 0 }
  const delay = monitorEventLoopDelay()
  delay.enable()
  app.get(`/${ownerCalls.metrics}`, async (c) => {
    if (!isToken(c.req.header('authorization') ?? '', token)) throw sessionNeeded()
    const lag = delay.percentile(99) / 1e9
    delay.reset()
    const text = [...countLines(counts), ...processLines(lag), ...(await siteLines(services))]
    return c.body(`${text.join('\n')}\n`, 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      ...noStore,
    })
  })
  return {
    count: async (c, next) => {
      const begun = performance.now()
      await next()
      countCall(counts, { method: c.req.method, status: c.res.status, begun })
    },
    note: (res, begun) => {
      const { method = '' } = res.req
      res.once('finish', () => countCall(counts, { method, status: res.statusCode, begun }))
    },
    routes: app,
  }
}

interface CountedCall {
  readonly method: string
  readonly status: number
  readonly begun: number
}

function countCall(counts: Counts, { method, status, begun }: CountedCall): void {
  const seconds = (performance.now() - begun) / 1000
  const key = `method="${methodOf(method)}",status="${status}"`
  counts.calls.set(key, (counts.calls.get(key) ?? 0) + 1)
  counts.seconds += seconds
  for (const [i, bound] of bounds.entries()) {
    if (seconds <= bound) counts.within[i] = (counts.within[i] ?? 0) + 1
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
/** A caller may make methods up; the number of kept names must not grow with that. */
const methodOf = (method: string) => (methods.has(method) ? method : 'other')

function countLines({ calls: made, within, seconds }: Counts): readonly string[] {
  const total = [...made.values()].reduce((sum, n) => sum + n, 0)
  const name = 'tintero_call_seconds'
  return [
    '# TYPE tintero_calls_total counter',
    ...[...made].map(([labels, n]) => `tintero_calls_total{${labels}} ${n}`),
    `# TYPE ${name} histogram`,
    ...bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${within[i]}`),
    `${name}_bucket{le="+Inf"} ${total}`,
    `${name}_sum ${seconds}`,
    `${name}_count ${total}`,
  ]
}

function processLines(lag: number): readonly string[] {
  const { user, system } = process.cpuUsage()
  return [
    ...gauge('process_resident_memory_bytes', process.memoryUsage.rss()),
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    ...gauge('nodejs_eventloop_lag_p99_seconds', lag),
  ]
}

async function siteLines(services: MetricsServices): Promise<readonly string[]> {
  // The figures matter most while the database is away, so those that need none are still told.
  const jobs = await jobLines(services).catch(() => undefined)
  const { backups, now } = services
  // As long as their folder cannot be read none can be made there either.
  const listed = await backups.list().catch(() => undefined)
  const newest = listed?.find((backup) => backup.state !== 'damaged' && !isAhead(backup, now()))
  return [
    ...gauge('tintero_database_up', jobs ? 1 : 0),
    ...(jobs ?? []),
    ...(newest
      ? gauge('tintero_backup_age_seconds', (now().getTime() - newest.madeAt.getTime()) / 1000)
      : []),
    ...gauge('tintero_backup_failed', backups.failure || !listed ? 1 : 0),
  ]
}

async function jobLines({ db }: Pick<MetricsServices, 'db'>): Promise<readonly string[]> {
  const waiting = await db
    .selectFrom('job')
    .select((e) => ['state', e.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const of = (state: string) => waiting.find((row) => row.state === state)?.n ?? 0
  return [
    ...gauge('tintero_jobs_pending', of('pending')),
    ...gauge('tintero_jobs_dead', of('dead')),
  ]
}

const gauge = (name: string, value: number) => [`# TYPE ${name} gauge`, `${name} ${value}`]

const digest = (text: string) => hash('sha256', text, 'buffer')
const isToken = (header: string, token: string) =>
  timingSafeEqual(digest(header), digest(`Bearer ${token}`))
