import { createHash } from 'node:crypto'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { problems } from '#contract/problem.ts'
import { project } from '#contract/sections/project.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { readConfig } from '#server/config.ts'
import { openFolder } from '#server/images/folder.ts'
import { openPictureFiles } from '#server/images/picture-files.ts'
import { openApp } from '#tests/support/app.ts'
import { freshFolder, freshTarget } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { openGallery } from '#tests/support/gallery.ts'
import { colourSquare, photograph } from '#tests/support/pictures.ts'
import { startS3, type S3Double } from '#tests/doubles/s3/double.ts'
import { signatureFault } from '#tests/doubles/s3/signature.ts'
import { freePort } from '#tests/support/free-port.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'

/* Pictures in a bucket of a storage service that speaks S3: over the wire, with every signature checked. */

vi.setConfig({ testTimeout: 60_000 })

const filesOf = (double: S3Double, env: Readonly<Record<string, string>> = {}) =>
  openPictureFiles(readConfig({ ...double.env, ...env }))

const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream()

test('the double checks signatures as Amazon describes them', () => {
  // The example of Amazon's documentation.
  const request = {
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': createHash('sha256').digest('hex'),
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
  }
  const keys = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  expect(signatureFault(request, keys)).toBe(undefined)
  expect(signatureFault({ ...request, method: 'HEAD' }, keys)).toBe('SignatureDoesNotMatch')
  expect(signatureFault(request, { ...keys, secretAccessKey: 'x' })).toBe('SignatureDoesNotMatch')
})

test('an upload is in the bucket at every width, is served from there, and once is enough', async () => {
  const s3 = await startS3()
  const gallery = await openGallery('sqlite', filesOf(s3))
  const { buffer, mimeType } = await photograph(1600, 1200)
  const headers = { ...gallery.session, 'content-type': mimeType }
  const body = new Uint8Array(buffer)
  const first = await gallery.upload({ body, headers })
  expect(first.status).toBe(201)
  const { url } = (await first.json()) as { readonly url: string }
  expect(s3.objects.size).toBe(4)
  expect(s3.objects.has(url.slice(1))).toBe(true)
  const shown = await gallery.app.request(url)
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(s3.objects.get(url.slice(1))?.bytes)
  expect(shown.headers.get('cache-control')).toContain('immutable')
  expect((await gallery.upload({ body, headers })).status).toBe(200)
  expect(await gallery.files().catch(() => [])).toEqual([])
  expect(s3.refused).toEqual(s3.refused.filter((code) => code === 'NoSuchKey'))
})

test('a stranger who guesses names asks the service nothing', async () => {
  const s3 = await startS3()
  const { app } = await openGallery('sqlite', filesOf(s3))
  for (const name of [`${'f'.repeat(40)}.64x64.webp`, 'x.webp', '..%2f..%2fsecreto']) {
    expect((await app.request(`/media/${name}`)).status).toBe(404)
  }
  expect(s3.asked).toEqual([])
})

test.each([
  ['down', 503, 'no-disponible'],
  ['full', 507, 'sin-espacio'],
] as const)(
  'while the service is %s, nothing is kept and that is said',
  async (trouble, status, told) => {
    const s3 = await startS3()
    const gallery = await openGallery('sqlite', filesOf(s3))
    s3.trouble = trouble
    const { buffer, mimeType } = await colourSquare('#0a7')
    const headers = { ...gallery.session, 'content-type': mimeType }
    const body = new Uint8Array(buffer)
    const refused = await gallery.upload({ body, headers })
    const { code, mensaje } = (await refused.json()) as { code: string; mensaje: string }
    expect([refused.status, code, mensaje]).toEqual([status, told, problems[told][2]])
    expect(await gallery.db.selectFrom('image').selectAll().execute()).toEqual([])
    s3.trouble = undefined
    expect((await gallery.upload({ body, headers })).status).toBe(201)
  },
)

test.each(['down', 'silent'] as const)(
  'while the service is %s, a picture is not called gone',
  async (trouble) => {
    const s3 = await startS3()
    const gallery = await openGallery('sqlite', filesOf(s3))
    const url = await gallery.add(await colourSquare('#0a7'))
    s3.trouble = trouble
    const away = await gallery.app.request(url)
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(away.headers.get('cache-control')).toBe('private, no-store')
    s3.trouble = undefined
    s3.objects.clear()
    expect((await gallery.app.request(url)).status).toBe(503)
  },
)

test.each([
  ['another secret', { S3_SECRET_ACCESS_KEY: 'otro' }, 'SignatureDoesNotMatch'],
  ['another key', { S3_ACCESS_KEY_ID: 'OTRA' }, 'InvalidAccessKeyId'],
] as const)('with %s the service takes nothing', async (_, env, code) => {
  const s3 = await startS3()
  const gallery = await openGallery('sqlite', filesOf(s3, env))
  const { buffer, mimeType } = await colourSquare('#0a7')
  const headers = { ...gallery.session, 'content-type': mimeType }
  const refused = await gallery.upload({ body: new Uint8Array(buffer), headers })
  expect(refused.status).toBe(503)
  expect(s3.refused).toEqual([code])
  expect(await refused.text()).not.toContain('otro')
})

