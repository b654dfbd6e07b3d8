import { createHash, hash, randomUUID, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureFolder, syncToDisk } from '../disk/disk.ts'
import { ZipFile } from 'yazl'
import type { DbTarget } from '../db/open.ts'
import { storedFiles } from '../images/stored-files.ts'
import type { PictureFiles } from '../images/picture-files.ts'
import { manifestName, mediaName, rowsName, type BackupReason, type Manifest } from './manifest.ts'
import { verifyBackup } from './read-backup.ts'
import { withSnapshot, type Snapshot } from './snapshot.ts'

export interface BackupOf {
  readonly database: DbTarget
  readonly media: PictureFiles
  readonly now: Date
  readonly reason: BackupReason
  /** The last migration that the tables must have had; absent where any will do. */
  readonly migration?: string | undefined
}

/** Another process has brought the tables up to date: a backup of them would stand in the place of the one from before. */
export class OtherTables extends Error {}

/**
 * Makes one file of the whole site: every row as of one moment and the pictures they name. The file gets its name
 * only after it was read back and found whole; a failure before leaves nothing, and throws.
 */
export async function writeBackup(to: string, what: BackupOf): Promise<Manifest> {
  // The name is of this writing alone: another process may be making a backup in the same second.
  const partial = join(dirname(to), `.${basename(to, '.zip')}-${randomUUID()}.partial`)
  await ensureFolder(dirname(to), 0o700)
  try {
    const manifest = await writeCurrent(partial, what)
    await syncToDisk(partial)
    await verifyBackup(partial)
    await rename(partial, to)
    await syncToDisk(dirname(to))
    return manifest
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** How often it is written before a picture that was erased meanwhile counts as one that it lacks. */
const tries = 3

/** Begins anew where a picture was erased after its row was read: that one is not lost, and nothing is to be put back without it. */
async function writeCurrent(path: string, what: BackupOf): Promise<Manifest> {
  for (let attempt = 1; ; attempt++) {
    const manifest = await writeZip(path, what)
    if (attempt === tries || !(await wereErased(what, manifest))) return manifest
    await rm(path)
  }
}

/** Whether any picture that is missing is one that the site does not list any more. */
async function wereErased({ database }: BackupOf, { missing }: Manifest): Promise<boolean> {
  if (missing.length === 0) return false
  const listed = new Set<string>()
  await withSnapshot(database, async ({ rows }) => {
    for await (const row of rows('image')) {
      for (const { name } of storedFiles(imageOf(row))) listed.add(name)
    }
  })
  return missing.some((name) => !listed.has(name))
}

async function writeZip(path: string, what: BackupOf): Promise<Manifest> {
  const output = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  // A file that fails at once would be removed before it exists, and stay.
  await once(output, 'open')
  try {
    return await fillZip(output, what)
  } finally {
    output.destroy()
  }
}

async function fillZip(
  output: WriteStream,
  { database, media, now, reason, migration: expected }: BackupOf,
): Promise<Manifest> {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, output)
  const broken = new Promise<never>((_, reject) => {
    zip.on('error', reject)
    written.catch(reject)
  })
  // It is waited for only while a part is being written.
  broken.catch(() => output.destroy())
  const files: Record<string, { bytes: number; sha256: string }> = {}
  const add = async (name: string, source: Readable, compress: boolean) => {
    const seen = { bytes: 0, hash: createHash('sha256') }
    const counted = countInto(seen)
    const passed = pipeline(source, counted, { end: true })
    zip.addReadStream(counted, name, { mtime: now, compress, mode: 0o100600 })
    await Promise.race([passed, broken])
    files[name] = { bytes: seen.bytes, sha256: seen.hash.digest('hex') }
  }
  const tables: Record<string, number> = {}
  const pictures: ReturnType<typeof storedFiles>[number][] = []
  const addRows = async (snapshot: Snapshot) => {
    if (expected !== undefined && snapshot.migration !== expected) {
      throw new OtherTables(`the tables are of ${snapshot.migration}, no more of ${expected}`)
    }
    for (const table of snapshot.tables) {
      tables[table] = 0
      const lines = async function* () {
        for await (const row of snapshot.rows(table)) {
          tables[table] = (tables[table] ?? 0) + 1
          if (table === 'image') pictures.push(...storedFiles(imageOf(row)))
          yield `${JSON.stringify(row)}\n`
        }
      }
      await add(rowsName(table), Readable.from(lines(), { objectMode: false }), true)
    }
    const { migration, loose } = snapshot
    return { migration, loose }
  }
  // Ended before the pictures, which never change: while it lasts the write-ahead log only grows.
  const { migration, loose } = await withSnapshot(database, addRows)
  const missing: string[] = []
  const damaged: string[] = []
  for (const { name, digest } of pictures) {
    const part = mediaName(name)
    // Of another row as well.
    if (Object.hasOwn(files, part)) continue
    // One that is not there or not what it was is lost already: its site is worth a backup all the same.
    const bytes = await media.read(name)
    if (!bytes) {
      missing.push(name)
      continue
    }
    await add(part, Readable.from([bytes], { objectMode: false }), false)
    if (digest !== '' && files[part]?.sha256 !== digest) damaged.push(name)
  }
  const manifest: Manifest = {
    format: 'tintero-backup',
    formatVersion: 1,
    madeAt: now.toISOString(),
    reason,
    migration,
    tables,
    files,
    missing,
    damaged,
    loose,
  }
  const text = Buffer.from(JSON.stringify(manifest, null, 1))
  zip.addBuffer(text, manifestName, { mtime: now, mode: 0o100600 })
  zip.end({ forceZip64Format: false, comment: hash('sha256', text) })
  await written
  return manifest
}

/** The row of a picture; tables from before an update do not know its digests. */
const imageOf = ({ file, digests }: Readonly<Record<string, unknown>>) => ({
  file: String(file),
  digests: typeof digests === 'string' ? digests : '',
})

function countInto(seen: { bytes: number; readonly hash: Hash }): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seen.bytes += chunk.length
      seen.hash.update(chunk)
      done(null, chunk)
    },
  })
}
