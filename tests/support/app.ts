import { join } from 'node:path'
import type { ProblemBody } from '#contract/problem.ts'
import { createAuth } from '#server/auth/auth.ts'
import { readConfig } from '#server/config.ts'
import type { Db, Engine } from '#server/db/tables.ts'
import { createApp } from '#server/http/app.ts'
import { createLocalImages } from '#server/images/local.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { createJobs } from '#server/jobs/worker.ts'
import { openFormAge } from '#server/messages/form-age.ts'
import type { Parts } from '#server/parts.ts'
import { createTypedTitle } from '#server/typed-title/typed-title.ts'
import { freshFolder, openFresh, openForTest } from './database.ts'
import { quickDerive } from './owner-access.ts'
import { recordPushes, type PushRecorder } from './push-recorder.ts'
import { owner } from './site.ts'

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
  readonly parts: Parts
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

interface AppOptions {
  readonly engine?: Engine
  /** Opens this SQLite file instead of a fresh database. */
  readonly file?: string
  /** Variables of the environment, limits above all. */
  readonly env?: Readonly<Record<string, string>>
  /** The Firebase project that the pages were built for. */
  readonly pagesProject?: string
}

/** Opens the calls on a fresh database whose owner is signed in. */
export async function openApp({
  engine = 'sqlite',
  file,
  env = {},
  pagesProject,
}: AppOptions = {}): Promise<TestApp> {
  const opened =
    file === undefined ? await openFresh(engine) : await openForTest({ engine: 'sqlite', file })
  const { db } = opened
  const config = readConfig({ DATA_DIR: await freshFolder(), ...env })
  const events: Json[] = []
  const log: Parts['log'] = (event, facts) => void events.push({ event, ...facts })
  let time = Date.parse('2031-03-01T10:00:00Z')
  const now = () => new Date(time)
  const auth = createAuth({ db, now, log, limits: config.limits, derive: quickDerive })
  const images = createLocalImages({ dir: join(config.dataDir, 'media'), db, now, log })
  const typedTitle = createTypedTitle()
  const pushes = recordPushes()
  const push = { offer: { publicKey: 'clave', kind: 'webpush' as const }, sender: pushes }
  const handlers = jobHandlers({ db, now, config, sender: pushes })
  const { engine: ofDb } = opened
  const jobs = createJobs({ db, engine: ofDb, now, log, handlers, random: () => 0.5 })
  const formAge = await openFormAge(db, now)
  const stands = { db, engine: ofDb, config, log, now, images, auth, typedTitle }
  const own = pagesProject === undefined ? {} : { pagesProject }
  const parts = { ...stands, push, formAge, jobs, ...own }
  await auth.createOwner(owner)
  const { token } = await auth.login({ ...owner, address: '' })
  const app = createApp(parts)
  const call: Calling = async (method, path, options = {}) => {
    const response = await app.request(`/api/${path}`, toRequest(method, options))
    return { status: response.status, headers: response.headers, json: await readBody(response) }
  }
  return {
    parts,
    db,
    call,
    asOwner: (method, path, { headers, ...rest } = {}) =>
      call(method, path, { ...rest, headers: { authorization: `Bearer${token}`, ...headers } }),
    token,
    events,
    pushes,
    pass: (ms) => void (time += ms),
  }
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

/** The parts of a refusal that never change: its code and what is wrong with which field. */
export function refusal({ status, json }: CallAnswer): Json {
  const { code, errors } = json as ProblemBody
  return { status, code, ...(errors && { fields: errors.map(({ pointer }) => pointer) }) }
}

/** The members of a JSON answer. */
export function membersOf({ json }: CallAnswer): Json {
  return json as Json
}