test('what nothing shows goes after its time, page after page; what is not ours stays', async () => {
  const s3 = await startS3()
  const gallery = await openGallery('sqlite', filesOf(s3))
  const at = gallery.now()
  s3.objects.set('otra/cosa.webp', { bytes: Buffer.from('x'), at })
  s3.objects.set('media/leeme.txt', { bytes: Buffer.from('x'), at })
  for (const colour of ['#111', '#222', '#333', '#444', '#555']) {
    await gallery.add(await colourSquare(colour))
  }
  expect(s3.objects.size).toBe(7)
  await gallery.images.sweep()
  for (const [key, object] of s3.objects) s3.objects.set(key, { ...object, at: gallery.now() })
  gallery.pass(31 * dayMs)
  await gallery.images.sweep()
  expect([...s3.objects.keys()]).toEqual(['otra/cosa.webp', 'media/leeme.txt', 'media/listed-by'])
})

test('what is erased while another database may still show it is there for that one alone', async () => {
  const s3 = await startS3()
  const before = await openGallery('sqlite', filesOf(s3))
  const picture = await photograph(700, 500)
  const url = await before.add(picture)
  const own = [...s3.objects.keys()]
  const gallery = await openGallery('sqlite', filesOf(s3))
  await gallery.images.sweep()
  await gallery.add(picture, 'Project/project_1')
  await gallery.images.removeUnshown({ id: '1', addresses: [url] })
  expect((await gallery.app.request(url)).status).toBe(404)
  await gallery.images.sweep()
  await before.images.sweep()
  expect([...s3.objects.keys()].toSorted()).toEqual([...own, 'media/listed-by'].toSorted())
  expect((await before.app.request(url)).status).toBe(200)
})

test('a backup has the pictures of the bucket, and is put back into a folder or into another bucket', async () => {
  const s3 = await startS3()
  const { services, asOwner } = await openApp({ engine: 'sqlite', env: s3.env })
  const { buffer } = await photograph(800, 600)
  const body = streamOf(new Uint8Array(buffer))
  const { images } = project
  const { url } = await services.images.put({ type: images.type, name: 'New/project_1', body })
  const field = imageFieldOf(project.fields) ?? ''
  await asOwner('POST', `${project.key}/create`, {
    body: completeValues(project, { [field]: url }),
  })
  const { name } = await services.backups.make('hand')
  const file = join(await freshFolder(), 'copia.zip')
  await copyFile((await services.backups.find(name)) ?? '', file)
  expect((await verifyBackup(file)).missing).toEqual([])
  s3.trouble = 'down'
  const folder = join(await freshFolder(), 'media')
  const other = await startS3()
  const now = new Date()
  for (const media of [openFolder(folder), filesOf(other)]) {
    await restoreBackup(file, { database: await freshTarget('sqlite'), media, now })
  }
  const bytes = s3.objects.get(url.slice(1))?.bytes
  expect(await readFile(join(folder, url.replace('/media/', '')))).toEqual(bytes)
  expect([...other.objects.keys()].toSorted()).toEqual([...s3.objects.keys()].toSorted())
  // Without the service there is no whole backup, and none is said to be one.
  await expect(services.backups.make('hand')).rejects.toThrow('no-disponible')
  expect((await services.backups.list()).map((each) => each.name)).toEqual([name])
  expect(services.backups.failure?.reason).toBe('hand')
})

test('a start without the service says so and serves the pages', async () => {
  const s3 = await startS3()
  const dataDir = await freshFolder()
  const first = await startServer({ ...s3.env, DATA_DIR: dataDir }, serverEntry('site-server'))
  await first.stop()
  const { db, close } = await openSite(dataDir)
  await db
    .insertInto('image')
    .values({ hash: 'a'.repeat(40), file: 'a.webp', bytes: 1, created_at: '', orphan_since: null })
    .execute()
  await close()
  const env = { ...s3.env, S3_URL: `http://127.0.0.1:${await freePort()}/cubo`, DATA_DIR: dataDir }
  const server = await startServer(env, serverEntry('site-server'))
  try {
    await expect.poll(() => server.logs()).toContain('El almacén de las imágenes')
    await expect.poll(() => server.logs()).toContain('"event":"pictures-unreachable"')
    expect((await fetch(server.url)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

async function openSite(dataDir: string) {
  const { openDb } = await import('#server/db/open.ts')
  return openDb({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
}

test.each([
  [{ S3_URL: 'https://s3.example.com/cubo' }, 'van juntas'],
  [{ S3_URL: 'cubo', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }, 'S3_URL debe ser'],
  [
    { S3_URL: 'https://a:b@s3.example/c', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    'S3_URL debe ser',
  ],
  [
    { S3_URL: 'https://s3.example/a/b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    'S3_URL',
  ],
])('a start with half or with nonsense is refused: %j', (env, fault) => {
  expect(() => readConfig(env)).toThrow(fault)
})
