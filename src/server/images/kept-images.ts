import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { hourMs } from '#contract/durations.ts'
import { imageFileName, smallerWidths } from '#contract/images/image.ts'
import { fieldsIn, readBin } from '../db/bin.ts'
import { readSite } from '../db/site-data.ts'
import { earlierPictures } from '../db/history.ts'
import { idleMs } from '../db/postgres.ts'
import type { Db, Engine, TableRow } from '../db/tables.ts'
import { Problem } from '../problem.ts'
import type { Log } from '../log.ts'
import {
  findAlias,
  findImage,
  forget,
  forgetOrphans,
  readUnshown,
  recordImage,
  weighBinned,
} from './catalogue.ts'
import { createJobQueue } from './job-queue.ts'
import { limitSharp } from './photo.ts'
import type { PictureFiles } from './picture-files.ts'
import { receive } from './receive.ts'
import { renderImage } from './render.ts'
import { agrees, sniffKind, type ImageKind } from './sniff.ts'
import { imageTypes, isStorageName, storageKey } from './storage-name.ts'
import type { ImageStore, ImageUpload, OpenedImage } from './store.ts'

interface KeptImages {
  readonly files: PictureFiles
  readonly db: Db
  readonly engine: Engine
  readonly now: () => Date
  readonly log: Log
}

interface Received {
  readonly bytes: Uint8Array
  readonly kind: ImageKind
  readonly key: string
}

/** Any number that nothing else locks on. */
const pictureLock = 7_401_853
/** A queued edit may name a picture long after its upload. */
const orphanKeepMs = 30 * 24 * hourMs

const storedFile = /^([0-9a-f]{40})\.(\d{1,5})x\d{1,5}(?:-\d{1,4})?\.(webp|svg)$/
const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  svg: 'image/svg+xml; charset=utf-8',
}

