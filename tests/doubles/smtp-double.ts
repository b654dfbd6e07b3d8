import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/** A mail as it came over the wire. */
interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers by their lower-case names, unfolded; what came twice is joined by a line break. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface SmtpDouble {
  url: string
  readonly mails: readonly ReceivedMail[]
  /** What it says to a recipient: `550 no` refuses for good, `450 later` for now, undefined never answers. */
  mood: string | undefined
  /** What it says to a command in place of its usual answer; `.` is the end of a mail, which it then does not keep. */
  readonly refusals: Partial<Record<'AUTH' | 'MAIL' | 'DATA' | '.', string>>
  /** How long it thinks about a whole mail before it says that it has it. */
  thinksMs: number
  /** How often somebody connected. */
  calls: number
  /** How often somebody sent a password over a line that anybody can read. */
  passwords: number
  close(): void
}

/** A mail server on loopback that keeps what it is given; as much of RFC 5321 as a client needs. */
export async function openSmtp(): Promise<SmtpDouble> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  const double: SmtpDouble = {
    mails,
    mood: '250 ok',
    refusals: {},
    url: '',
    thinksMs: 0,
    calls: 0,
    passwords: 0,
    close,
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    double.calls++
    socket.on('error', () => undefined)
    converse(socket, double, (mail) => void mails.push(mail))
  })
  double.url = `smtp://127.0.0.1:${await listenOnLoopback(server)}`
  return double
}

function converse(
  socket: Socket,
  double: Pick<SmtpDouble, 'mood' | 'refusals' | 'thinksMs' | 'passwords'>,
  keep: (mail: ReceivedMail) => void,
): void {
  let [waiting, from, isData] = ['', '', false]
  let to: string[] = []
  const say = (line: string) => void socket.write(`${line}\r\n`)
  const refusalOf = (line: string) =>
    double.refusals[line.slice(0, 4).toUpperCase() as keyof SmtpDouble['refusals']]
  say('220 casa')
  socket.setEncoding('utf8').on('data', (chunk) => {
    waiting += String(chunk)
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = waiting.indexOf(end)
      if (at < 0) return
      const line = waiting.slice(0, at)
      waiting = waiting.slice(at + end.length)
      const refusal = isData ? double.refusals['.'] : refusalOf(line)
      if (refusal !== undefined) {
        isData = false
        say(refusal)
      } else if (isData) {
        isData = false
        keep(mailOf(line, from, to))
        setTimeout(say, double.thinksMs, '250 ok')
      } else if (/^MAIL/i.test(line)) {
        from = /<(.*?)>/.exec(line)?.[1] ?? ''
        to = []
        say('250 ok')
      } else if (/^RCPT/i.test(line)) {
        if (double.mood === undefined) continue
        if (double.mood.startsWith('250')) to.push(/<(.*?)>/.exec(line)?.[1] ?? '')
        say(double.mood)
      } else if (/^AUTH/i.test(line)) {
        double.passwords++
        say('235 ok')
      } else if (/^EHLO/i.test(line)) {
        say('250-casa\r\n250 AUTH PLAIN')
      } else if (/^DATA/i.test(line)) {
        isData = true
        say('354 go on')
      } else {
        say(/^QUIT/i.test(line) ? '221 bye' : '250 casa')
      }
    }
  })
}

function mailOf(raw: string, from: string, to: readonly string[]): ReceivedMail {
  const at = raw.indexOf('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of raw
    .slice(0, at)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers[name] = [headers[name], line.slice(colon + 1).trim()].filter(Boolean).join('\n')
  }
  const body = raw.slice(at + 4).replaceAll('\r\n..', '\r\n.')
  return { from, to, headers, text: decoded(body, headers['content-transfer-encoding']) }
}

function decoded(body: string, encoding = ''): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
