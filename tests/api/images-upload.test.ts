import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { imageSource } from '#contract/images/image.ts'
import { maxImageBytes } from '#contract/limits.ts'
import { sections } from '#contract/sections/index.ts'
import { writeSettings } from '#server/db/settings.ts'
import { engines } from '#tests/support/database.ts'
import { openGallery, type Gallery } from '#tests/support/gallery.ts'
import { colourSquare, photograph, scriptedLogo } from '#tests/support/pictures.ts'

// Shrinking photographs is real work: on a busy machine it takes its time.
vi.setConfig({ testTimeout: 60_000 })

/** Every file an `<img>` of this address may ask for, as the server gives it. */
async function pictures({ app }: Gallery, url: string) {
  const { srcSet = url } = imageSource(url)
  const addresses = srcSet.split(', ').map((candidate) => candidate.split(' ')[0] ?? '')
  return Promise.all(
    addresses.map(async (address) => {
      const answer = await app.request(address)
      return sharp(await answer.arrayBuffer()).metadata()
    }),
  )
}

/** What the refusal says to the person. */
async function refusal(answer: Response) {
  const { code, mensaje } = (await answer.json()) as { code: string; mensaje: string }
  return { status: answer.status, code, mensaje }
}

describe.each(engines)('%s', (engine) => {
  test('the same bytes again are the same picture, and nothing new', async () => {
    const gallery = await openGallery(engine)
    const { buffer } = await colourSquare('#0a7')
    const body = new Uint8Array(buffer)
    const first = await gallery.upload({ body })
    const second = await gallery.upload({ body, name: 'New/project_2' })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(await second.json()).toEqual(await first.clone().json())
    expect(first.headers.get('location')).toMatch(/^\/media\/[0-9a-f]{40}\.64x64\.webp$/)
    expect(await gallery.files()).toHaveLength(1)
  })

  test('a storage name leads to the picture uploaded under it last', async () => {
    const gallery = await openGallery(engine)
    await gallery.add(await colourSquare('#0a7'), 'Project/project_7')
    const url = await gallery.add(await colourSquare('#07a'), 'Project/project_7')
    const answer = await gallery.app.request('/media/Project/project_7')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, url])
  })
})

test('a photograph is kept upright at every width, without a trace of where and how it was taken', async () => {
  const gallery = await openGallery()
  const url = await gallery.add(await photograph(1600, 1200))
  const kept = await pictures(gallery, url)
  expect(kept.map(({ width, height }) => [width, height])).toEqual([
    [320, 427],
    [640, 853],
    [960, 1280],
    [1200, 1600],
  ])
  for (const { format, exif, icc, xmp, orientation } of kept) {
    expect({ format, exif, icc, xmp, orientation }).toEqual({ format: 'webp' })
  }
})

test('a photograph that comes in pieces, of a length nobody told, is whole', async () => {
  const { images } = await openGallery()
  const { buffer } = await photograph()
  expect(buffer.length).toBeGreaterThan(300_000)
  const put = { type: 'Project', name: 'project_1' }
  const body = new Blob([new Uint8Array(buffer)]).stream()
  const whole = await images.put({ ...put, body, length: buffer.length })
  const again = await images.put({ ...put, body: inPieces(new Uint8Array(buffer), 10_000) })
  expect(again).toEqual({ url: whole.url, created: false })
})

function inPieces(bytes: Uint8Array<ArrayBuffer>, size: number) {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size))
      }
      controller.close()
    },
  })
}

test('a photograph of twelve megapixels shrinks to 1280 pixels of width', async () => {
  const gallery = await openGallery()
  const url = await gallery.add(await photograph(3000, 4000))
  expect(url).toMatch(/\.1280x960\.webp$/)
  expect((await pictures(gallery, url)).map(({ width }) => width)).toEqual([320, 640, 960, 1280])
})

test('a picture is never enlarged', async () => {
  const gallery = await openGallery()
  const url = await gallery.add(await colourSquare('#0a7', 200))
  expect(url).toMatch(/\.200x200\.webp$/)
  expect(await gallery.files()).toEqual([url.replace('/media/', '')])
})

test('a very long picture is kept, as long as WebP can be', async () => {
  const gallery = await openGallery()
  const create = { width: 100, height: 20_000, channels: 3, background: '#0a7' } as const
  const buffer = await sharp({ create }).png().toBuffer()
  const url = await gallery.add({ name: 'largo.png', mimeType: 'image/png', buffer })
  expect(url).toMatch(/\.82x16383\.webp$/)
})

