import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Log } from '../log.ts'
import { errorPage } from './error-page.ts'
import { htmlHeaders, type Pages } from './pages.ts'
import { Problem, problemResponse } from './problem.ts'
import { readTarget, type Target } from './request-target.ts'
import type { RevisionMemo } from './revision-memo.ts'
import type { HeaderList, SecurityHeaders } from './security-headers.ts'
import { protectServer, serverOptions, type FrontLimits } from './server-limits.ts'
import type { Statics } from './static.ts'
import { sendStored, storeAnswer } from './stored-answer.ts'

interface FrontOptions {
  readonly pages: Pages
  readonly statics: Statics
  /** The calls, the uploaded pictures and the contact form's plain post. */
  readonly app: RequestListener
  readonly headers: SecurityHeaders
  readonly revision: RevisionMemo
  /** Inline style sheets for the page that says that something broke. */
  readonly styles: string
  readonly log: Log
}

/** How many calls may be under way; those of a signed-in owner have some places more. */
const maxCalls = { anyone: 256, owner: 288 }
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * What stands before everything else: security headers on every answer, kept pages and files at the cost of one write,
 * the rest handed on.
 */
export function createListener(options: FrontOptions): RequestListener {
  const toApp = createGate(options)
  return (req, res) => {
    const target = readTarget(req)
    if (typeof target === 'number') refuse(res, target, options.headers.api)
    else if (isForApp(req, target)) toApp(req, res, target)
    else if (req.method === 'GET' || req.method === 'HEAD') answer(options, { req, res, target })
    else refuseMethod(req, res, options.headers.api)
  }
}

/** A server around the listener that bounds what one client can hold. */
export function createFront(options: FrontOptions, limits: Partial<FrontLimits> = {}): Server {
  const server = createServer(serverOptions(limits), createListener(options))
  protectServer(server, { limits, headers: options.headers.api })
  return server
}

function isForApp({ method }: IncomingMessage, { path }: Target): boolean {
  if (path.startsWith('/api/') || path === '/api' || path.startsWith('/media/')) return true
  return method === 'POST' && path === '/contact'
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly target: Target
}

function answer(options: FrontOptions, { req, res, target }: Exchange): void {
  const { pages, statics } = options
  const file = statics.find(target.path)
  if (file) return sendStored(req, res, file)
  const bare = target.path.replace(/(?<=.)\/$/, '')
  if (bare !== target.path && pages.knows(bare)) {
    const location = target.query === '' ? bare : `${bare}?${target.query}`
    return refuse(res, 308, [...options.headers.page, 'Location', location])
  }
  const page = pages.find(target.path, target.query)
  if (!(page instanceof Promise)) return sendStored(req, res, page)
  page.then(
    (drawn) => sendStored(req, res, drawn),
    (error: unknown) => sendErrorPage(options, { req, res, target }, error),
  )
}

function sendErrorPage(options: FrontOptions, { req, res, target }: Exchange, error: unknown) {
  const facts = error instanceof Error ? (error.stack ?? error.message) : String(error)
  options.log('page-failed', { path: target.path, error: facts })
  const { status, details } = error instanceof Problem ? error : new Problem('error-interno')
  const own = Object.entries(details.headers ?? {}).flat()
  const page = storeAnswer({
    status,
    headers: [...htmlHeaders(options.headers, 'no-store'), ...own],
    body: Buffer.from(errorPage(options.styles)),
    compressible: false,
  })
  sendStored(req, res, page)
}

/** Hands requests to the app, as many at once as it may hold, and announces writes to whoever keeps pages. */
function createGate({ app, headers, revision }: FrontOptions) {
  let running = 0
  return (req: IncomingMessage, res: ServerResponse, { path }: Target): void => {
    const allowed = req.headers.authorization ? maxCalls.owner : maxCalls.anyone
    if (running >= allowed) return void refuseBusy(res, headers.api)
    running++
    const release = readMethods.has(req.method ?? '') ? undefined : revision.hold()
    res.once('close', () => {
      running--
      release?.()
    })
    setHeaders(res, path === '/contact' ? headers.page : headers.api)
    app(req, res)
  }
}

function setHeaders(res: ServerResponse, headers: HeaderList): void {
  for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i] ?? '', headers[i + 1] ?? '')
}

function refuse(res: ServerResponse, status: number, headers: HeaderList): void {
  res.writeHead(status, [...headers, 'Content-Length', '0']).end()
}

function refuseMethod(req: IncomingMessage, res: ServerResponse, headers: HeaderList): void {
  const allow = [...headers, 'Allow', 'GET, HEAD, OPTIONS']
  refuse(res, req.method === 'OPTIONS' ? 204 : 405, allow)
}

async function refuseBusy(res: ServerResponse, headers: HeaderList): Promise<void> {
  const problem = new Problem('no-disponible', { headers: { 'retry-after': '1' } })
  const response = problemResponse(problem, 'busy')
  setHeaders(res, headers)
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(await response.text())
}
