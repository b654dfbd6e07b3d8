import sharp from 'sharp'

/** A file as the image picker takes it. */
export interface Picture {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A JPEG as a camera makes it: colours that vary, turned by its EXIF, with the place it was taken. */
export async function photograph(width = 1600, height = 1200): Promise<Picture> {
  // Eight times smaller first: photographs change softly from pixel to pixel, and noise is the hardest thing to encode.
  const small = sharp({
    create: {
      width: Math.ceil(width / 8),
      height: Math.ceil(height / 8),
      channels: 3,
      background: '#8899aa',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
  const buffer = await sharp(await small.png().toBuffer())
    .resize(width, height, { fit: 'fill' })
    .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '34/1 36/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { name: 'foto.jpg', mimeType: 'image/jpeg', buffer }
}

/** A picture of nothing but noise: its files weigh a megabyte or two. */
export async function noise(): Promise<Picture> {
  const dots = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = {
    width: 1280,
    height: 1280,
    channels: 3,
    background: '#888',
    noise: dots,
  } as const
  const buffer = await sharp({ create }).jpeg({ quality: 95 }).toBuffer()
  return { name: 'ruido.jpg', mimeType: 'image/jpeg', buffer }
}

/** A wide PNG, red on the left half and blue on the right. */
export async function redAndBlue(): Promise<Picture> {
  const half = { width: 600, height: 500, channels: 3 } as const
  const [red, blue] = await Promise.all(
    ['#ff0000', '#0000ff'].map((background) =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  )
  const buffer = await sharp({ create: { ...half, width: 1200, background: '#000' } })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: blue, left: 600, top: 0 },
    ])
    .png()
    .toBuffer()
  return { name: 'yo.png', mimeType: 'image/png', buffer }
}

/** A small PNG of one colour. */
export async function colourSquare(colour: string, size = 64): Promise<Picture> {
  const create = { width: size, height: size, channels: 4, background: colour } as const
  const buffer = await sharp({ create }).png().toBuffer()
  return { name: 'cuadro.png', mimeType: 'image/png', buffer }
}

/** An SVG logo with a script in it, which must not survive. */
export function scriptedLogo(): Picture {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><script>alert(1)</script><circle cx="20" cy="20" r="18" fill="#0a7"/></svg>`
  return { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }
}
