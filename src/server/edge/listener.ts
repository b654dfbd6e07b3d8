import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { maxJsonBytes } from '#contract/limits.ts'
import { share } from '#contract/offline/offline.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { contactSheet, missingSheet } from '#contract/page-heads.ts'
import { requestOf, createThrottledLog, type Log, type ThrottledLog } from '../log.ts'
import { addressOf } from './client-address.ts'
import { boundConnections } from './connections.ts'
import { errorPage } from './error-page.ts'
import { limitConcurrency } from './concurrency.ts'
import { contactPath, htmlHeaders } from '../pages/form-mark.ts'
import { loginPath, unsentLoginUrl } from '../pages/document.ts'
import type { Pages } from '../pages/pages.ts'
import { faultOf, Problem, problemResponse } from '../problem.ts'
import { createRequestIds, requestIdHeader } from './request-ids.ts'
import { readTarget, type Target } from './request-target.ts'
import type { ReadCache } from '../api/read-cache.ts'
import type { UnreadContact } from '../messages/plain-form.ts'
import type { RevisionMemo } from '../pages/revision-memo.ts'
import { byName, type HeaderList, type SecurityHeaders } from './security-headers.ts'
import { serverLimits, protectServer, serverOptions, type ServerLimits } from './server-limits.ts'
import type { Statics } from './static.ts'
import { sendStored, storeAnswer, type Reply, type StoredAnswer } from './stored-answer.ts'
import { toProblem } from './to-problem.ts'

/** Answers a request by itself, whatever happens. */
type App = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void

export interface HttpServerOptions {
  readonly pages: Pages
  readonly statics: Statics
  /** Takes the calls, the uploaded pictures and the contact form's plain post. */
  readonly app: App
  /** Answers reads of the API from memory. */
  readonly reads?: ReadCache
  readonly headers: SecurityHeaders
  readonly revision: RevisionMemo
  /** Inline style sheets for the error page. */
  readonly styles: string
  /** The page for a contact form that is refused unread. */
  readonly unreadContact: UnreadContact
  readonly log: Log
  readonly publicUrl: string
  /** The number of the operator's proxies in front. */
  readonly trustProxy: number
  /** Whether an Authorization header names a living session. */
  isOwners(authorization: string | undefined): Promise<boolean>
}

interface ListenerOptions extends HttpServerOptions {
  readonly trouble: ThrottledLog
}

const healthPath = `/api/${ownerCalls.health}`
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Exchange extends Reply {
  readonly target: Target
}

/**
 * Comes before everything else: puts security headers on every answer, sends kept pages and files in one write, and
 * hands on the rest.
 */
export function createListener(given: HttpServerOptions, limits = serverLimits): RequestListener {
  const options = { ...given, trouble: createThrottledLog(given.log, () => new Date()) }
  const toApp = createEntrance(options, limits)
  const nextId = createRequestIds()
  return (req, res) => {
    if (req.socket.destroyed) return
    const target = readTarget(req)
    const requestId = nextId()
    if (typeof target === 'number') return refuse({ res, requestId }, target, options.headers.api)
    const exchange = { req, res, target, requestId }
    if (isForApp(exchange)) answerCall(options, exchange, toApp)
    else if (req.method === 'GET' || req.method === 'HEAD') answer(options, exchange)
    else {
      const form = req.method === 'POST' ? unread.get(target.path) : undefined
      if (form) leaveUnread(exchange, options, form)
      else refuseMethod(exchange, options.headers.api)
    }
  }
}

/** Bounds what one client can hold. */
export function createHttpServer(
  options: HttpServerOptions,
  given: Partial<ServerLimits> = {},
): Server {
  const limits = { ...serverLimits, ...given }
  const server = createServer(serverOptions(limits), createListener(options, limits))
  protectServer(server, { limits, headers: options.headers.api })
  boundConnections(server, { limits, isBehindProxy: options.trustProxy > 0 })
  server.on('close', () => options.pages.stop())
  return server
}

function answerCall(
  { reads }: HttpServerOptions,
  exchange: Exchange,
  toApp: (exchange: Exchange) => void,
): void {
  const kept = reads?.find(exchange.req)
  if (!reads || !kept) return toApp(exchange)
  const begun = performance.now()
  const give = (stored: StoredAnswer) => {
    reads.note(exchange.res, begun)
    sendStored(exchange, stored)
  }
  if (kept instanceof Promise) void kept.then((found) => (found ? give(found) : toApp(exchange)))
  else give(kept)
}

function isForApp(exchange: Exchange): boolean {
  const { path } = exchange.target
  if (path.startsWith('/api/') || path === '/api' || path.startsWith('/media/')) return true
  return isContactForm(exchange)
}

/** Whether a browser without JavaScript sends the contact form, and so shows its answer. */
function isContactForm({ req, target }: Exchange): boolean {
  return req.method === 'POST' && target.path === contactPath
}

interface UnreadForm {
  readonly mostBytes: number
  /** Where the browser goes. */
  readonly next: string
}

/**
 * Forms that the browser's script takes, with the answer for a browser where it did not: the form for shared texts,
 * emptied, and the login, whose password must not reach a page's address or log.
 */
