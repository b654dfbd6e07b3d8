import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { signatureFault } from './signature.ts'

/** What the service does instead of its work. */
type Trouble = 'down' | 'full' | 'silent' | undefined

/** A storage service that speaks S3 on this machine, with one bucket. */
export interface S3Double {
  /** What the product's configuration needs of it. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, { readonly bytes: Buffer; readonly at: Date }>
  /** Every request, as `GET media/…`. */
  readonly asked: string[]
  /** Why requests were refused. */
  readonly refused: string[]
  trouble: Trouble
}

const keys = { accessKeyId: 'AKIATINTERO', secretAccessKey: 'wJalr/XUtn+FEMI=K7MDENG' }
const bucket = 'cubo'
/** Small, so that a listing takes several pages. */
const perPage = 3
const allowedSkewMs = 15 * 60_000

/** Starts one that checks each signature and digest as S3 does, and ends with the test. */
export async function startS3(): Promise<S3Double> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/${bucket}`
  const double: S3Double = {
    env: {
      S3_URL: url,
      S3_REGION: 'eu-west-1',
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    objects: new Map(),
    asked: [],
    refused: [],
    trouble: undefined,
  }
  const server = createServer((req, res) => void answer(double, req, res))
  await listenOnLoopback(server, port)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return double
}

async function answer(double: S3Double, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? '', `http://${req.headers.host}`)
  const method = req.method ?? ''
  const [, inBucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? []
  double.asked.push(`${method} ${key}${url.search}`)
  const bytes = await buffer(req)
  const refuse = (status: number, code: string) => {
    double.refused.push(code)
    send(res, status, `<Error><Code>${code}</Code><Message>as the service says</Message></Error>`)
  }
  if (double.trouble === 'silent') return
  if (double.trouble === 'down') return refuse(503, 'SlowDown')
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
  )
  const fault = signatureFault({ method, url, headers }, keys) ?? contentFault(headers, bytes)
  if (fault !== undefined) return refuse(403, fault)
  if (inBucket !== bucket) return refuse(404, 'NoSuchBucket')
  if (method === 'GET' && key === '') return send(res, 200, listing(double, url.searchParams))
  if (method === 'PUT') {
    if (double.trouble === 'full') return refuse(507, 'XMinioStorageFull')
    double.objects.set(key, { bytes, at: new Date() })
    return void res.writeHead(200).end()
  }
  if (method === 'DELETE') {
    double.objects.delete(key)
    return void res.writeHead(204).end()
  }
  const found = double.objects.get(key)
  if (!found) return refuse(404, 'NoSuchKey')
  res.writeHead(200, { 'content-length': found.bytes.length }).end(found.bytes)
}

function contentFault(headers: Readonly<Record<string, string>>, bytes: Buffer) {
  const { 'x-amz-date': moment = '', 'x-amz-content-sha256': stated } = headers
  const iso = moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.now() - Date.parse(iso)) < allowedSkewMs)) return 'RequestTimeTooSkewed'
  if (stated === 'UNSIGNED-PAYLOAD') return undefined
  const isSame = createHash('sha256').update(bytes).digest('hex') === stated
  return isSame ? undefined : 'XAmzContentSHA256Mismatch'
}

function listing({ objects }: S3Double, query: URLSearchParams): string {
  if (query.get('list-type') !== '2') return '<ListBucketResult/>'
  const from = query.get('continuation-token') ?? ''
  const prefix = query.get('prefix') ?? ''
  const all = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > from)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const page = all.slice(0, perPage)
  const contents = page.map(
    ([key, { at }]) =>
      `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified></Contents>`,
  )
  const more =
    all.length > perPage ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${more}</ListBucketResult>`
}

function send(res: ServerResponse, status: number, xml: string): void {
  res.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
}
