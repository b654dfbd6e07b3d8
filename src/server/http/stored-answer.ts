import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, brotliCompressSync, gzipSync } from 'node:zlib'
import { chooseEncoding, type Encoding } from './content-encoding.ts'
import { holdsTag } from './etag.ts'
import { requestIdHeader } from './request-ids.ts'
import type { HeaderList } from './security-headers.ts'

/*
 * Answers that stay the same for a while: pages and files. All work is done once per answer, so that sending one is
 * a single `writeHead` and a single write.
 */

interface Variant {
  readonly headers: HeaderList
  readonly body: Buffer
}

/** An answer kept in memory, sent in the encoding its reader prefers. */
export interface StoredAnswer {
  readonly status: number
  readonly etag: string
  /** The body as it was given. */
  readonly plain: Buffer
  variant(encoding: Encoding): Variant
  /** Puts a better compressed body in place of the brotli one. */
  improve(brotli: Buffer): void
  /** The headers that say that the reader's copy is current. */
  readonly unchanged: HeaderList
}

interface Content {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer
  /** The body already compressed; `compressible` says whether to compress it when it is not. */
  readonly brotli?: Buffer | undefined
  readonly compressible: boolean
}

const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Keeps a body with its headers; it is compressed when first asked for so. */
export function storeAnswer({ status, headers, body, brotli, compressible }: Content) {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const common = [...headers, 'ETag', etag, ...(compressible ? ['Vary', 'Accept-Encoding'] : [])]
  const variants = new Map<Encoding, Variant>()
  const store = (encoding: Encoding, bytes: Buffer): Variant => {
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    const length = ['Content-Length', String(bytes.length)]
    const variant = { headers: [...common, ...coding, ...length], body: bytes }
    variants.set(encoding, variant)
    return variant
  }
  if (brotli) store('br', brotli)
  const compress = (encoding: Encoding): Variant => {
    if (encoding === 'br') return store('br', brotliCompressSync(body, fastBrotli))
    return store(encoding, encoding === 'gzip' ? gzipSync(body) : body)
  }
  const answer: StoredAnswer = {
    status,
    etag,
    plain: body,
    unchanged: common,
    improve: (bytes) => void store('br', bytes),
    variant: (wanted) => {
      const encoding = compressible ? wanted : 'identity'
      return variants.get(encoding) ?? compress(encoding)
    },
  }
  return answer
}

/** One request being answered. */
export interface Reply {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
}

/** Sends a stored answer, or says that the reader's copy is current. */
export function sendStored({ req, res, requestId }: Reply, answer: StoredAnswer): void {
  const { 'if-none-match': held, 'accept-encoding': accepted } = req.headers
  const id = [requestIdHeader, requestId]
  if (answer.status === 200 && holdsTag(held, answer.etag)) {
    res.writeHead(304, [...answer.unchanged, ...id]).end()
    return
  }
  const { headers, body } = answer.variant(chooseEncoding(accepted))
  res.writeHead(answer.status, [...headers, ...id])
  res.end(body) // Node itself leaves the body out when only the head was asked for.
}
