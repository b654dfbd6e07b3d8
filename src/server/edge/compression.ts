import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './content-encoding.ts'

const brotliAs = promisify(brotliCompress)
const gzipAs = promisify(gzip)

/** The quick quality serves the first reader, the best one all later readers. */
const qualities = { quick: 5, best: 11 } as const

/** Runs on another thread. */
export function compress(
  body: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
  effort: keyof typeof qualities = 'quick',
): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAs(body)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: qualities[effort],
    // Only as wide as the text needs: the default takes 40 MB for each call, which the process then keeps.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, bitsOf(body.length + 16))),
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  return brotliAs(body, { params })
}

const bitsOf = (length: number) => Math.ceil(Math.log2(length))

interface Improvable {
  readonly plain: Buffer
  improve(brotli: Buffer): void
}

/**
 * Compresses at the best quality what has stayed unchanged for a moment, one after the other: otherwise an hour of
 * editing would only compress.
 */
export function createImprover({
  afterMs = 30_000,
  onError,
}: {
  readonly afterMs?: number
  readonly onError: (error: unknown) => void
}) {
  const waiting = new Map<string, Improvable>()
  let timer: NodeJS.Timeout | undefined
  const improveAll = async () => {
    for (let [first] = waiting; first; [first] = waiting) {
      const [key, one] = first
      waiting.delete(key)
      await compress(one.plain, 'br', 'best').then((brotli) => one.improve(brotli), onError)
    }
    timer = undefined
  }
  return {
    /** Replaces whatever waits under the same key. */
    improve: (key: string, one: Improvable): void => {
      waiting.delete(key)
      waiting.set(key, one)
      timer ??= setTimeout(() => void improveAll(), afterMs).unref()
    },
    /** Leaves what waits as it is: nobody reads it any more. */
    stop: (): void => {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