/** Pictures as files, listed in the database; one is worked on at a time, whichever process of the site does. */
export function createImages({ files, db, engine, now, log }: KeptImages): ImageStore {
  limitSharp()
  const jobs = createJobQueue()
  const queue: typeof jobs = (job) => jobs(() => alone({ db, engine }, job))
  return {
    put: async (upload) => {
      const key = keyOf(upload)
      const bytes = await receive(upload)
      const received = { bytes, key, kind: kindOf(bytes, upload) }
      return queue(() => keep({ files, db, now }, received))
    },
    open: async (file) => {
      // A stranger's guesses are asked of the database, not of a machine that counts what it is asked.
      if (files.isRemote && !(await isListed(db, file))) return undefined
      return (await openPicture(files, file)) ?? missed({ db, log, files }, file)
    },
    resolveAlias: async (key) => {
      const file = await findAlias(db, storageKey('', key).replace(/^\//, ''))
      return file && addressOf(file)
    },
    weighRemovable: async (deleted) => {
      const ids = deleted.map(({ id }) => id)
      const rest = { site: await readSite(db), earlier: await earlierPictures(db, ids) }
      return weighBinned(db, deleted, rest)
    },
    removeUnshown: (former) =>
      queue(async () => {
        for (const image of await readUnshown(db, former, await readShown(db))) {
          if (await forget(db, image)) await files.remove(filesOf(image.file))
        }
      }),
    sweep: () =>
      queue(async () => {
        const moment = now()
        const removed = await sweepFiles({ files, db }, moment)
        await noteDigests({ files, db })
        if (removed > 0) log('images-removed', { removed })
      }),
  }
}

/**
 * Does what concerns the files of pictures while no other process does: what one of them has just found to be kept, another
 * could be about to remove. On SQLite there is no other.
 */
async function alone<T>(
  { db, engine }: Pick<KeptImages, 'db' | 'engine'>,
  job: () => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return job()
  return db.transaction().execute(async (t) => {
    await sql`select pg_advisory_xact_lock(${pictureLock})`.execute(t)
    // A sweep of many files takes longer than the server lets a transaction lie idle, and the lock would go with that.
    const holding = setInterval(() => {
      // Where the connection is lost the commit says so.
      sql`select 1`.execute(t).catch(() => undefined)
    }, idleMs / 3)
    try {
      return await job()
    } finally {
      clearInterval(holding)
    }
  })
}

/** Renders and stores the picture, unless the same bytes are kept already. */
async function keep(
  { files, db, now }: Pick<KeptImages, 'files' | 'db' | 'now'>,
  { bytes, kind, key }: Received,
): Promise<{ readonly url: string; readonly created: boolean }> {
  const hash = digestOf(bytes).slice(0, 40)
  const known = await findImage(db, hash)
  if (known && (await areKept(files, known))) {
    await recordImage(db, known, key)
    return { url: addressOf(known.file), created: false }
  }
  const { size, ending, files: parts } = await renderImage(kind, bytes)
  const named = parts.map(({ width, bytes: part }) => ({
    name: imageFileName(hash, size, ending, width),
    bytes: part,
  }))
  await files.write(named)
  const file = imageFileName(hash, size, ending)
  const image = {
    hash,
    file,
    bytes: named.reduce((sum, part) => sum + part.bytes.length, 0),
    created_at: now().toISOString(),
    digests: named.map((part) => digestOf(part.bytes)).join(' '),
  }
  await recordImage(db, image, key)
  return { url: addressOf(file), created: true }
}

/** Whether each file is there as it was stored, so that who uploads a damaged picture again mends it. */
async function areKept(files: PictureFiles, image: TableRow<'image'>): Promise<boolean> {
  for (const { name, digest } of storedFiles(image)) {
    if (digest === '' && !(await files.has(name))) return false
    if (digest !== '' && (await readDigest(files, name)) !== digest) return false
  }
  return true
}

export async function openPicture(
  files: PictureFiles,
  file: string,
): Promise<OpenedImage | undefined> {
  const ending = storedFile.exec(file)?.[3] ?? ''
  const contentType = contentTypes[ending]
  const bytes = contentType && (await files.read(file))
  return contentType && bytes ? { bytes, contentType } : undefined
}

async function isListed(db: Db, file: string): Promise<boolean> {
  const hash = storedFile.exec(file)?.[1]
  return hash !== undefined && (await findImage(db, hash)) !== undefined
}

/** A picture that the database lists and this process's folder lacks is another process's: it is not gone, and is asked for again. */
async function missed(
  { db, log, files }: Pick<KeptImages, 'db' | 'log' | 'files'>,
  file: string,
): Promise<undefined> {
  if (!(await isListed(db, file))) return undefined
  log('picture-missing', { file, folder: files.place })
  throw new Problem('no-disponible', { headers: { 'retry-after': '5' } })
}

/**
 * Removes what interrupted uploads left and what nothing has shown for long; answers how many pictures went. Rows go
 * first: a file without one is a left-over, whichever way it lost it.
 */
async function sweepFiles(
  { files, db }: Pick<KeptImages, 'files' | 'db'>,
  moment: Date,
): Promise<number> {
  const anHourAgo = new Date(moment.getTime() - hourMs)
  await files.sweepUnfinished(anHourAgo)
  const before = new Date(moment.getTime() - orphanKeepMs)
  const forgotten = await forgetOrphans(db, await readShown(db), { now: moment, before })
  const listed = new Set((await db.selectFrom('image').select('hash').execute()).map((r) => r.hash))
  const stray = (await files.list()).filter(({ name, at }) => {
    const hash = storedFile.exec(name)?.[1]
    return hash !== undefined && at < anHourAgo && !listed.has(hash)
  })
  await files.remove(stray.map(({ name }) => name))
  return forgotten
}

async function readShown(db: Db): Promise<Parameters<typeof forgetOrphans>[1]> {
  const binned = (await readBin(db)).map((row) => ({ kind: row.kind, fields: fieldsIn(row) }))
  return { site: await readSite(db), binned, earlier: await earlierPictures(db) }
}

/** Notes what the files are of pictures that were stored before that was done; one that lacks a file waits for it. */
async function noteDigests({ files, db }: Pick<KeptImages, 'files' | 'db'>): Promise<void> {
  const images = await db.selectFrom('image').selectAll().where('digests', '=', '').execute()
  for (const { hash, file } of images) {
    const digests: (string | undefined)[] = []
    for (const name of filesOf(file)) digests.push(await readDigest(files, name))
    if (digests.includes(undefined)) continue
    await db
      .updateTable('image')
      .set({ digests: digests.join(' ') })
      .where('hash', '=', hash)
      .where('digests', '=', '')
      .execute()
  }
}

async function readDigest(files: PictureFiles, name: string): Promise<string | undefined> {
  const bytes = await files.read(name)
  return bytes && digestOf(bytes)
}

/** How many of the listed pictures have no file; processes of one site must share the place. */
export async function countMissing(
  db: Db,
  files: PictureFiles,
): Promise<{ missing: number; all: number }> {
  const rows = await db.selectFrom('image').select('file').execute()
  if (rows.length === 0) return { missing: 0, all: 0 }
  const there = new Set((await files.list()).map(({ name }) => name))
  return { missing: rows.filter(({ file }) => !there.has(file)).length, all: rows.length }
}

/** All files of a picture with their SHA-256, empty where it was not noted yet. */
export function storedFiles({
  file,
  digests,
}: Pick<TableRow<'image'>, 'file' | 'digests'>): readonly {
  readonly name: string
  readonly digest: string
}[] {
  const noted = digests.split(' ')
  return filesOf(file).map((name, i) => ({ name, digest: noted[i] ?? '' }))
}

/** The SHA-256 of a file, as it is noted beside it. */
export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** All files of a picture, from the name of the full one. */
function filesOf(file: string): readonly string[] {
  const [, , width = '0', ending] = storedFile.exec(file) ?? []
  if (ending !== 'webp') return [file]
  const smaller = smallerWidths(Number(width))
  return [file, ...smaller.map((n) => file.replace(/\.webp$/, `-${n}.webp`))]
}

const addressOf = (file: string) => `/media/${file}`

function keyOf({ type, name }: ImageUpload): string {
  if (!imageTypes.includes(type)) throw new Problem('categoria-no-valida')
  if (!isStorageName(name)) throw new Problem('nombre-no-valido')
  return storageKey(type, name)
}

function kindOf(bytes: Uint8Array, claims: ImageUpload): ImageKind {
  if (bytes.length === 0) throw new Problem('imagen-danada')
  const kind = sniffKind(bytes)
  if (!kind || !agrees(kind, claims)) throw new Problem('imagen-no-admitida')
  return kind
}
