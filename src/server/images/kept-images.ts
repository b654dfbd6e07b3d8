import { sql } from 'kysely'
import { imageFileName } from '#contract/images/image.ts'
import { isStorable } from '#contract/text.ts'
import { readSite } from '../db/site-data.ts'
import { earlierPictures } from '../db/history.ts'
import { idleMs } from '../db/postgres.ts'
import type { Db, Engine, Executor, TableRow } from '../db/tables.ts'
import { Problem, unavailable } from '../problem.ts'
import type { Log } from '../log.ts'
import { createSerialQueue } from '../serial-queue.ts'
import {
  findAlias,
  findImage,
  forget,
  isNamedAsHidden,
  readUnshown,
  recordImage,
  weighBinned,
} from './catalogue.ts'
import { formerName, inParts, isSharedAsNoted, removeUnlisted } from './found-pictures.ts'
import { limitSharp } from './photo.ts'
import type { PictureFiles } from './picture-files.ts'
import { receive } from './receive.ts'
import { renderImage } from './render.ts'
import { agrees, sniffKind, type ImageKind } from './sniff.ts'
import { imageTypes, isStorageName, storageKey } from './storage-name.ts'
import type { ImageStore, ImageUpload, OpenedImage } from './store.ts'
import { digestOf, endingOf, filesOf, hashIn, storedFiles } from './stored-files.ts'
import { readDigest, readShown, sweepPictures } from './sweep.ts'

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

const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  svg: 'image/svg+xml; charset=utf-8',
}

/** One picture is worked on at a time, across all processes of the site. */
export function createImages({ files, db, engine, now, log }: KeptImages): ImageStore {
  limitSharp()
  const queue = createSerialQueue()
  const alone = <T>(job: (locked: Executor) => Promise<T>) =>
    queue(() => whileAlone({ db, engine }, job))
  return {
    put: async (upload) => {
      const key = keyOf(upload)
      const bytes = await receive(upload)
      await upload.assertSender?.()
      const received = { bytes, key, kind: kindOf(bytes, upload) }
      return alone(() => keep({ files, db, now }, received))
    },
    open: async (file) => {
      // The database answers a stranger's guesses, because the remote storage counts its requests.
      if (files.isRemote && !(await isListed(db, file))) return undefined
      return (await openPicture(files, file)) ?? missed({ db, log, files }, file)
    },
    isThere: async (file) => {
      const image = await findImage(db, hashIn(file) ?? '')
      const names = filesOf(image?.file ?? '')
      if (!names.includes(file)) return false
      return !(await Promise.all(names.map((name) => files.has(name)))).includes(false)
    },
    resolveAlias: async (key) => {
      const named = storageKey('', key).replace(/^\//, '')
      // PostgreSQL refuses even to look for what it could not hold.
      if (!isStorable(named)) return undefined
      const file = await findAlias(db, named)
      return file && !(await isNamedAsHidden(db, named)) ? addressOf(file) : undefined
    },
    weighRemovable: async (deleted) => {
      if (await isSharedAsNoted(db)) return () => 0
      const ids = deleted.map(({ id }) => id)
      const rest = { site: await readSite(db), earlier: await earlierPictures(db, ids) }
      return weighBinned(db, deleted, rest)
    },
    removeUnshown: (former) =>
      alone(async (locked) => {
        const names: string[] = []
        // First all rows: a file without one goes with the next sweep where it stays behind here.
        for (const image of await readUnshown(db, former, await readShown(db))) {
          if (await forget(db, image)) names.push(...filesOf(image.file))
        }
        for (const part of inParts(names)) await removeUnlisted(files, locked, part)
      }),
    sweep: async (asOf = now()) => {
      const removed = await sweepPictures({ files, db, log, alone }, { now: now(), asOf })
      if (removed > 0) log('images-removed', { removed })
    },
  }
}

/** Any number that no other lock uses. */
const pictureLock = 7_401_853

/**
 * Runs a job on the files of pictures while no other process runs one: what one process has just found to be kept, another
 * could be about to remove. On SQLite there is only one process. The job gets the connection that holds the lock: the lock
 * is lost with it, and only a query over it tells the job so.
 */
async function whileAlone<T>(
  { db, engine }: { readonly db: Db; readonly engine: Engine },
  job: (locked: Executor) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return job(db)
  return db.transaction().execute(async (t) => {
    await sql`select pg_advisory_xact_lock(${pictureLock})`.execute(t)
    // The server ends a transaction that is idle for too long, and the lock with it.
    const holding = setInterval(() => {
      // After a lost connection the next query fails, or the commit.
      sql`select 1`.execute(t).catch(() => undefined)
    }, idleMs / 3)
    try {
      return await job(t)
    } finally {
      clearInterval(holding)
    }
  })
}

/** Does nothing when the same bytes are kept already, and something shows them. */
async function keep(
  { files, db, now }: Pick<KeptImages, 'files' | 'db' | 'now'>,
  { bytes, kind, key }: Received,
): Promise<{ readonly url: string; readonly created: boolean }> {
  const hash = digestOf(bytes).slice(0, 40)
  const known = await findImage(db, hash)
  // Of one that nothing shows nobody may know what its files were: it may have been found here, damaged.
  if (known && known.orphan_since === null && (await areKept(files, known))) {
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

/** Whether each file is as it was stored, so that uploading a damaged picture again repairs it. */
async function areKept(files: PictureFiles, image: TableRow<'image'>): Promise<boolean> {
  for (const { name, digest } of storedFiles(image)) {
    if (digest === '' && !(await files.has(name))) return false
    if (digest !== '' && (await readDigest(files, name)) !== digest) return false
  }
  return true
}

/** One picture with its type; undefined for a file that is not there or of no kind that we serve. */
export async function openPicture(
  files: PictureFiles,
  file: string,
): Promise<OpenedImage | undefined> {
  const contentType = contentTypes[endingOf(file)]
  const bytes = contentType && (await files.read(file))
  return contentType && bytes ? { bytes, contentType } : undefined
}

async function isListed(db: Db, file: string): Promise<boolean> {
  const hash = hashIn(file)
  return hash !== undefined && (await findImage(db, hash)) !== undefined
}

/**
 * A picture that the database lists and this process's folder lacks belongs to another process: it is not gone, and a
 * later request may find it.
 */
async function missed(
  { db, log, files }: Pick<KeptImages, 'db' | 'log' | 'files'>,
  file: string,
): Promise<undefined> {
  if (!(await isListed(db, file))) return undefined
  log('picture-missing', { file, folder: files.place })
  throw unavailable()
}

/** How many pictures lack any of their files. The processes of one site must share the place of their pictures. */
export async function countMissing(
  db: Db,
  files: PictureFiles,
): Promise<{ missing: number; all: number }> {
  const rows = await db.selectFrom('image').select('file').execute()
  if (rows.length === 0) return { missing: 0, all: 0 }
  // What another database has set aside comes back with the next sweep.
  const there = new Set((await files.list()).map(({ name }) => formerName(name)))
  const lacking = rows.filter(({ file }) => filesOf(file).some((name) => !there.has(name)))
  return { missing: lacking.length, all: rows.length }
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