test('transparency and 16-bit grey survive', async () => {
  const gallery = await openGallery()
  const create = { width: 40, height: 40, channels: 4, background: '#00770080' } as const
  const clear = await sharp({ create }).png().toBuffer()
  const grey = await sharp({ create: { ...create, background: '#808080' } })
    .removeAlpha()
    .toColourspace('grey16')
    .png()
    .toBuffer()
  const draw = async (buffer: Buffer) => {
    const url = await gallery.add({ name: 'a.png', mimeType: 'image/png', buffer })
    const answer = await gallery.app.request(url)
    return sharp(await answer.arrayBuffer())
      .ensureAlpha()
      .raw()
      .toBuffer()
  }
  expect((await draw(clear)).at(3)).toBe(128)
  expect(Math.abs(((await draw(grey)).at(0) ?? 0) - 128)).toBeLessThan(4)
})

test('a drawing is kept without what could run, under its own size', async () => {
  const gallery = await openGallery()
  const url = await gallery.add(scriptedLogo())
  expect(url).toMatch(/^\/media\/[0-9a-f]{40}\.40x40\.svg$/)
  const answer = await gallery.app.request(url)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(await answer.text()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">' +
      '<circle cx="20" cy="20" r="18" fill="#0a7"></circle></svg>',
  )
})

test.each(['Person', ...sections.flatMap(({ images }) => images?.type ?? [])])(
  'pictures of %s are taken',
  async (type) => {
    const { upload } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    expect((await upload({ type, body: new Uint8Array(buffer) })).status).toBe(201)
  },
)

test.each(['Proyecto', 'project', '..', 'constructor', 'Project%2f..'])(
  'the category %s does not exist',
  async (type) => {
    const { upload, app, session } = await openGallery()
    const answer =
      type === '..'
        ? await app.request('/api/image/%2e%2e%2f?name=exp_1', { method: 'PUT', headers: session })
        : await upload({ type, body: 'x' })
    expect(await refusal(answer)).toEqual({
      status: 400,
      code: 'categoria-no-valida',
      mensaje: 'Categoría no válida',
    })
  },
)

test.each([
  '',
  'exp_',
  'foto_1',
  '../exp_1',
  'New/../exp_1',
  'exp_1/../../x',
  '..\\exp_1',
  'exp_1\u0000.png',
  'exp_%2e%2e',
  '//etc/exp_1',
  `exp_${'a'.repeat(65)}`,
  'exp_ñ',
  'exp_1\n',
])('the name %j is no storage name', async (name) => {
  const { upload, files, dir } = await openGallery()
  await mkdir(dir)
  const { buffer } = await colourSquare('#0a7')
  const answer = await upload({ name, body: new Uint8Array(buffer) })
  expect(await refusal(answer)).toMatchObject({ status: 422, code: 'nombre-no-valido' })
  expect(await files()).toEqual([])
})

test.each(['New/exp_0199-a', '/New/project_1', 'exp_7', 'edu_7', 'skill_7', 'perfil_1'])(
  'the storage name %s is taken',
  async (name) => {
    const { upload } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    expect((await upload({ name, body: new Uint8Array(buffer) })).status).toBe(201)
  },
)

