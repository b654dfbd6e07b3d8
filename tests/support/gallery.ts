import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { readConfig } from '#server/config.ts'
import type { Engine } from '#server/db/tables.ts'
import type { AppEnv } from '#server/api/env.ts'
import { imageRoutes } from '#server/images/routes.ts'
import { mediaRoutes } from '#server/images/media.ts'
import { Problem, problemResponse } from '#server/problem.ts'
import { readBeforeRefusing } from '#server/edge/read-before-refusing.ts'
import { openFolder } from '#server/images/folder.ts'
import { createImages } from '#server/images/kept-images.ts'
import type { PictureFiles } from '#server/images/picture-files.ts'
import type { ImageStore } from '#server/images/store.ts'
import { freshFolder, isPaired } from './database.ts'
import { openAccess, quickDerive, type Access } from './owner-access.ts'
import type { Picture } from './pictures.ts'
import { owner } from './site.ts'
import { callsInTurns } from './turns.ts'

/** An upload as a test sends it; what is left out is what the owner's page would send. */
interface Sent {
  readonly body: BodyInit
  readonly type?: string
  readonly name?: string
  readonly file?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The picture calls on a fresh database and folder, with the owner signed in. */
export interface Gallery extends Pick<Access, 'db' | 'now' | 'pass'> {
  /** Each request, and each call of the pictures, is the next process's. */
  readonly app: Hono<AppEnv>
  readonly images: ImageStore
  readonly dir: string
  /** The header that shows the owner's session. */
  readonly session: Readonly<Record<string, string>>
  upload(sent: Sent): Promise<Response>
  /** Keeps a picture under a storage key without asking who sends it, and answers the address. */
  add(picture: Picture, key?: string): Promise<string>
  /** Names of every file in the folder, unfinished ones included. */
  files(): Promise<readonly string[]>
}

/** Keeps the pictures in a folder that is gone when the test ends, unless other files are given. */
export async function openGallery(
  engine: Engine = isPaired ? 'postgres' : 'sqlite',
  given?: PictureFiles,
): Promise<Gallery> {
  const { auth, db, processes, now, pass } = await openAccess({ engine, derive: quickDerive })
  const dir = join(await freshFolder(), 'media')
  const place = given ?? openFolder(dir)
  const galleryOf = (process: Pick<Access, 'auth' | 'db'>) => {
    const parts = { ...process, now, config: readConfig({}) }
    const images = createImages({ ...parts, files: place, engine, log: () => undefined })
    const app = new Hono<AppEnv>()
    app.use(readBeforeRefusing)
    app
      .route('/api', imageRoutes({ ...parts, images }))
      .route('/', mediaRoutes({ ...parts, images }))
    app.onError((error) => {
      if (error instanceof Problem) return problemResponse(error, 'test')
      throw error
    })
    return { app, images }
  }
  const [first, ...others] = processes
  const [gallery, ...beside] = [galleryOf(first), ...others.map(galleryOf)] as const
  const app = callsInTurns(gallery.app, ...beside.map((other) => other.app))
  const images = callsInTurns(gallery.images, ...beside.map((other) => other.images))
  const { token } = await auth.login({ ...owner, address: '192.0.2.1' })
  const session = { authorization: `Bearer${token}` }
  const upload = async ({ body, headers = session, ...sent }: Sent) => {
    const { type = 'Project', name = 'New/project_1', file } = sent
    const query = new URLSearchParams({ name, ...(file && { file }) })
    const init = { method: 'PUT', body, headers, duplex: 'half' }
    return app.request(`/api/image/${type}?${query}`, init)
  }
  const add = async ({ buffer, mimeType }: Picture, key = 'Project/New/project_1') => {
    const [type = '', ...name] = key.split('/')
    const body = new Blob([new Uint8Array(buffer)]).stream()
    const put = { type, name: name.join('/'), body, declaredType: mimeType }
    return (await images.put(put)).url
  }
  const files = async () => {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    // Says which database has looked at them.
    return names.filter((name) => name !== 'listed-by')
  }
  return { app, images, dir, db, now, pass, session, upload, add, files }
}
