import sharp, { type Sharp } from 'sharp'
import { smallerWidths } from '#contract/images/image.ts'
import { imageWidths, maxImagePixels } from '#contract/limits.ts'
import { Problem } from '../problem.ts'
import type { RenderedFile, Rendering } from './render.ts'

const largestWidth = Math.max(...imageWidths)
/** The limit of WebP, in pixels. */
const largestHeight = 16_383
/** Programs make about ten. Each is a walk over the whole picture, and a few kilobytes hold hundreds. */
const mostScans = 100
/** The second byte of what stands without a length of its own: a byte of the picture, and the marks of its restarts. */
const isBare = (mark: number) => mark < 0x02 || (mark >= 0xd0 && mark <= 0xd8)
const endOfImage = 0xd9
const startOfScan = 0xda
const webp = { quality: 80, effort: 4 } as const

/** Keeps the image library to one thread and no cache, so that a picture costs a bounded part of the machine. */
export function limitSharp(): void {
  sharp.cache(false)
  sharp.concurrency(1)
}

/** WebP at every width up to 1280, upright, in sRGB, without any metadata; decoded once. */
export async function renderPhoto(bytes: Uint8Array): Promise<Rendering> {
  await refuseTooManyPixels(bytes)
  if (scansIn(bytes) > mostScans) throw new Problem('imagen-danada')
  const { data, info } = await decode(bytes)
  const { width, height, channels } = info
  const picture = () => sharp(data, { raw: { width, height, channels } })
  const files: RenderedFile[] = [{ bytes: await encode(picture()) }]
  for (const smaller of smallerWidths(width)) {
    files.push({ width: smaller, bytes: await encode(picture().resize({ width: smaller })) })
  }
  return { size: { width, height }, ending: 'webp', files }
}

/** Reads the header only, so that a small file of a huge picture costs nothing. */
async function refuseTooManyPixels(bytes: Uint8Array): Promise<void> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(refuseBroken)
  if (width * height > maxImagePixels) throw new Problem('imagen-enorme')
}

function decode(bytes: Uint8Array) {
  return sharp(bytes, { failOn: 'error', limitInputPixels: maxImagePixels, pages: 1 })
    .autoOrient()
    .resize({
      width: largestWidth,
      height: largestHeight,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuseBroken)
}

function encode(picture: Sharp): Promise<Uint8Array> {
  return picture.webp(webp).toBuffer()
}

function refuseBroken(cause: unknown): never {
  throw new Problem('imagen-danada', { cause })
}

/** In how many scans a JPEG comes, by its marks alone; none for any other file. */
function scansIn(bytes: Uint8Array): number {
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
