import { maxJsonBytes } from '#contract/limits.ts'
import { isObject, type JsonObject } from '#contract/json.ts'
import { Problem } from '../problem.ts'

const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i
const maxDepth = 16
/**
 * How much of a body that is too large is read and dropped: a sender whose connection is cut while sending reads no
 * answer.
 */
const maxDiscardedBytes = 16 * maxJsonBytes

/** The part of Hono's context that is needed here. */
interface WithRequest {
  readonly req: { readonly raw: Request }
}

/**
 * The body must be one plain JSON object. Throws 415 for another type or a compressed body, 413 above `maxJsonBytes`,
 * 400 for anything else: no UTF-8, a byte order mark, a repeated name, too deep, not an object.
 */
export async function readJson({ req }: WithRequest): Promise<JsonObject> {
  const { headers, body } = req.raw
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity' || !jsonType.test(headers.get('content-type') ?? '')) {
    throw new Problem('tipo-no-admitido')
  }
  if (Number(headers.get('content-length') ?? 0) > maxJsonBytes) {
    throw new Problem('demasiado-grande')
  }
  if (!body) throw new Problem('json-no-valido')
  return parseObject(await readText(body))
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  // A byte order mark is kept, so that the parser refuses it.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxDiscardedBytes) break
      if (size <= maxJsonBytes) text += decoder.decode(chunk, { stream: true })
    }
    if (size <= maxJsonBytes) return text + decoder.decode()
  } catch (cause) {
    throw new Problem('json-no-valido', { cause }) // no UTF-8, or the sender went away
  }
  throw new Problem('demasiado-grande')
}

function parseObject(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Problem('json-no-valido', { cause })
  }
  if (!isObject(value) || countNames(value, maxDepth) < countColons(text)) {
    throw new Problem('json-no-valido')
  }
  return value
}

/** How many names valid JSON text holds, counting repeated ones: outside strings, each is followed by the only colon. */
function countColons(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
}

/** How many names a parsed value holds: fewer than its text when one was repeated. Throws below the depth allowed. */
function countNames(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) throw new Problem('json-no-valido')
  const names = Array.isArray(value) ? 0 : Object.keys(value).length
  const inner = Object.values(value).map((member) => countNames(member, depth - 1))
  return inner.reduce((sum, count) => sum + count, names)
}