describe('what is not a picture is refused, in words', () => {
  const wrongType = {
    status: 415,
    code: 'imagen-no-admitida',
    mensaje: 'Formato no admitido. Usa .jpg, .jpeg, .png o .svg.',
  }
  const broken = {
    status: 422,
    code: 'imagen-danada',
    mensaje: 'La imagen está dañada o incompleta. Prueba con otra.',
  }

  test.each([
    ['a page named as a picture', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['a page that starts as XML', '<?xml version="1.0"?><html><body/></html>', 'image/svg+xml'],
    ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000', 'image/gif'],
    ['text', 'hola', 'image/jpeg'],
  ])('%s', async (_, body, type) => {
    const { upload, session } = await openGallery()
    const answer = await upload({ body, headers: { ...session, 'content-type': type } })
    expect(await refusal(answer)).toEqual(wrongType)
  })

  test('a WebP, which the picker does not offer', async () => {
    const { upload } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    const body = new Uint8Array(await sharp(buffer).webp().toBuffer())
    expect(await refusal(await upload({ body }))).toEqual(wrongType)
  })

  test.each([
    ['image/jpeg', undefined],
    ['image/png', 'foto.jpg'],
    ['text/html', undefined],
    ['', 'foto.svg'],
  ])('a PNG declared as %j in a file named %j', async (type, file) => {
    const { upload, session } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    const answer = await upload({
      body: new Uint8Array(buffer),
      headers: { ...session, 'content-type': type },
      ...(file && { file }),
    })
    expect(await refusal(answer)).toEqual(wrongType)
  })

  test('a photograph that ends too early', async () => {
    const { upload, files, dir } = await openGallery()
    await mkdir(dir)
    const { buffer } = await photograph(800, 600)
    const body = new Uint8Array(buffer.subarray(0, buffer.length / 2))
    expect(await refusal(await upload({ body }))).toEqual(broken)
    expect(await files()).toEqual([])
  })

  test('a PNG with a flipped byte', async () => {
    const { upload } = await openGallery()
    const body = new Uint8Array((await photograph(300, 200)).buffer)
    const png = new Uint8Array(await sharp(body).png().toBuffer())
    png[png.length >> 1] = (png[png.length >> 1] ?? 0) ^ 0xff
    expect(await refusal(await upload({ body: png }))).toEqual(broken)
  })

  test('a small photograph that walks over its pixels two hundred times', async () => {
    const { upload } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    const options = { progressive: true, optimiseScans: true } as const
    const jpeg = await sharp(buffer).grayscale().jpeg(options).toBuffer()
    const [startOfScan, endOfImage] = [Buffer.from([0xff, 0xda]), Buffer.from([0xff, 0xd9])]
    const [scan, end] = [jpeg.lastIndexOf(startOfScan), jpeg.length - endOfImage.length]
    const walks = (times: number) => {
      const more = Array<Uint8Array>(times).fill(jpeg.subarray(scan, end))
      return new Uint8Array(Buffer.concat([jpeg.subarray(0, end), ...more, endOfImage]))
    }
    expect((await upload({ body: walks(50) })).status).toBe(201)
    expect(await refusal(await upload({ body: walks(200) }))).toEqual(broken)
  })

  test('nothing at all', async () => {
    const { upload } = await openGallery()
    expect(await refusal(await upload({ body: '' }))).toEqual(broken)
  })

  test('a small file that unfolds to 900 megapixels', async () => {
    const { upload } = await openGallery()
    const { buffer } = await colourSquare('#0a7')
    const body = new Uint8Array(buffer)
    const header = new DataView(body.buffer)
    header.setUint32(16, 30_000)
    header.setUint32(20, 30_000)
    expect(await refusal(await upload({ body }))).toEqual({
      status: 422,
      code: 'imagen-enorme',
      mensaje: 'La imagen tiene demasiados píxeles. Usa una de hasta 40 megapíxeles.',
    })
  })
})

test('without a session even a wrong upload hears of the session first', async () => {
  const { upload, files, dir } = await openGallery()
  await mkdir(dir)
  for (const headers of [{}, { authorization: `Bearer${'A'.repeat(43)}` }]) {
    const { buffer } = await colourSquare('#0a7')
    const sent = { body: new Uint8Array(buffer), headers }
    expect((await upload(sent)).status).toBe(401)
    expect((await upload({ ...sent, type: 'Nada', name: '../x' })).status).toBe(401)
  }
  expect(await files()).toEqual([])
})

test('a picture whose session ended while it was on the way is not kept', async () => {
  const { upload, db } = await openGallery()
  const bytes = new Uint8Array((await colourSquare('#0a7')).buffer)
  const body = new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(bytes.subarray(0, 20)),
      pull: async (stream) => {
        await db.deleteFrom('session').execute()
        stream.enqueue(bytes.subarray(20))
        stream.close()
      },
    },
    { highWaterMark: 0 },
  )
  const answer = await upload({ body })
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await db.selectFrom('image').selectAll().execute()).toEqual([])
})

test('the sixty-first upload within an hour has to wait', async () => {
  const { upload, pass } = await openGallery()
  const { buffer } = await colourSquare('#0a7', 8)
  const send = () => upload({ body: new Uint8Array(buffer) })
  for (let i = 0; i < 60; i++) expect((await send()).status).toBeLessThan(300)
  const refused = await send()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  pass(3_600_001)
  expect((await send()).status).toBe(200)
})

