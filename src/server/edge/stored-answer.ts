import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodingsOf, type Encodings } from './encodings.ts'
import { chooseEncoding, type Encoding } from './content-encoding.ts'
import { includesTag } from '../api/etag.ts'
import { requestIdHeader } from './request-ids.ts'
import type { HeaderList } from './security-headers.ts'

/*
 * Answers that stay the same for a while: pages and files. All work is done once per answer, so that sending one is
 * a single `writeHead` and a single write.
 */

export interface StoredAnswer {
  readonly status: number
  readonly etag: string
  /** Shared by all encodings and by the answer that the reader's copy is current. */
  readonly headers: HeaderList
  readonly body: Encodings
  readonly compressible: boolean
}

interface Content {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer | Encodings
  /** Absent: derived from the content. A strong tag belongs to one encoding alone. */
  readonly etag?: string
  readonly compressible: boolean
  /** The request's headers that change the answer, beside its encoding. */
  readonly vary?: readonly string[]
}

/** An answer that can be given again and again: its tag, its headers and its body in every encoding. */
export function storeAnswer({
  status,
  headers,
  body,
  etag,
  compressible,
  vary = [],
}: Content): StoredAnswer {
  const kept = 'plain' in body ? body : encodingsOf(body)
  const tag = etag ?? tagOf(kept.plain)
  const varying = [...vary, ...(compressible ? ['Accept-Encoding'] : [])].join(', ')
  return {
    status,
    etag: tag,
    headers: [...headers, 'ETag', tag, ...(varying === '' ? [] : ['Vary', varying])],
    body: kept,
    compressible,
  }
}

/** A tag that follows from what is said alone. */
export function tagOf(body: Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 16)}"`
}

export interface Reply {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
}

/** Answers 304 when the reader's copy is current. */
export function sendStored({ req, res, requestId }: Reply, answer: StoredAnswer): void {
  const { 'if-none-match': tags, 'accept-encoding': accepted } = req.headers
  const { status, headers, compressible, body } = answer
  if (status === 200 && includesTag(tags, answer.etag)) {
    res.writeHead(304, [...headers, requestIdHeader, requestId]).end()
    return
  }
  const encoding = compressible ? chooseEncoding(accepted) : 'identity'
  const send = (bytes: Buffer, coding: Encoding) => {
    const length = ['Content-Length', String(bytes.length), requestIdHeader, requestId]
    const own = coding === 'identity' ? length : ['Content-Encoding', coding, ...length]
    res.writeHead(status, [...headers, ...own])
    res.end(bytes) // Node itself leaves the body out when only the head was asked for.
  }
  const bytes = body.as(encoding)
  if (!(bytes instanceof Promise)) return send(bytes, encoding)
  bytes.then(
    (made) => send(made, encoding),
    () => send(body.plain, 'identity'),
  )
}
