import { connect, type Socket } from 'node:net'

interface Load {
  readonly port: number
  readonly path: string
  readonly connections: number
  /** When to stop: after so many milliseconds or so many answers. */
  readonly until: { readonly ms?: number; readonly answers?: number }
}

/** Asks for one path again and again over kept connections, one request at a time each; resolves to the number of answers. */
export async function load({ port, path, connections, until }: Load): Promise<number> {
  const request = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Accept: */*',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'User-Agent: bench',
    '\r\n',
  ].join('\r\n')
  const end = performance.now() + (until.ms ?? Number.POSITIVE_INFINITY)
  const most = until.answers ?? Number.POSITIVE_INFINITY
  let answers = 0
  const isOver = () => performance.now() >= end || answers >= most
  const ask = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const answer = answerIn(received)
        if (!answer || received.length < answer.length) return
        received = received.subarray(answer.length)
        answers++
        if (isOver() || answer.isLast) socket.end()
        else socket.write(request)
      })
      socket.write(request)
    })
  // A server may close a connection after so many answers; another takes its place.
  const run = async () => {
    while (!isOver()) await ask(connect(port, '127.0.0.1'))
  }
  await Promise.all(Array.from({ length: connections }, run))
  return answers
}

/** The length of the answer at the start of the bytes and whether the connection ends with it; undefined while unknown. */
function answerIn(bytes: Buffer) {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const text = bytes.toString('latin1', 0, head)
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text)
  const isLast = /connection: close/i.test(text)
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  if (length !== undefined) return { length: head + 4 + Number(length), isLast }
  const end = bytes.indexOf('\r\n0\r\n\r\n', head)
  return end < 0 ? undefined : { length: end + 7, isLast }
}
