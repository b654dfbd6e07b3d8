/** The second byte of what stands without a length of its own: a byte of the picture, and the marks of its restarts. */
const isBare = (mark: number) => mark < 0x02 || (mark >= 0xd0 && mark <= 0xd8)
const endOfImage = 0xd9
const startOfScan = 0xda

/** In how many scans a JPEG comes, by its marks alone; none for any other file. */
export function scansIn(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0
  let scans = 0
  let at = 2
  while (at < bytes.length) {
    const mark = bytes[at + 1] ?? endOfImage
    // Any number of 0xff may stand in front of a mark.
    if (bytes[at] !== 0xff || mark === 0xff) at += 1
    else if (isBare(mark)) at += 2
    else if (mark === endOfImage) break
    else {
      if (mark === startOfScan) scans++
      at += 2 + Math.max(2, ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0))
    }
  }
  return scans
}
