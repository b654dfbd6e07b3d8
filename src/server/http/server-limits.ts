import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HeaderList } from './security-headers.ts'

/** What one client may hold of the server; times in milliseconds, sizes in bytes. */
export interface FrontLimits {
  readonly headersMs: number
  /** A whole request with its body: enough for the largest picture over a slow line. */
  readonly requestMs: number
  readonly idleMs: number
  readonly checkEveryMs: number
  readonly headerBytes: number
  readonly connections: number
  readonly requestsPerConnection: number
}

const defaults: FrontLimits = {
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 15_000,
  checkEveryMs: 2000,
  headerBytes: 16 * 1024,
  connections: 1024,
  requestsPerConnection: 1000,
}

/** The part of the limits that a server takes when it is made. */
export function serverOptions(limits: Partial<FrontLimits>): ServerOptions {
  const { headersMs, requestMs, idleMs, checkEveryMs, headerBytes } = { ...defaults, ...limits }
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: headerBytes,
    // The listener asks for the header itself, so that this refusal carries our headers too.
    requireHostHeader: false,
  }
}

interface Protection {
  readonly limits: Partial<FrontLimits>
  /** Headers of the answers that no listener gives. */
  readonly headers: HeaderList
}

/** Bounds the connections and answers what never becomes a request: broken, slow or oversized ones and tunnels. */
export function protectServer(server: Server, { limits, headers }: Protection): void {
  const { connections, requestsPerConnection } = { ...defaults, ...limits }
  server.maxConnections = connections
  server.maxRequestsPerSocket = requestsPerConnection
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, statusOf(error.code), headers)
  })
  server.on('connect', (_: IncomingMessage, socket) =>
    refuse(socket, '405 Method Not Allowed', headers),
  )
}

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
}

function refuse(socket: Duplex, status: string, headers: HeaderList): void {
  const lines = [`HTTP/1.1 ${status}`, 'Connection: close', 'Content-Length: 0']
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}
