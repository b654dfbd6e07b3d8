import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { personId } from '#contract/limits.ts'
import { startServer, type ServerProcess } from './server-process.ts'

/** The owner every test site is made with. */
export const owner = { userName: 'lucia@ejemplo.test', password: 'una frase larga y propia' }

/** A running product with a data folder of its own. */
export interface Site {
  readonly url: string
  readonly dataDir: string
  logs(): string
  /** Sends a call to the API, as the owner unless told otherwise; the body is JSON. */
  call(method: string, path: string, request?: CallRequest): Promise<CallAnswer>
  /** What the browser keeps after signing in. */
  signIn(): Promise<Readonly<Record<string, unknown>>>
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

interface SiteOptions {
  /** Variables beside the data folder and the owner. */
  readonly env?: Readonly<Record<string, string>>
  /** Without an owner the site prints its set-up link. */
  readonly withOwner?: boolean
  /** What to start instead of `dist/server/main.js`. */
  readonly entry?: string
}

/** Starts the built product on a free port with an empty data folder. */
export async function openSite({
  env = {},
  withOwner = true,
  entry: firstEntry,
}: SiteOptions = {}): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tintero-site-'))
  const credentials = { OWNER_EMAIL: owner.userName, OWNER_PASSWORD: owner.password }
  const variables = { DATA_DIR: dataDir, ...(withOwner ? credentials : {}), ...env }
  let server = await startServer(variables, firstEntry)
  const { url } = server
  let token: string | undefined

  const send: Site['call'] = async (method, path, request = {}) => {
    const call = { method, path, body: request.body }
    if (request.token !== undefined) return sendCall(server, { ...call, token: request.token })
    const answer = await sendCall(server, { ...call, token: await ownerToken() })
    if (answer.status !== 401) return answer
    // Journeys that share a site may sign in more often than sessions are kept, and the oldest ends.
    token = undefined
    return sendCall(server, { ...call, token: await ownerToken() })
  }
  const signIn = async () => {
    const request = { method: 'POST', path: ownerCalls.login, body: owner, token: null }
    const { status, json } = await sendCall(server, request)
    if (status !== 200) throw new Error(`signing in was answered ${status}`)
    return json
  }
  const ownerToken = async () => (token ??= String((await signIn())['token']))

  const start = async (entry = firstEntry) => {
    server = await startServer({ ...variables, PORT: new URL(url).port }, entry)
  }

  return {
    url,
    dataDir,
    logs: () => server.logs(),
    call: send,
    signIn,
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
  const response = await fetch(`${server.url}/api/${call.path}`, {
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
