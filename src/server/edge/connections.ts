import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { boundPieces } from './body-pieces.ts'
import { addressKey } from './client-address.ts'
import type { ServerLimits } from './server-limits.ts'

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** The unfinished answers, with the moment each request came. */
  readonly open: Map<ServerResponse, number>
  /** How many requests came beyond the last that it may send; Node refuses each by itself. */
  beyond: number
  /** Called at the beginning of each request. */
  readonly beginBody: () => void
  /** The moment of its last use. */
  used: number
}

/** A new connection may take so long to send its request, in milliseconds. */
const freshMs = 1000

interface Bounds {
  readonly limits: Pick<
    ServerLimits,
    'connections' | 'connectionsPerAddress' | 'pipelinedRequests' | 'answerMs' | 'checkEveryMs'
  >
  /** Whether all connections come from the operator's proxy, so that their addresses tell nobody apart. */
  readonly isBehindProxy: boolean
}

/**
 * Bounds the connections of one address and of all. Nobody new is turned away for those who hold a connection without
 * use: the one idle for longest makes way, then one whose reader does not read, last a new one without a request. A connection
 * that asks on and on without waiting for what it is answered is closed: each request takes memory until then, and all that come
 * at once are one piece of work, during which nobody else is answered.
 */
export function boundConnections(server: Server, { limits, isBehindProxy }: Bounds): void {
  // Ordered by their last use.
  const all = new Map<Duplex, Connection>()
  const perAddress = new Map<string, number>()
  // How many requests of each came in this turn of the event loop, answered by now or not.
  const atOnce = new Map<Connection, number>()

  const forget = ({ socket, address }: Connection): void => {
    if (!all.delete(socket)) return
    const left = (perAddress.get(address) ?? 1) - 1
    if (left > 0) perAddress.set(address, left)
    else perAddress.delete(address)
  }
  const close = (connection: Connection): void => {
    forget(connection)
    stopReading(connection.socket)
    connection.socket.destroy()
  }
  const asksOn = (connection: Connection): boolean => {
    if (atOnce.size === 0) setImmediate(() => atOnce.clear())
    const count = (atOnce.get(connection) ?? 0) + 1
    atOnce.set(connection, count)
    return Math.max(count, connection.open.size + connection.beyond + 1) > limits.pipelinedRequests
  }
  /** Makes room for one more, if possible. */
  const makeRoom = (address: string | undefined): boolean => {
    const before = performance.now() - freshMs
    let next: Connection | undefined
    for (const connection of all.values()) {
      if (address !== undefined && connection.address !== address) continue
      const isIdle = connection.open.size === 0
      if (isIdle && connection.used < before) {
        close(connection)
        return true
      }
      if (isIdle || isUnread(connection)) next ??= connection
    }
    if (next) close(next)
    return next !== undefined
  }
  const touch = (connection: Connection): void => {
    if (!all.delete(connection.socket)) return
    connection.used = performance.now()
    all.set(connection.socket, connection)
  }

  server.on('connection', (socket) => {
    const address = isBehindProxy ? '' : addressKey(socket.remoteAddress ?? '')
    const count = perAddress.get(address) ?? 0
    const hasTooMany = !isBehindProxy && count >= limits.connectionsPerAddress
    const isFull = all.size >= limits.connections
    if ((hasTooMany || isFull) && !makeRoom(hasTooMany ? address : undefined)) {
      socket.destroy()
      return
    }
    const open = new Map<ServerResponse, number>()
    const beginBody = boundPieces(socket, () => close(connection))
    const connection: Connection = {
      socket,
      address,
      open,
      beyond: 0,
      beginBody,
      used: performance.now(),
    }
    all.set(socket, connection)
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => forget(connection))
  })
  // Runs before any other listener, so that none answers a request on a connection that is closed by then.
  server.prependListener('request', ({ socket }, answer) => {
    const connection = all.get(socket)
    if (!connection) return
    if (asksOn(connection)) {
      close(connection)
      return
    }
    connection.beginBody()
    connection.open.set(answer, performance.now())
    touch(connection)
    answer.once('close', () => {
      connection.open.delete(answer)
      touch(connection)
    })
  })
  server.on('dropRequest', (_, socket) => {
    const connection = all.get(socket)
    if (!connection) return
    if (asksOn(connection)) close(connection)
    else connection.beyond += 1
  })
  const check = setInterval(() => {
    const since = performance.now() - limits.answerMs
    for (const connection of all.values()) {
      for (const [answer, begun] of connection.open) {
        if (answer.writableEnded && begun < since) close(connection)
      }
    }
  }, limits.checkEveryMs)
  check.unref()
  server.once('close', () => clearInterval(check))
}

/** What Node keeps of a connection and documents nowhere; a version without it would only read on. */
interface Parsed {
  readonly parser?: { onIncoming?: unknown } | null
}

/**
 * Node goes on making requests of what it has read from a connection that is closed, thousands of them, and an error with a stack
 * for each. It stops where the next one is said to be no longer its own, as after an upgrade.
 */
function stopReading(socket: Socket & Parsed): void {
  if (socket.parser) socket.parser.onIncoming = () => 2
}

/** Whether only the reading of its answers is left. */
function isUnread({ open }: Connection): boolean {
  return [...open.keys()].every((answer) => answer.writableEnded)
}
