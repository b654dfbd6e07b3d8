import sharp from 'sharp'
import { maxImagePixels } from '#contract/limits.ts'

const side = 296

/** A picture as a small square JPEG, cut as the CV's page cuts it. */
export async function squarePhoto(bytes: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(bytes, { limitInputPixels: maxImagePixels, pages: 1 })
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // Cut before it is scaled: a thin picture scaled whole would take gigabytes.
  const edge = Math.min(width, height)
  return sharp(data, { raw: { width, height, channels } })
    .extract({
      left: Math.round((width - edge) / 2),
      top: Math.round((height - edge) * 0.42),
      width: edge,
      height: edge,
    })
    .resize(side, side)
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
}
