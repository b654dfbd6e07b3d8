import type { Socket } from 'node:net'
import { maxImageBytes } from '#contract/limits.ts'

type TakePiece = (this: unknown, piece: Uint8Array) => unknown

/** The place where Node's parser looks for what takes a piece of a body, `kOnBody`. */
const onBody = 3

/** What Node keeps of a connection and documents nowhere; in a version without it nothing is counted. */
interface Parsed {
  readonly parser?: { [onBody]?: TakePiece | undefined } | null
}

/** No body of ours has so many pieces, however small. */
const free = 256

/** Beyond those, pieces are on average so large; proxies send them by the kilobyte. */
const bytesEach = 512

/** No body is read so far, those of refused pictures included. */
const mostBytes = 4 * maxImageBytes

/**
 * Calls `close` once a body of this connection comes in crumbs or without end; what it returns is called at the beginning of each
 * request. A sender who says the length of each piece decides how many there are: six bytes on the wire for each byte cost many times
 * what a whole body does, and whatever has arrived on a connection is one piece of work, during which nobody else is answered. They
 * are counted where the parser hands them over, since Node also reads what nobody asked it for, to throw it away, as long as it comes.
 */
export function boundPieces(socket: Socket & Parsed, close: () => void): () => void {
  const { parser } = socket
  const take = parser?.[onBody]
  let pieces = 0
  let bytes = 0
  if (parser && take) {
    parser[onBody] = function takeCounted(piece) {
      pieces += 1
      bytes += piece.length
      if (pieces <= free + bytes / bytesEach && bytes <= mostBytes) return take.call(this, piece)
      // What has been read already is parsed to its end; without anybody to take them its pieces cost nothing.
      parser[onBody] = undefined
      return close()
    }
    // The parser goes on to another connection then.
    socket.prependOnceListener('close', () => (parser[onBody] = take))
  }
  return () => {
    pieces = 0
    bytes = 0
  }
}
