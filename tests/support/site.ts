import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { personId } from '#contract/limits.ts'
import { fetchInTime } from './fetch-in-time.ts'
import { startServer, type ServerInTurn, type ServerProcess } from './server-process.ts'

/** The owner every test site is made with. */
export const owner = { userName: 'lucia@ejemplo.test', password: 'una frase larga y propia' }

/** A running product with a data folder of its own. */
export interface Site {
  readonly url: string
  readonly dataDir: string
  logs(): string
  /** Sends a call to the API, as the owner unless told otherwise; the body is JSON. */
  call(method: string, path: string, request?: CallRequest): Promise<CallAnswer>
  /** What the browser keeps after signing in; each time another session, the first one that of its beginning. */
  signIn(): Promise<Readonly<Record<string, unknown>>>
  /** What a browser keeps of a session that journeys share, which signs in only where there is none. */
  sharedSession(): Promise<Readonly<Record<string, unknown>>>
  /** Ends the process and starts another on the same data and port. */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same data and port, from another build when its entry file is given. */
  start(entry?: string): Promise<void>
  close(): Promise<void>
}

interface CallRequest {
  readonly body?: unknown
  readonly token?: string | null
}

interface CallAnswer {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

/** What a site begins with that was started before. */
export interface Beginning {
  /** Its data folder, as an orderly end left it. */
  readonly folder: string
  /** What its owner's browser keeps after signing in. */
  readonly session: Readonly<Record<string, unknown>>
}

interface SiteOptions {
  /** Variables beside the data folder and the owner. */
  readonly env?: Readonly<Record<string, string>>
  /** Without an owner the site prints its set-up link. */
  readonly withOwner?: boolean
  /** What to start instead of `dist/server/main.js`. */
  readonly entry?: string
  /** Copied into the data folder, which is otherwise empty. */
  readonly beginning?: Beginning
  /** The process that serves it; without, it has one of its own. */
  readonly process?: ServerInTurn
}

/** Starts the built product on a free port with a data folder of its own. */
export async function openSite({
  env = {},
  withOwner = true,
  entry: firstEntry,
  beginning,
  process: inTurn,
}: SiteOptions = {}): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tintero-site-'))
  if (beginning) cpSync(beginning.folder, dataDir, { recursive: true })
  let unused = beginning?.session
  const credentials = { OWNER_EMAIL: owner.userName, OWNER_PASSWORD: owner.password }
  const variables = { DATA_DIR: dataDir, ...(withOwner ? credentials : {}), ...env }
  let server = await (inTurn?.start(variables) ?? startServer(variables, firstEntry))
  const { url } = server
  let shared: Readonly<Record<string, unknown>> | undefined

  const send: Site['call'] = async (method, path, request = {}) => {
    const call = { method, path, body: request.body }
    if (request.token !== undefined) return sendCall(server, { ...call, token: request.token })
    const answer = await sendCall(server, { ...call, token: await ownerToken() })
    if (answer.status !== 401) return answer
    // Journeys that share a site may sign in more often than sessions are kept, and the oldest ends.
    shared = undefined
    return sendCall(server, { ...call, token: await ownerToken() })
  }
  const signIn = async () => {
    if (unused) {
      const session = unused
      unused = undefined
      return session
    }
    const request = { method: 'POST', path: ownerCalls.login, body: owner, token: null }
    const { status, json } = await sendCall(server, request)
    if (status !== 200) throw new Error(`signing in was answered ${status}`)
    return json
  }
  const sharedSession = async () => {
    // Answered with a refusal where it has ended, it is made anew.
    await send('GET', ownerCalls.messages)
    return (shared ??= await signIn())
  }
  const ownerToken = async () => String((shared ??= await signIn())['token'])

  const start = async (entry = firstEntry) => {
    server = await startServer({ ...variables, PORT: new URL(url).port }, entry)
  }

  return {
    url,
    dataDir,
    logs: () => server.logs(),
    call: send,
    signIn,
    sharedSession,
    restart: async (signal) => {
      await server.stop(signal)
      await start()
    },
    stop: async (signal) => void (await server.stop(signal)),
    start,
    close: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a site and ends it: whoever begins with what it left is spared the making of tables, examples and password, which
 * is half of what a start costs.
 */
export async function makeBeginning(): Promise<Beginning & { remove(): void }> {
  const site = await openSite()
  const session = await site.signIn()
  await site.stop()
  forgetJobs(site.dataDir)
  const remove = () => rmSync(site.dataDir, { recursive: true, force: true })
  return { folder: site.dataDir, session, remove }
}

/** What a site looks at ten minutes after its first start would be overdue in those that begin with its folder later. */
function forgetJobs(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'tintero.sqlite'))
  db.exec('delete from job')
  db.close()
}

/** Where the owner's calls beside the browser of a journey come from: a device with a name. */
const ownersComputer = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function sendCall(
  server: ServerProcess,
  call: {
    readonly method: string
    readonly path: string
    readonly body: unknown
    readonly token: string | null
  },
): Promise<CallAnswer> {
  const response = await fetchInTime(`${server.url}/api/${call.path}`, {
    method: call.method,
    headers: {
      'user-agent': ownersComputer,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.token === null ? {} : { authorization: `Bearer${call.token}` }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
  const text = await response.text()
  const json = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return { status: response.status, headers: response.headers, json }
}

/** The path of the profile's detail or update call. */
export const personPath = (call: typeof calls.personDetail | typeof calls.personUpdate) =>
  `${call}/${personId}`
