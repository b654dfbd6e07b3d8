import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { project } from './account.ts'
import { userOf } from './sign-in.ts'
import { googleError, type GoogleState, type StoredFile } from './state.ts'

interface Metadata {
  readonly contentType?: string
  readonly cacheControl?: string
}

interface Upload {
  readonly name: string
  readonly metadata: Metadata
  bytes: Buffer
}

const host = 'firebasestorage.googleapis.com'
const bucketPath = `/${host}/v0/b/${project.bucket}/o`
const maxBytes = 10 * 1024 * 1024

/** Storage: small files in one call, larger ones in pieces, under the rules that `storage.rules` states. */
export function addStorage(app: Hono, { files }: GoogleState): void {
  const uploads = new Map<string, Upload>()
  const store = ({ name, metadata, bytes }: Upload) => {
    const file = {
      name,
      bytes,
      contentType: metadata.contentType ?? 'application/octet-stream',
      cacheControl: metadata.cacheControl,
      generation: String(files.size + 1),
      token: randomUUID(),
    }
    files.set(name, file)
    return Response.json(metadataOf(file), { headers: { 'X-Goog-Upload-Status': 'final' } })
  }

  app.post(bucketPath, async (c) => {
    const request = c.req.raw
    const { searchParams, origin } = new URL(request.url)
    const name = searchParams.get('name') ?? ''
    const command = request.headers.get('x-goog-upload-command') ?? ''
    if (request.headers.get('x-goog-upload-protocol') === 'multipart') {
      const upload = { name, ...(await readParts(request)) }
      return mayWrite(request, upload.metadata, upload.bytes.length) ? store(upload) : denied()
    }
    if (command === 'start') {
      const metadata = await c.req.json<Metadata>()
      const size = Number(request.headers.get('x-goog-upload-header-content-length'))
      if (!mayWrite(request, metadata, size)) return denied()
      const id = randomUUID()
      uploads.set(id, { name, metadata, bytes: Buffer.alloc(0) })
      const path = new URL(request.url).pathname
      const url = `${origin}${path}?name=${encodeURIComponent(name)}&upload_id=${id}`
      return c.body(null, 200, { 'X-Goog-Upload-Status': 'active', 'X-Goog-Upload-URL': url })
    }
    const upload = uploads.get(searchParams.get('upload_id') ?? '')
    if (!upload) return googleError(404, 'NOT_FOUND')
    if (command === 'query') {
      const received = String(upload.bytes.length)
      const headers = {
        'X-Goog-Upload-Status': 'active',
        'X-Goog-Upload-Size-Received': received,
        'Access-Control-Expose-Headers': 'X-Goog-Upload-Status, X-Goog-Upload-Size-Received',
      }
      return c.body(null, 200, headers)
    }
    if (Number(request.headers.get('x-goog-upload-offset')) !== upload.bytes.length) {
      return googleError(400, 'INVALID_ARGUMENT')
    }
    upload.bytes = Buffer.concat([upload.bytes, Buffer.from(await request.arrayBuffer())])
    if (command.includes('finalize')) return store(upload)
    return c.body(null, 200, { 'X-Goog-Upload-Status': 'active' })
  })

  app.get(`${bucketPath}/:name`, (c) => {
    const file = files.get(c.req.param('name'))
    if (!file) return googleError(404, 'NOT_FOUND')
    if (c.req.query('alt') !== 'media') return c.json(metadataOf(file))
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        'content-type': file.contentType,
        'cache-control': file.cacheControl ?? 'private, max-age=0',
        'cross-origin-resource-policy': 'cross-origin',
      },
    })
  })
}

/** The rules of `storage.rules`: the owner alone, pictures alone, up to the hard limit. */
function mayWrite(request: Request, { contentType = '' }: Metadata, size: number): boolean {
  const isPicture = /^image\/(?:png|jpeg|svg[+]xml)$/.test(contentType)
  return userOf(request)?.['owner'] === true && isPicture && size <= maxBytes
}

const denied = () => googleError(403, 'PERMISSION_DENIED')

function metadataOf({ name, bytes, contentType, cacheControl, generation, token }: StoredFile) {
  return {
    name,
    bucket: project.bucket,
    generation,
    metageneration: '1',
    contentType,
    size: String(bytes.length),
    ...(cacheControl !== undefined && { cacheControl }),
    downloadTokens: token,
  }
}

/** The two parts of a small upload: its metadata, its bytes. */
async function readParts(request: Request): Promise<Pick<Upload, 'metadata' | 'bytes'>> {
  const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '')?.[1] ?? ''
  const raw = Buffer.from(await request.arrayBuffer()).toString('latin1')
  const [, first = '', second = ''] = raw.split(`--${boundary}`)
  const bodyOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4, -2)
  const metadata = JSON.parse(Buffer.from(bodyOf(first), 'latin1').toString()) as Metadata
  return { metadata, bytes: Buffer.from(bodyOf(second), 'latin1') }
}
