import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { share } from '#contract/offline.ts'
import type { Log } from '../log.ts'
import { errorPage } from './error-page.ts'
import { htmlHeaders, type Pages } from './pages.ts'
import { Problem, problemResponse } from './problem.ts'
import { createRequestIds, requestIdHeader } from './request-ids.ts'
import { readTarget, type Target } from './request-target.ts'
import type { RevisionMemo } from './revision-memo.ts'
import type { HeaderList, SecurityHeaders } from './security-headers.ts'
import { protectServer, serverOptions, type FrontLimits } from './server-limits.ts'
import type { Statics } from './static.ts'
import { sendStored, storeAnswer, type Reply } from './stored-answer.ts'
import { toProblem } from './to-problem.ts'

/** Answers a request by itself, whatever happens. */
type App = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void

export interface FrontOptions {
  readonly pages: Pages
  readonly statics: Statics
  /** The calls, the uploaded pictures and the contact form's plain post. */
  readonly app: App
  readonly headers: SecurityHeaders
  readonly revision: RevisionMemo
  /** Inline style sheets for the page that says that something broke. */
  readonly styles: string
  readonly log: Log
}

/** How many calls may be under way; those of a signed-in owner have some places more. */
const maxCalls = { anyone: 256, owner: 288 }
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Exchange extends Reply {
  readonly target: Target
}

/**
 * What stands before everything else: security headers on every answer, kept pages and files at the cost of one write,
 * the rest handed on.
 */
export function createListener(options: FrontOptions): RequestListener {
  const toApp = createGate(options)
  const nextId = createRequestIds()
  return (req, res) => {
    const target = readTarget(req)
    const requestId = nextId()
    if (typeof target === 'number') return refuse({ res, requestId }, target, options.headers.api)
    const exchange = { req, res, target, requestId }
    if (isForApp(exchange)) toApp(exchange)
    else if (req.method === 'GET' || req.method === 'HEAD') answer(options, exchange)
    else if (req.method === 'POST' && target.path === share.path) openEmptyForm(exchange, options)
    else refuseMethod(exchange, options.headers.api)
  }
}

/** A server around the listener that bounds what one client can hold. */
export function createFront(options: FrontOptions, limits: Partial<FrontLimits> = {}): Server {
  const server = createServer(serverOptions(limits), createListener(options))
  protectServer(server, { limits, headers: options.headers.api })
  return server
}

function isForApp({ req, target: { path } }: Exchange): boolean {
  if (path.startsWith('/api/') || path === '/api' || path.startsWith('/media/')) return true
  return req.method === 'POST' && path === '/contact'
}

/** The worker takes what is shared; where there is none, the form it was meant for opens empty. */
function openEmptyForm(exchange: Exchange, { headers }: FrontOptions): void {
  refuse(exchange, 303, [...headers.page, 'Location', share.landing])
}

function answer(options: FrontOptions, exchange: Exchange): void {
  const { pages, statics } = options
  const { path, query } = exchange.target
  const file = statics.find(path)
  if (file) return sendStored(exchange, file)
  const bare = path.replace(/(?<=.)\/$/, '')
  if (bare !== path && pages.knows(bare)) {
    const location = query === '' ? bare : `${bare}?${query}`
    return refuse(exchange, 308, [...options.headers.page, 'Location', location])
  }
  const page = pages.find(path, query)
  if (!(page instanceof Promise)) return sendStored(exchange, page)
  page.then(
    (drawn) => sendStored(exchange, drawn),
    (error: unknown) => sendErrorPage(options, exchange, error),
  )
}

function sendErrorPage(options: FrontOptions, exchange: Exchange, error: unknown): void {
  const facts = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { requestId, target } = exchange
  options.log('page-failed', { requestId, path: target.path, error: facts })
  const { status, details } = toProblem(error)
  const own = Object.entries(details.headers ?? {}).flat()
  const page = storeAnswer({
    status,
    headers: [...htmlHeaders(options.headers, 'no-store'), ...own],
    body: Buffer.from(errorPage(options.styles)),
    compressible: false,
  })
  sendStored(exchange, page)
}

/** Hands requests to the app, as many at once as it may hold, and announces writes to whoever keeps pages. */
function createGate({ app, headers, revision }: FrontOptions) {
  let running = 0
  return ({ req, res, target, requestId }: Exchange): void => {
    const allowed = req.headers.authorization ? maxCalls.owner : maxCalls.anyone
    setHeaders(res, target.path === '/contact' ? headers.page : headers.api)
    res.setHeader(requestIdHeader, requestId)
    if (running >= allowed) return void refuseBusy(res, requestId)
    running++
    const release = readMethods.has(req.method ?? '') ? undefined : revision.hold()
    res.once('close', () => {
      running--
      release?.()
    })
    void app(req, res)
  }
}

function setHeaders(res: ServerResponse, headers: HeaderList): void {
  for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i] ?? '', headers[i + 1] ?? '')
}

type Refused = Pick<Exchange, 'res' | 'requestId'>

function refuse({ res, requestId }: Refused, status: number, headers: HeaderList): void {
  const length = status === 204 ? [] : ['Content-Length', '0']
  res.writeHead(status, [...headers, requestIdHeader, requestId, ...length]).end()
}

function refuseMethod(exchange: Exchange, headers: HeaderList): void {
  const isPost = exchange.target.path === '/contact'
  const allow = isPost ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'
  refuse(exchange, exchange.req.method === 'OPTIONS' ? 204 : 405, [...headers, 'Allow', allow])
}

async function refuseBusy(res: ServerResponse, requestId: string): Promise<void> {
  const problem = new Problem('no-disponible', { headers: { 'retry-after': '1' } })
  const response = problemResponse(problem, requestId)
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(await response.text())
}
