import { createHash } from 'node:crypto'
import { imageFileName, isStorageName, smallerWidths, storageKey } from '#contract/image.ts'
import { personImages } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import { readSite } from '../db/content.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import type { Log } from '../log.ts'
import { findAlias, findImage, forgetOrphans, recordImage } from './catalogue.ts'
import { openFolder, type Folder } from './folder.ts'
import { createJobQueue } from './job-queue.ts'
import { limitSharp } from './photo.ts'
import { receive } from './receive.ts'
import { render } from './render.ts'
import { agrees, sniffKind, type ImageKind } from './sniff.ts'
import type { ImageStore, ImageUpload, OpenedImage } from './store.ts'

interface LocalImages {
  /** Where the files are kept; made when the first one comes. */
  readonly dir: string
  readonly db: Db
  readonly now: () => Date
  readonly log: Log
}

interface Received {
  readonly bytes: Uint8Array
  readonly kind: ImageKind
  readonly key: string
}

const hourMs = 3_600_000
/** A queued edit may name a picture long after its upload. */
const orphanKeepMs = 30 * 24 * hourMs

const types: readonly string[] = [personImages.type, ...sections.map(({ images }) => images.type)]
const storedFile = /^([0-9a-f]{40})\.(\d{1,5})x\d{1,5}(?:-\d{1,4})?\.(webp|svg)$/
const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  svg: 'image/svg+xml; charset=utf-8',
}

/** Pictures in a folder of this machine, listed in the database; one is worked on at a time. */
export function createLocalImages({ dir, db, now, log }: LocalImages): ImageStore {
  limitSharp()
  const folder = openFolder(dir)
  const queue = createJobQueue()
  return {
    put: async (upload) => {
      const key = keyOf(upload)
      const bytes = await receive(upload)
      const received = { bytes, key, kind: kindOf(bytes, upload) }
      return queue(() => keep({ folder, db, now }, received))
    },
    open: (file) => openFile(folder, file),
    resolveAlias: async (key) => {
      const file = await findAlias(db, storageKey('', key).replace(/^\//, ''))
      return file && addressOf(file)
    },
    sweep: () =>
      queue(async () => {
        const moment = now()
        const removed = await sweepFolder({ folder, db }, moment)
        if (removed > 0) log('images-removed', { removed })
      }),
  }
}

type Shelf = Pick<LocalImages, 'db' | 'now'> & { readonly folder: Folder }

/** Renders and stores the picture, unless the same bytes are kept already. */
async function keep(
  { folder, db, now }: Shelf,
  { bytes, kind, key }: Received,
): Promise<{ readonly url: string; readonly created: boolean }> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 40)
  const known = await findImage(db, hash)
  if (known && (await areKept(folder, known.file))) {
    await recordImage(db, known, key)
    return { url: addressOf(known.file), created: false }
  }
  const { size, ending, files } = await render(kind, bytes)
  const named = files.map(({ width, bytes: part }) => ({
    name: imageFileName(hash, size, ending, width),
    bytes: part,
  }))
  await folder.write(named)
  const file = imageFileName(hash, size, ending)
  const total = named.reduce((sum, part) => sum + part.bytes.length, 0)
  await recordImage(db, { hash, file, bytes: total, created_at: now().toISOString() }, key)
  return { url: addressOf(file), created: true }
}

async function areKept(folder: Folder, file: string): Promise<boolean> {
  return (await Promise.all(filesOf(file).map((name) => folder.has(name)))).every(Boolean)
}

async function openFile(folder: Folder, file: string): Promise<OpenedImage | undefined> {
  const ending = storedFile.exec(file)?.[3] ?? ''
  const contentType = contentTypes[ending]
  const bytes = contentType && (await folder.read(file))
  return contentType && bytes ? { bytes, contentType } : undefined
}

/**
 * Removes what interrupted uploads left and what nothing has shown for long; answers how many pictures went. Rows go
 * first: a file without one is a left-over, whichever way it lost it.
 */
async function sweepFolder(
  { folder, db }: Pick<Shelf, 'folder' | 'db'>,
  moment: Date,
): Promise<number> {
  const anHourAgo = new Date(moment.getTime() - hourMs)
  await folder.sweepUnfinished(anHourAgo)
  const before = new Date(moment.getTime() - orphanKeepMs)
  const forgotten = await forgetOrphans(db, await readSite(db), { now: moment, before })
  const listed = new Set((await db.selectFrom('image').select('hash').execute()).map((r) => r.hash))
  const stray = (await folder.olderThan(anHourAgo)).filter((name) => {
    const hash = storedFile.exec(name)?.[1]
    return hash !== undefined && !listed.has(hash)
  })
  await folder.remove(stray)
  return forgotten
}

/** All files of a picture, from the name of the full one. */
function filesOf(file: string): readonly string[] {
  const [, , width = '0', ending] = storedFile.exec(file) ?? []
  if (ending !== 'webp') return [file]
  const smaller = smallerWidths(Number(width))
  return [file, ...smaller.map((n) => file.replace(/\.webp$/, `-${n}.webp`))]
}

const addressOf = (file: string) => `/media/${file}`

function keyOf({ type, name }: ImageUpload): string {
  if (!types.includes(type)) throw new Problem('categoria-no-valida')
  if (!isStorageName(name)) throw new Problem('nombre-no-valido')
  return storageKey(type, name)
}

function kindOf(bytes: Uint8Array, claims: ImageUpload): ImageKind {
  if (bytes.length === 0) throw new Problem('imagen-danada')
  const kind = sniffKind(bytes)
  if (!kind || !agrees(kind, claims)) throw new Problem('imagen-no-admitida')
  return kind
}
