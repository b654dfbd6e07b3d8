import { randomUUID } from 'node:crypto'
import { createServer, type TLSSocket } from 'node:tls'
import { testCertificate } from './certificate.ts'
import { bytesField, numberField, readFields, readVarint, varint, type Field } from './protobuf.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/** What a browser is handed: for which of its subscriptions, and the encrypted body. */
interface Delivery {
  readonly appId: string
  /** The key the subscription was made for. */
  readonly sender: string
  readonly body: Buffer
}

/** The line on which browsers wait for pushes (MCS): one browser at a time. */
export interface MobileConnection {
  readonly port: number
  deliver(delivery: Delivery): void
  close(): void
}

/** Kinds of messages on the line. */
const kinds = { ping: 0, pong: 1, login: 2, loggedIn: 3, answer: 7, data: 8 } as const
/** Where each kind tells what its sender has received. */
const receivedFields: Readonly<Record<number, number>> = { 0: 2, 1: 2, 7: 10, 8: 11 }
const protocolVersion = 41
/** Chromium loses what comes right behind its sign-in: it is asked this often until it answers. */
const asksEveryMs = 100

interface Line {
  readonly socket: TLSSocket
  /** Asks the browser whether it listens, until it says so. */
  readonly asking: NodeJS.Timeout
  isReady: boolean
  /** The number of the last message sent. */
  last: number
  readonly sent: { readonly number: number; readonly id: string }[]
}

export async function openMobileConnection(): Promise<MobileConnection> {
  const pending = new Map<string, Buffer>()
  let line: Line | undefined

  const send = (id: string) => {
    const frame = pending.get(id)
    if (!frame || !line?.isReady || line.socket.destroyed) return
    line.sent.push({ number: ++line.last, id })
    line.socket.write(frame)
  }
  const drop = () => {
    clearInterval(line?.asking)
    line?.socket.destroy()
  }
  const signIn = (socket: TLSSocket, fields: readonly Field[]) => {
    // What an earlier line brought is told here.
    for (const [field, value] of fields) if (field === 10) pending.delete(String(value))
    const answer = [bytesField(1, 'login-1'), numberField(8, Date.now())]
    socket.write(Buffer.concat([Buffer.from([protocolVersion]), frameOf(kinds.loggedIn, answer)]))
    drop()
    const asking = setInterval(() => {
      if (!line || socket.destroyed) return clearInterval(asking)
      line.last++
      socket.write(frameOf(kinds.ping, []))
    }, asksEveryMs)
    line = { socket, asking, isReady: false, last: 1, sent: [] }
  }
  const take = (socket: TLSSocket, kind: number, fields: readonly Field[]) => {
    if (kind === kinds.login) return signIn(socket, fields)
    if (line?.socket !== socket) return
    if (kind === kinds.ping) {
      line.last++
      socket.write(frameOf(kinds.pong, []))
    }
    if (kind === kinds.pong && !line.isReady) {
      clearInterval(line.asking)
      line.isReady = true
      for (const id of pending.keys()) send(id)
    }
    const received = fields.find(([field]) => field === receivedFields[kind])?.[1]
    if (typeof received !== 'bigint') return
    for (const { number, id } of line.sent) if (number <= Number(received)) pending.delete(id)
  }

  const { key, cert } = testCertificate()
  const server = createServer({ key, cert }, (socket) => {
    let rest: Buffer = Buffer.alloc(0)
    let hasVersion = false
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      if (!hasVersion) rest = rest.subarray(1)
      hasVersion = true
      for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
        rest = frame.rest
        take(socket, frame.kind, readFields(frame.message))
      }
    })
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    deliver: (delivery) => {
      const id = `0:${Date.now()}%${randomUUID().slice(0, 8)}`
      pending.set(id, frameOf(kinds.data, dataOf(id, delivery)))
      send(id)
    },
    close: () => {
      drop()
      server.close()
    },
  }
}

function frameOf(kind: number, parts: readonly Buffer[]): Buffer {
  const message = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([kind]), varint(message.length), message])
}

function readFrame(bytes: Buffer) {
  const size = readVarint(bytes, 1)
  if (!size) return undefined
  const [length, start] = size
  const end = start + Number(length)
  if (bytes.length < end) return undefined
  return { kind: bytes[0] ?? 0, message: bytes.subarray(start, end), rest: bytes.subarray(end) }
}

function dataOf(id: string, { appId, sender, body }: Delivery): readonly Buffer[] {
  const entry = (name: string, value: string) =>
    bytesField(7, Buffer.concat([bytesField(1, name), bytesField(2, value)]))
  return [
    bytesField(3, sender),
    bytesField(5, 'org.chromium.linux'),
    entry('subtype', appId),
    bytesField(9, id),
    numberField(17, 3600),
    numberField(18, Date.now()),
    // The browser is to say at once that it has it.
    numberField(24, 1),
    entry('content-encoding', 'aes128gcm'),
    bytesField(21, body),
  ]
}
