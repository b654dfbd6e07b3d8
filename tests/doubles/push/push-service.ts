import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { importJWK, jwtVerify } from 'jose'
import { meantForHeader } from '#tests/support/reroute.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { testCertificate } from './certificate.ts'
import { openMobileConnection } from './mobile-connection.ts'
import { bytesField, fixedField, numberField } from './protobuf.ts'

/** The origin of the addresses that this Chromium gives out. */
export const pushOrigin = 'https://jmt17.google.com'

interface Subscription {
  readonly appId: string
  /** The server's public key. */
  readonly sender: string
  isGone: boolean
}

interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Chromium's push service on this machine: browsers check in, subscribe and wait here, servers send here (RFC 8030). The
 * browser subscribes and decrypts for real.
 */
export interface PushService {
  /** What servers call instead of `pushOrigin`. */
  readonly url: string
  /** What makes a browser use it. */
  readonly chromiumArgs: readonly string[]
  /** The browser's subscriptions by token, those it gave back included. */
  readonly subscriptions: ReadonlyMap<string, Subscription>
  /** Answers that replace what the next pushes would be told. */
  readonly refusals: Refusal[]
  /** How often a server has tried. */
  readonly tries: { readonly token: string; readonly status: number }[]
  /** Hands the browser bytes that no server of ours encrypted. */
  deliver(token: string, body: Buffer): void
  close(): void
}

export async function openPushService(): Promise<PushService> {
  const line = await openMobileConnection()
  const subscriptions = new Map<string, Subscription>()
  const refusals: Refusal[] = []
  const tries: PushService['tries'] = []
  const deliver: PushService['deliver'] = (token, body) => {
    const to = subscriptions.get(token)
    if (to && !to.isGone) line.deliver({ ...to, body })
  }
  const push = async (token: string, request: IncomingMessage) => {
    const body = await bodyOf(request)
    const refusal = refusals.shift() ?? (await faultOf(request, body, subscriptions.get(token)))
    tries.push({ token, status: refusal?.status ?? 201 })
    if (refusal) return refusal
    deliver(token, body)
    return { status: 201, headers: { location: `/m/${randomUUID()}` } }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const sent = /^\/fcm\/send\/(.+)$/.exec(path)?.[1]
    if (path === '/checkin') return response.end(checkIn())
    if (path === '/register3') {
      const form = new URLSearchParams((await bodyOf(request)).toString())
      return response.end(register(subscriptions, form))
    }
    if (sent === undefined) return response.writeHead(404).end()
    const { status, headers = {} } = await push(decodeURIComponent(sent), request)
    return response.writeHead(status, headers).end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end())
  })
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`
  return {
    url,
    subscriptions,
    refusals,
    tries,
    deliver,
    chromiumArgs: [
      `--gcm-checkin-url=${url}/checkin`,
      `--gcm-registration-url=${url}/register3`,
      `--gcm-mcs-endpoint=https://127.0.0.1:${line.port}`,
      testCertificate().chromiumArg,
    ],
    close: () => {
      line.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function checkIn(): Buffer {
  const interval = Buffer.concat([bytesField(1, 'checkin_interval'), bytesField(2, '86400')])
  return Buffer.concat([
    numberField(1, 1),
    numberField(3, Date.now()),
    bytesField(4, 'd1'),
    numberField(9, 0),
    bytesField(5, interval),
    fixedField(7, 4242424242424242n),
    fixedField(8, 777777777777777n),
  ])
}

function register(subscriptions: Map<string, Subscription>, form: URLSearchParams): string {
  const appId = form.get('X-subtype') ?? form.get('app') ?? ''
  if (form.get('delete') === 'true') {
    for (const subscription of subscriptions.values()) {
      if (subscription.appId === appId) subscription.isGone = true
    }
    return `deleted=${appId}`
  }
  const token = `tok${subscriptions.size + 1}:${randomUUID().replaceAll('-', '')}`
  subscriptions.set(token, { appId, sender: form.get('sender') ?? '', isGone: false })
  return `token=${token}`
}

/** What is wrong with a push, as a strict service sees it; undefined for a good one. */
async function faultOf(
  { headers }: IncomingMessage,
  body: Buffer,
  to: Subscription | undefined,
): Promise<Refusal | undefined> {
  if (!to) return { status: 404 }
  if (to.isGone) return { status: 410 }
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  if (key === undefined || key !== to.sender) return { status: 403 }
  if (!(await isSigned(token, key, String(headers[meantForHeader])))) return { status: 403 }
  const { ttl = '', topic = 'none' } = headers
  const isWhole = /^\d+$/.test(String(ttl)) && /^[\w-]{1,32}$/.test(String(topic))
  if (!isWhole || headers['content-encoding'] !== 'aes128gcm') return { status: 400 }
  return body.length > 4096 ? { status: 413 } : undefined
}

async function isSigned(token: string, key: string, audience: string): Promise<boolean> {
  const point = Buffer.from(key, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  try {
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    const { payload } = await jwtVerify(token, jwk, { audience })
    const lasts = (payload.exp ?? Number.POSITIVE_INFINITY) - Date.now() / 1000
    return lasts <= 86_400 && /^(?:mailto:|https:)/.test(payload.sub ?? '')
  } catch {
    return false
  }
}
