import {
  createServer,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { ownHeader } from '#contract/api.ts'
import { test as base } from './device.ts'
import { listenOnLoopback } from './loopback.ts'

/** One write call that came by. */
export interface SeenWrite {
  readonly method: string
  /** Below `/api/`, without the query. */
  readonly path: string
  readonly key: string | undefined
  readonly body: string
}

/** The keys of these writes; those of several tries of one change are the same. */
export const keysOf = (writes: readonly SeenWrite[]): ReadonlySet<string | undefined> =>
  new Set(writes.map(({ key }) => key))

/** One read of the API that came by. */
type SeenRead = Pick<SeenWrite, 'method' | 'path'>

/** One file or page that came by. */
interface SeenFile {
  readonly path: string
  /** Whether a script asked for it, as a worker does for all that it keeps, and no element of a page. */
  readonly isFetched: boolean
}

/**
 * What happens to a call: the server does it and its answer is lost, cut in the middle or held, it never arrives, it breaks
 * off within its body, it waits, the site itself answers otherwise, or something on the way answers in the site's place.
 */
export type Fate =
  // Where no byte comes back the browser itself may send it once more.
  | { readonly is: 'answer lost' }
  | { readonly is: 'answer cut' }
  | { readonly is: 'answer held'; readonly until: Promise<void> }
  | { readonly is: 'lost' }
  | { readonly is: 'body cut' }
  | { readonly is: 'held'; readonly until: Promise<void> }
  | { readonly is: 'answered'; readonly status: number; readonly json: unknown }
  | StrangersAnswer

/** The answer of a portal, a filter or a gateway; 302 leads to an HTML page that the line itself answers with 200. */
interface StrangersAnswer {
  readonly is: 'stranger'
  readonly status: 200 | 204 | 302 | 401 | 403 | 404 | 502
  /** The server did it all the same; only its answer was replaced, head and all, or (`body`) under its own headers. */
  readonly instead?: 'answer' | 'body'
}

/** Every answer that something on the way may give before the site sees the call. */
export const strangersAnswers: readonly StrangersAnswer[] = (
  [200, 204, 302, 401, 403, 404, 502] as const
).map((status) => ({ is: 'stranger', status }))

/** The line between the browser and the site. */
export interface Line {
  readonly url: string
  /** Every write so far, whatever became of it. */
  readonly writes: readonly SeenWrite[]
  /** Decides what happens to each write from now on; undefined lets it through. */
  decide(fate: (write: SeenWrite) => Fate | undefined): void
  /** The same for each read of the API, the worker's included. */
  decideReads(fate: (read: SeenRead) => Fate | undefined): void
  /** The same for whatever else the site has. */
  decideFiles(fate: (file: SeenFile) => Fate | undefined): void
}

const writing = new Set(['POST', 'PUT', 'DELETE'])
const portalPath = '/portal.example'
const portalPage =
  '<!doctype html><html><title>Wi-Fi</title><body>Acepta las condiciones</body></html>'

/** Opens a line to `target` on a port of its own; a dead target is a line that drops every call. */
export async function openLine(target: string): Promise<Line & { close(): void }> {
  const writes: SeenWrite[] = []
  let decide: (write: SeenWrite) => Fate | undefined = () => undefined
  let decideReads: (read: SeenRead) => Fate | undefined = () => undefined
  let decideFiles: (file: SeenFile) => Fate | undefined = () => undefined
  const server = createServer((incoming, outgoing) => {
    void carry(incoming, outgoing, {
      target,
      decide: (write) => {
        writes.push(write)
        return decide(write)
      },
      decideReads: (read) => decideReads(read),
      decideFiles: (file) => decideFiles(file),
    })
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://localhost:${port}`,
    writes,
    decide: (next) => {
      decide = next
    },
    decideReads: (next) => {
      decideReads = next
    },
    decideFiles: (next) => {
      decideFiles = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Way {
  readonly target: string
  readonly decide: (write: SeenWrite) => Fate | undefined
  readonly decideReads: (read: SeenRead) => Fate | undefined
  readonly decideFiles: (file: SeenFile) => Fate | undefined
}

async function carry(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, decide, decideReads, decideFiles }: Way,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  if (url === portalPath) return answerAsStranger(outgoing, 200)
  if (!url.startsWith('/api/')) {
    const fate = decideFiles({ path: url, isFetched: headers['sec-fetch-dest'] === 'empty' })
    return meet(incoming, outgoing, { target, fate })
  }
  const path = url.replace('/api/', '').replace(/\?.*/, '')
  if (!writing.has(method)) {
    return meet(incoming, outgoing, { target, fate: decideReads({ method, path }) })
  }
  const body = isText(headers['content-type']) ? await text(incoming) : undefined
  const key = headers['idempotency-key']
  const fate = decide({ method, path, key: key?.toString(), body: body ?? '' })
  return meet(incoming, outgoing, { target, body, fate })
}

interface Passing {
  readonly target: string
  /** The body where it was read already. */
  readonly body?: string | undefined
  readonly fate?: Fate | undefined
}

/** Has its fate happen to a call. */
async function meet(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  passing: Passing,
): Promise<void> {
  const { fate } = passing
  if (fate?.is === 'lost') return void incoming.socket.destroy()
  if (fate?.is === 'answered') {
    incoming.resume()
    const headers = { 'Content-Type': 'application/json', [ownHeader]: '1' }
    outgoing.writeHead(fate.status, headers)
    return void outgoing.end(JSON.stringify(fate.json))
  }
  if (fate?.is === 'stranger' && fate.instead === undefined) {
    incoming.resume()
    return answerAsStranger(outgoing, fate.status)
  }
  if (fate?.is === 'held') await fate.until
  return pass(incoming, outgoing, passing)
}

function answerAsStranger(
  outgoing: ServerResponse,
  status: StrangersAnswer['status'],
  headers: OutgoingHttpHeaders = {},
): void {
  const { 'content-length': _, 'content-encoding': __, ...others } = headers
  const type = { ...others, 'content-type': 'text/html' }
  if (status === 204) return void outgoing.writeHead(204, others).end()
  if (status === 302) return void outgoing.writeHead(302, { ...type, location: portalPath }).end()
  outgoing.writeHead(status, type).end(portalPage)
}

/** Hands a call on; a line that is to be cut is so once the server has answered. */
function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, body, fate }: Passing,
): void {
  const { method, url, headers, socket } = incoming
  // As if the browser had asked it directly, or the site would take it for another host.
  const sent = { ...headers, host: new URL(target).host }
  const forward = ask(target + url, { method, headers: sent }, (answer) => {
    void giveBack(answer, outgoing, { fate, socket })
  })
  forward.on('error', () => socket.destroy())
  // Who goes away in the middle of sending has not sent it.
  incoming.on('aborted', () => forward.destroy())
  if (fate?.is === 'body cut') return breakOff(incoming, forward, body)
  if (body === undefined) incoming.pipe(forward)
  else forward.end(body)
}

async function giveBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  { fate, socket }: { readonly fate: Fate | undefined; readonly socket: Socket },
): Promise<void> {
  const status = answer.statusCode ?? 502
  if (fate?.is === 'answer lost' || fate?.is === 'answer cut') {
    answer.resume()
    if (fate.is === 'answer cut') {
      outgoing.writeHead(status, answer.headers)
      outgoing.write('{')
    }
    return void answer.on('end', () => socket.destroySoon())
  }
  if (fate?.is === 'stranger') {
    answer.resume()
    const kept = fate.instead === 'body' ? answer.headers : {}
    return void answer.on('end', () => answerAsStranger(outgoing, fate.status, kept))
  }
  if (fate?.is === 'answer held') await fate.until
  outgoing.writeHead(status, answer.headers)
  answer.pipe(outgoing)
  answer.on('error', () => socket.destroy())
}

/** Hands on the first half of a call's body, and then the line is dead. */
function breakOff(
  incoming: IncomingMessage,
  forward: ClientRequest,
  body: string | undefined,
): void {
  const end = () => {
    forward.destroy()
    incoming.socket.destroy()
  }
  if (body !== undefined) return void forward.write(body.slice(0, body.length / 2), end)
  const half = Number(incoming.headers['content-length'] ?? 0) / 2
  let passed = 0
  incoming.on('data', (chunk: Buffer) => {
    const rest = Math.max(0, half - passed)
    passed += chunk.length
    if (passed < half) forward.write(chunk)
    else forward.write(chunk.subarray(0, rest), end)
  })
}

function isText(type: string | undefined): boolean {
  return type === undefined || type.startsWith('application/json')
}

/** The product's test with a device whose every call comes over a line that can be cut. */
export const test = base.extend<{ line: Line }>({
  line: async ({ site }, provide) => {
    const line = await openLine(site.url)
    await provide(line)
    line.close()
  },
  deviceUrl: async ({ line }, provide) => provide(line.url),
})
