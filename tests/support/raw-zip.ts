import { crc32, deflateRawSync } from 'node:zlib'

/* A zip that says of itself whatever it is told to: what no program that packs files would write. */

/** A part of a zip as its directory tells it. */
export interface RawPart {
  readonly name: string
  readonly content: Uint8Array
  readonly compressed?: boolean
  /** How long the directory says that it is; by itself as long as it is. */
  readonly bytes?: number
  /** What kind of file it is and who may read it, as on Unix. */
  readonly mode?: number
  /** Whether it has no data of its own and its directory names those of the part before. */
  readonly isShared?: boolean
  /** How often the directory lists it. */
  readonly times?: number
}

const utf8Names = 0x0800
const deflated = 8
const largest = 0xffff

/** The bytes of a zip of these parts. */
export function rawZip(parts: readonly RawPart[], comment = ''): Buffer {
  const data: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  let before = 0
  let count = 0
  for (const part of parts) {
    const { content, compressed = false, isShared = false, times = 1 } = part
    const bytes = compressed && !isShared ? deflateRawSync(content) : Buffer.from(content)
    const name = Buffer.from(part.name)
    const sizes = { packed: bytes.length, bytes: part.bytes ?? content.length }
    const about = describe({ ...sizes, crc: crc32(content), compressed })
    if (!isShared) {
      before = at
      const header = Buffer.concat([word(0x04034b50), half(20), about, half(name.length), half(0)])
      data.push(header, name, bytes)
      at += header.length + name.length + bytes.length
    }
    const record = Buffer.concat([
      word(0x02014b50),
      half(0x0314),
      half(20),
      about,
      half(name.length),
      // Neither more words about it, nor a comment; the first disk; no kind of text.
      Buffer.alloc(8),
      word(((part.mode ?? 0o100600) << 16) >>> 0),
      word(before),
      name,
    ])
    directory.push(Buffer.alloc(record.length * times, record))
    count += times
  }
  const listed = Buffer.concat(directory)
  return Buffer.concat([...data, listed, endOf(count, { at, bytes: listed.length }, comment)])
}

interface About {
  readonly packed: number
  readonly bytes: number
  readonly crc: number
  readonly compressed: boolean
}

const describe = ({ packed, bytes, crc, compressed }: About): Buffer =>
  Buffer.concat([
    half(utf8Names),
    half(compressed ? deflated : 0),
    // Nobody asks when it was written.
    word(0),
    word(crc),
    word(packed),
    word(bytes),
  ])

interface Directory {
  readonly at: number
  readonly bytes: number
}

function endOf(count: number, { at, bytes }: Directory, comment: string): Buffer {
  const said = Buffer.from(comment)
  const short = Math.min(count, largest)
  const end = [word(0x06054b50), word(0), half(short), half(short), word(bytes), word(at)]
  const long =
    count < largest
      ? []
      : [
          word(0x06064b50),
          double(44),
          half(45),
          half(45),
          word(0),
          word(0),
          double(count),
          double(count),
          double(bytes),
          double(at),
          // Where that is told.
          word(0x07064b50),
          word(0),
          double(at + bytes),
          word(1),
        ]
  return Buffer.concat([...long, ...end, half(said.length), said])
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
