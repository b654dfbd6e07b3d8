/* As much of protobuf as the browser's push protocol needs: whole numbers, fixed 64-bit numbers, bytes. */

/** A message's fields in order, by their numbers. */
export type Field = readonly [number: number, value: bigint | Buffer]

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt(value)
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

const key = (field: number, wire: number) => varint((field << 3) | wire)

export function numberField(field: number, value: number | bigint): Buffer {
  return Buffer.concat([key(field, 0), varint(value)])
}

export function fixedField(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return Buffer.concat([key(field, 1), bytes])
}

export function bytesField(field: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([key(field, 2), varint(bytes.length), bytes])
}

/** A number at the start of the bytes and how many it takes; undefined when it is not all there. */
export function readVarint(bytes: Buffer, start = 0): readonly [bigint, number] | undefined {
  let value = 0n
  for (let at = start, shift = 0n; at < bytes.length; at++, shift += 7n) {
    const byte = bytes[at] ?? 0
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return [value, at + 1]
  }
  return undefined
}

/** The fields of a whole message. Throws when it is cut. */
export function readFields(bytes: Buffer): readonly Field[] {
  const fields: Field[] = []
  const varintAt = (at: number) => {
    const read = readVarint(bytes, at)
    if (!read) throw new Error('a message that is cut')
    return read
  }
  for (let at = 0; at < bytes.length;) {
    const [head, afterHead] = varintAt(at)
    const field = Number(head >> 3n)
    const wire = Number(head & 7n)
    if (wire === 0) {
      const [value, next] = varintAt(afterHead)
      fields.push([field, value])
      at = next
    } else if (wire === 2) {
      const [size, begin] = varintAt(afterHead)
      at = begin + Number(size)
      fields.push([field, bytes.subarray(begin, at)])
    } else {
      const size = wire === 1 ? 8 : 4
      at = afterHead + size
      fields.push([field, bytes.subarray(afterHead, at)])
    }
  }
  return fields
}
