import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test as base } from './device.ts'

/** One write call that came by. */
export interface SeenWrite {
  readonly method: string
  /** Below `/api/`, without the query. */
  readonly path: string
  readonly key: string | undefined
  readonly body: string
}

/**
 * What happens to a call: the server does it and its answer is lost or cut in the middle, it never arrives, it waits, or
 * another answer comes.
 */
export type Fate =
  // Where no byte comes back the browser itself may send it once more.
  | { readonly is: 'answer lost' }
  | { readonly is: 'answer cut' }
  | { readonly is: 'lost' }
  | { readonly is: 'held'; readonly until: Promise<void> }
  | { readonly is: 'answered'; readonly status: number; readonly json: unknown }

/** The line between the browser and the site. */
export interface Line {
  readonly url: string
  /** Every write so far, whatever became of it. */
  readonly writes: readonly SeenWrite[]
  /** Decides what happens to each write from now on; undefined lets it through. */
  decide(fate: (write: SeenWrite) => Fate | undefined): void
}

const writing = new Set(['POST', 'PUT', 'DELETE'])

/** Opens a line to `target` on a port of its own; a dead target is a line that drops every call. */
async function openLine(target: string): Promise<Line & { close(): void }> {
  const writes: SeenWrite[] = []
  let decide: (write: SeenWrite) => Fate | undefined = () => undefined
  const server = createServer((incoming, outgoing) => {
    void carry(incoming, outgoing, {
      target,
      decide: (write) => {
        writes.push(write)
        return decide(write)
      },
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    writes,
    decide: (next) => {
      decide = next
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
}

async function carry(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, decide }: Way,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  if (!writing.has(method) || !url.startsWith('/api/')) return pass(incoming, outgoing, { target })
  const body = isText(headers['content-type']) ? await text(incoming) : undefined
  const path = url.replace('/api/', '').replace(/\?.*/, '')
  const key = headers['idempotency-key']
  const fate = decide({ method, path, key: key?.toString(), body: body ?? '' })
  if (fate?.is === 'lost') return void incoming.socket.destroy()
  if (fate?.is === 'answered') {
    incoming.resume()
    outgoing.writeHead(fate.status, { 'Content-Type': 'application/json' })
    return void outgoing.end(JSON.stringify(fate.json))
  }
  if (fate?.is === 'held') await fate.until
  return pass(incoming, outgoing, { target, body, cut: cutOf(fate) })
}

interface Passing {
  readonly target: string
  /** The body where it was read already. */
  readonly body?: string | undefined
  readonly cut?: 'before' | 'within' | undefined
}

function cutOf(fate: Fate | undefined): Passing['cut'] {
  if (fate?.is === 'answer lost') return 'before'
  return fate?.is === 'answer cut' ? 'within' : undefined
}

/** Hands a call on; a line that is to be cut is so once the server has answered. */
function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, body, cut }: Passing,
): void {
  const { method, url, headers, socket } = incoming
  // As if the browser had asked it directly, or the site would take it for another host.
  const sent = { ...headers, host: new URL(target).host }
  const forward = ask(target + url, { method, headers: sent }, (answer) => {
    if (cut) {
      answer.resume()
      if (cut === 'within') {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.write('{')
      }
      answer.on('end', () => socket.destroySoon())
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
    answer.on('error', () => socket.destroy())
  })
  forward.on('error', () => socket.destroy())
  // Who goes away in the middle of sending has not sent it.
  incoming.on('aborted', () => forward.destroy())
  if (body === undefined) incoming.pipe(forward)
  else forward.end(body)
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
