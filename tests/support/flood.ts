import { connect, type Socket } from 'node:net'
import type { Origin } from './work-flood.ts'

interface Flood extends Origin {
  readonly port: number
  readonly count: number
  /** What each connection sends at once. */
  readonly text: string
  /** Whether it reads what it is sent. */
  readonly reads?: boolean
}

const half = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

/** Ways to hold a server's places without letting it work; each more than a server has. */
export const floods = [
  { name: 'idle connections', count: 1100, text: '' },
  { name: 'half-sent headers', count: 1100, text: 'GET / HTTP/1.1\r\nHost: a\r\nX-Half: ' },
  { name: 'half-sent posts', count: 300, text: `${half}Content-Length: 900\r\n\r\n{"name":` },
  {
    name: 'half-sent posts with a made-up token',
    count: 300,
    text: `${half}Authorization: Bearer${'x'.repeat(43)}\r\nContent-Length: 900\r\n\r\n{`,
  },
  {
    name: 'half-sent posts in pieces',
    count: 300,
    text: `${half}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  },
  {
    name: 'half-sent forms that only the script takes',
    count: 1100,
    text: 'POST /share HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\ntitle=',
  },
  {
    name: 'answers that nobody reads',
    count: 1100,
    text: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    reads: false,
  },
  {
    name: 'requests that wait for no answer',
    count: 200,
    text: 'GET /api/experience/1 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(800),
  },
] as const

/** Opens so many connections, each from the next of the addresses; resolves to how to end them. */
export async function flood(kind: Flood) {
  const { port, count, addresses, isBehindProxy, text, reads = true } = kind
  const sockets: Socket[] = []
  for (let i = 0; i < count; i++) {
    const host = 1 + (i % addresses)
    const localAddress = isBehindProxy ? '127.0.0.1' : `127.0.1.${host}`
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const told = `Host: a\r\n${isBehindProxy ? `X-Forwarded-For: 198.51.${host}.1\r\n` : ''}`
    const begun = text.replace('Host: a\r\n', told)
    socket.on('error', () => undefined)
    if (!reads) socket.pause()
    sockets.push(socket)
    await new Promise<void>((opened) => {
      socket.once('connect', () => socket.write(begun, () => opened()))
      socket.once('close', () => opened())
    })
  }
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
