import type { ProblemBody } from '#contract/problem.ts'
import { readConfig } from '#server/config.ts'
import type { OpenedDb } from '#server/db/open.ts'
import type { Db, Engine } from '#server/db/tables.ts'
import { createApp } from '#server/api/app.ts'
import { createServices, type Services } from '#server/services.ts'
import type { Look } from '#server/links/look.ts'
import { freshFolder, isPaired, openBeside, openFresh, openForTest } from './database.ts'
import { quickDerive } from './owner-access.ts'
import { recordPushes, type PushRecorder } from '../doubles/push-recorder.ts'
import { writeSettings } from '#server/db/settings.ts'
import { everySection } from './site-data.ts'
import { owner } from './site.ts'
import { inTurns } from './turns.ts'

export type Json = Readonly<Record<string, unknown>>

interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, still called JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body, whatever it is; an empty one is undefined. */
  readonly json: unknown
}

type Calling = (method: string, path: string, options?: CallOptions) => Promise<CallAnswer>

/** All calls on a database of their own, with a clock that moves only by hand. */
export interface TestApp {
  readonly services: Services
  /** Those of each process of the site, these first. */
  readonly processes: readonly [Services, ...Services[]]
  readonly db: Db
  /** Calls as a visitor; the path stands below `/api/`. */
  readonly call: Calling
  /** Calls as the signed-in owner. */
  readonly asOwner: Calling
  readonly token: string
  readonly events: readonly Json[]
  /** What left for the owner's devices. */
  readonly pushes: PushRecorder
  pass(ms: number): void
}

export interface AppOptions {
  readonly engine?: Engine
  /** Opens this SQLite file instead of a fresh database. */
  readonly file?: string
  /** Variables of the environment, limits above all. */
  readonly env?: Readonly<Record<string, string>>
  /** The Firebase project that the pages were built for. */
  readonly pagesProject?: string
  /** What looks at links: none is looked at from a test. */
  readonly look?: Look
  /** Turns on the sections that begin off, too. */
  readonly everySection?: true
}

/** Opens the calls on a fresh database whose owner is signed in. */
export async function openApp({
  engine = isPaired ? 'postgres' : 'sqlite',
  file,
  env = {},
  pagesProject,
  look = async () => 'unasked',
  everySection: isEverySection,
}: AppOptions = {}): Promise<TestApp> {
  const opened =
    file === undefined ? await openFresh(engine) : await openForTest({ engine: 'sqlite', file })
  const dataDir = await freshFolder()
  let time = Date.parse('2031-03-01T10:00:00Z')
  const now = () => new Date(time)
  const assembled = { dataDir, env, now, pagesProject, look }
  const { services, events, pushes } = await assemble({ ...assembled, opened })
  const { auth } = services
  await auth.createOwner(owner)
  if (isEverySection) await writeSettings(opened.db, everySection)
  const { token } = await auth.login({ ...owner, address: '' })
  const others: Services[] = []
  if (isPaired && engine === 'postgres' && file === undefined) {
    const beside = { opened: await openBeside(opened.target), events, pushes }
    others.push((await assemble({ ...assembled, ...beside })).services)
  }
  const next = inTurns(createApp(services), ...others.map((other) => createApp(other)))
  const call: Calling = async (method, path, options = {}) => {
    const response = await next().request(`/api/${path}`, toRequest(method, options))
    return { status: response.status, headers: response.headers, json: await readBody(response) }
  }
  return {
    services,
    processes: [services, ...others],
    db: opened.db,
    call,
    asOwner: (method, path, { headers, ...rest } = {}) =>
      call(method, path, { ...rest, headers: { authorization: `Bearer${token}`, ...headers } }),
    token,
    events,
    pushes,
    pass: (ms) => void (time += ms),
  }
}

interface Assembly {
  readonly opened: OpenedDb
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly now: () => Date
  readonly pagesProject?: string | undefined
  readonly look?: Look
  /** What another assembly already writes into. */
  readonly events?: Json[]
  readonly pushes?: PushRecorder
}

/** Everything the calls stand on, over an open database and a data folder; passwords cost nothing, no push leaves. */
export async function assemble({
  opened,
  dataDir,
  env,
  now,
  pagesProject,
  look,
  events = [],
  pushes = recordPushes(),
}: Assembly): Promise<{
  readonly services: Services
  readonly events: Json[]
  readonly pushes: PushRecorder
}> {
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  const log: Services['log'] = (event, facts) => void events.push({ event, ...facts })
  const push = { offer: { publicKey: 'clave', kind: 'webpush' as const }, sender: pushes }
  const quick = { derive: quickDerive, random: () => 0.5, ...(look && { look }) }
  const services = await createServices({ opened, config, log, now, push, pagesProject, ...quick })
  return { services, events, pushes }
}

function toRequest(method: string, { body, raw, headers }: CallOptions): RequestInit {
  if (body === undefined && raw === undefined) return { method, headers: { ...headers } }
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: raw ?? JSON.stringify(body),
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** The services of a refusal that never change: its code and what is wrong with which field. */
export function refusal({ status, json }: CallAnswer): Json {
  const { code, errors } = json as ProblemBody
  return { status, code, ...(errors && { fields: errors.map(({ pointer }) => pointer) }) }
}

/** The members of a JSON answer. */
export function membersOf({ json }: CallAnswer): Json {
  return json as Json
}
