import { createHash, createHmac } from 'node:crypto'

/** A request as a storage service sees it. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const header =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** What is wrong with a request's signature, in S3's own codes, written from Amazon's description of version 4; undefined when it holds. */
export function signatureFault(
  { method, url, headers }: SignedRequest,
  { accessKeyId, secretAccessKey }: Keys,
): string | undefined {
  const [, id, day = '', region = '', names = '', signature] =
    header.exec(headers['authorization'] ?? '') ?? []
  if (signature === undefined) return 'AccessDenied'
  if (id !== accessKeyId) return 'InvalidAccessKeyId'
  const moment = headers['x-amz-date'] ?? ''
  const signed = names.split(';')
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date']
  if (!moment.startsWith(day) || !needed.every((name) => signed.includes(name))) {
    return 'AccessDenied'
  }
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonical = [
    method,
    url.pathname.split('/').map(decodeURIComponent).map(encode).join('/'),
    query,
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, digest(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