const unread: ReadonlyMap<string, UnreadForm> = new Map([
  [share.path, { mostBytes: share.mostBytes, next: share.notKept }],
  [loginPath, { mostBytes: maxJsonBytes, next: unsentLoginUrl }],
])

function leaveUnread(
  exchange: Exchange,
  { headers, publicUrl }: HttpServerOptions,
  { mostBytes, next }: UnreadForm,
): void {
  const { 'content-length': length = '0' } = exchange.req.headers
  if (isFromElsewhere(exchange, publicUrl)) return refuse(exchange, 403, headers.api)
  if (Number(length) > mostBytes) {
    return refuse(exchange, 413, [...headers.api, 'Connection', 'close'])
  }
  refuse(exchange, 303, [...headers.api, 'Location', next])
}

/** A browser says when a page sends a form; an application of the device is no page. */
function isFromElsewhere({ req: { headers } }: Exchange, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin = '', host } = headers
  if (site !== undefined) return site !== 'none' && site !== 'same-origin'
  // Older browsers name the page's site alone, and nothing that is an address for an application.
  const page = URL.parse(origin)
  return page !== null && origin !== publicUrl && page.host !== host
}

function answer(options: ListenerOptions, exchange: Exchange): void {
  const { pages, statics } = options
  const { path, query } = exchange.target
  const file = statics.find(path)
  if (file) return sendStored(exchange, file)
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (bare !== path && pages.knows(bare)) {
    // As it was spelled: decoded, an address may hold what no header can.
    const spelled = (exchange.req.url ?? '').replace(/(?:\/|%2f)(?=\?|$)/i, '')
    const location = spelled.replace(/^\/+/, '/')
    return refuse(exchange, 308, [...options.headers.api, 'Location', location])
  }
  const page = requestOf.run(exchange.requestId, () => pages.find(path, query))
  if (!(page instanceof Promise)) return sendStored(exchange, page)
  page.then(
    (drawn) => sendStored(exchange, drawn),
    (error: unknown) => sendErrorPage(options, exchange, error),
  )
}

function sendErrorPage(
  { trouble, headers, styles }: ListenerOptions,
  exchange: Exchange,
  error: unknown,
): void {
  const { requestId, target } = exchange
  const { status, code, details } = toProblem(error)
  trouble('page-failed', code, () => ({ requestId, path: target.path, code, ...faultOf(error) }))
  const own = Object.entries(details.headers ?? {}).flat()
  const page = storeAnswer({
    status,
    headers: [...htmlHeaders(headers.page(missingSheet), 'no-store'), ...own],
    body: Buffer.from(errorPage(styles)),
    compressible: false,
  })
  sendStored(exchange, page)
}

/** Hands requests to the app, as many at once as it may hold, and announces writes to the kept pages. */
function createEntrance(options: ListenerOptions, limits: ServerLimits) {
  const { app, headers, revision, trustProxy, trouble, unreadContact } = options
  const enter = limitConcurrency({
    limits,
    addressOf: (req) => addressOf(req, trustProxy),
    isOwners: ({ headers: { authorization } }) => options.isOwners(authorization),
    onRefused: () => trouble('overloaded', '', () => ({ calls: limits.calls })),
  })
  const pageHeaders = htmlHeaders(headers.page(contactSheet), 'no-store')
  const late = { headers: headers.api }
  const lateForm = { headers: pageHeaders, body: unreadContact() }
  return (exchange: Exchange): void => {
    const { req, res, requestId } = exchange
    const isForm = isContactForm(exchange)
    setHeaders(res, headers.api)
    res.setHeader(requestIdHeader, requestId)
    const run = () => {
      const release = readMethods.has(req.method ?? '') ? undefined : revision.hold()
      if (release) res.once('close', release)
      void requestOf.run(requestId, () => app(req, res))
    }
    const refuseForm = () => {
      res.writeHead(503, { ...byName(pageHeaders), ...comeBack })
      res.end(unreadContact('no-disponible'))
    }
    // Monitoring asks whether the process answers, not whether it has a place; a full server is no reason to end it.
    if (isHealth(exchange)) run()
    else if (isForm) enter({ req, res, run, refuse: refuseForm, late: lateForm })
    else enter({ req, res, run, refuse: () => void refuseBusy(res, requestId), late })
  }
}

/** This one call depends on nothing else: it costs no more than a refusal. */
function isHealth({ req, target }: Exchange): boolean {
  return target.path === healthPath && (req.method === 'GET' || req.method === 'HEAD')
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
  const { path } = exchange.target
  const isPost = path === contactPath || unread.has(path)
  const allow = isPost ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'
  refuse(exchange, exchange.req.method === 'OPTIONS' ? 204 : 405, [...headers, 'Allow', allow])
}

/** Sent when the server has no place. */
const comeBack = { 'retry-after': '1' }

async function refuseBusy(res: ServerResponse, requestId: string): Promise<void> {
  const problem = new Problem('no-disponible', { headers: comeBack })
  const response = problemResponse(problem, requestId)
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(await response.text())
}
