import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HeaderList } from './security-headers.ts'

/** The bounds for one client; times in milliseconds, sizes in bytes. */
export interface ServerLimits {
  readonly headersMs: number
  /** For a whole request with its body: enough for the largest picture over a slow line. */
  readonly requestMs: number
  readonly idleMs: number
  /** For the body of a request that is not known to be the owner's. */
  readonly bodyMs: number
  /** For a connection on which nothing moves while a request is answered or its answer read. */
  readonly stalledMs: number
  /** For an answer until its last byte is read, however slowly. */
  readonly answerMs: number
  readonly checkEveryMs: number
  readonly headerBytes: number
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Calls under way; those of the owner have some places more. */
  readonly calls: number
  readonly ownerCalls: number
  readonly callsPerAddress: number
  readonly requestsPerConnection: number
  /**
   * Requests of one connection that wait for their answers; browsers and proxies send the next one after the answer.
   */
  readonly pipelinedRequests: number
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 15_000,
  bodyMs: 15_000,
  stalledMs: 30_000,
  answerMs: 300_000,
  checkEveryMs: 2000,
  headerBytes: 16 * 1024,
  connections: 1024,
  connectionsPerAddress: 200,
  calls: 256,
  ownerCalls: 288,
  callsPerAddress: 100,
  requestsPerConnection: 1000,
  pipelinedRequests: 10,
}

/** The limits in the words of Node’s HTTP server; times are milliseconds. */
export function serverOptions({
  headersMs,
  requestMs,
  idleMs,
  checkEveryMs,
  headerBytes,
}: ServerLimits): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: headerBytes,
    // The listener checks the header itself, so that this refusal carries the site's headers too.
    requireHostHeader: false,
  }
}

interface Protection {
  readonly limits: ServerLimits
  /** For answers that no listener gives. */
  readonly headers: HeaderList
}

/** What Node keeps of a connection and documents nowhere: the answer that is being written. */
interface Answering {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

/** Also answers whatever never becomes a request: broken, slow or oversized ones and tunnels. */
export function protectServer(server: Server, { limits, headers }: Protection): void {
  server.timeout = limits.stalledMs
  server.maxRequestsPerSocket = limits.requestsPerConnection
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & Answering) => {
    const { _httpMessage: answer } = socket
    // In the middle of another answer a refusal would be read as a part of that.
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) socket.destroy()
    else refuseSocket(socket, statusOf(error.code), { headers })
  })
  // The site offers no tunnel, so the list of what is allowed there is empty.
  server.on('connect', (_: IncomingMessage, socket) =>
    refuseSocket(socket, '405 Method Not Allowed', { headers: [...headers, 'Allow', ''] }),
  )
  // Any expectation beside 100-continue may be ignored (RFC 9110, 10.1.1); Node's own refusal lacks the site's headers.
  server.on('checkExpectation', (...exchange) => void server.emit('request', ...exchange))
}

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
}

export interface BareAnswer {
  readonly headers: HeaderList
  readonly body?: string
}

/** For answers that no listener gives. */
export function refuseSocket(
  socket: Duplex,
  status: string,
  { headers, body = '' }: BareAnswer,
): void {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const lines = [`HTTP/1.1 ${status}`, 'Connection: close', length]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