/** A body that counts what is taken from it; it ends after so many bytes. */
function countedBody(bytes: number) {
  const read = { bytes: 0, cancelled: false }
  const piece = new Uint8Array(64 * 1024)
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (read.bytes >= bytes) return controller.close()
        read.bytes += piece.length
        controller.enqueue(piece)
      },
      cancel: () => void (read.cancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { body, read }
}

describe('a file over 10 MB', () => {
  const tooBig = {
    status: 413,
    code: 'imagen-demasiado-grande',
    mensaje: 'La imagen supera 10 MB.',
  }

  test('is read to its end before it is refused, so that the refusal arrives', async () => {
    const { upload, files, dir } = await openGallery()
    await mkdir(dir)
    const { body, read } = countedBody(maxImageBytes + 1024 * 1024)
    expect(await refusal(await upload({ body }))).toEqual(tooBig)
    expect(read).toEqual({ bytes: maxImageBytes + 1024 * 1024, cancelled: false })
    expect(await files()).toEqual([])
  })

  test('that never ends is given up', async () => {
    const { upload } = await openGallery()
    const { body, read } = countedBody(Infinity)
    expect(await refusal(await upload({ body }))).toEqual(tooBig)
    expect(read.cancelled).toBe(true)
    expect(read.bytes).toBeLessThanOrEqual(3 * maxImageBytes + 64 * 1024)
  })

  test('that says so beforehand is never collected', async () => {
    const { upload, session } = await openGallery()
    const { body, read } = countedBody(Infinity)
    const headers = { ...session, 'content-length': String(maxImageBytes + 1) }
    expect(await refusal(await upload({ body, headers }))).toEqual(tooBig)
    expect(read.bytes).toBeLessThanOrEqual(2 * maxImageBytes + 64 * 1024)
  })

  test('without a session is read off too, then refused for the session', async () => {
    const { upload } = await openGallery()
    const { body, read } = countedBody(maxImageBytes)
    const answer = await upload({ body, headers: {} })
    expect([answer.status, read.bytes]).toEqual([401, maxImageBytes])
  })
})

test('a file of exactly 10 MB is judged by what it is', async () => {
  const { upload } = await openGallery()
  const { body, read } = countedBody(maxImageBytes)
  expect((await upload({ body })).status).toBe(415)
  expect(read.bytes).toBe(maxImageBytes)
})

test('the owner may set a smaller limit, which the refusal names', async () => {
  const { db, upload } = await openGallery()
  await writeSettings(db, { max_image_mb: '1' })
  const { body } = countedBody(1024 * 1024 + 1)
  expect(await refusal(await upload({ body }))).toEqual({
    status: 413,
    code: 'imagen-demasiado-grande',
    mensaje: 'La imagen supera 1 MB.',
  })
  expect((await upload({ body: countedBody(1024 * 1024).body })).status).toBe(415)
})

test('an upload cut on the way leaves nothing', async () => {
  const { images, files, dir, db } = await openGallery()
  await mkdir(dir)
  const { buffer } = await colourSquare('#0a7')
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(buffer)),
    pull: (controller) => controller.error(new Error('ECONNRESET')),
  })
  await expect(images.put({ type: 'Project', name: 'project_1', body })).rejects.toMatchObject({
    code: 'peticion-no-valida',
  })
  expect(await files()).toEqual([])
  expect(await db.selectFrom('image').selectAll().execute()).toEqual([])
})

test('a picture that cannot be put in place leaves no file and no row', async () => {
  const { upload, files, dir, db, add } = await openGallery()
  const url = await add(await colourSquare('#0a7'))
  const { buffer } = await photograph(700, 500)
  const name = await nameOf(buffer)
  // A folder stands where one of its files must go.
  await mkdir(join(dir, name, 'full'), { recursive: true })
  const failed = await upload({ body: new Uint8Array(buffer) }).then(
    () => 'kept',
    () => 'failed',
  )
  expect(failed).toBe('failed')
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
  expect(await db.selectFrom('image').select('file').execute()).toEqual([
    { file: url.replace('/media/', '') },
  ])
  expect(await files()).toContain(url.replace('/media/', ''))
})

/** The name the server gives to a picture. */
async function nameOf(buffer: Buffer): Promise<string> {
  const { add } = await openGallery()
  const url = await add({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer })
  return url.replace('/media/', '')
}
