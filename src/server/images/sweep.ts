import { hourMs } from '#contract/durations.ts'
import { readBin, fieldsIn } from '../db/bin.ts'
import { earlierPictures } from '../db/history.ts'
import { readSite } from '../db/site-data.ts'
import type { Db, Executor } from '../db/tables.ts'
import { forgetOrphans } from './catalogue.ts'
import type { PictureFiles } from './picture-files.ts'
import { digestOf, filesOf, hashIn } from './stored-files.ts'

/** A queued edit may name a picture long after its upload. */
const orphanKeepMs = 30 * 24 * hourMs
/** How many files are removed at a time: an upload meanwhile waits for so many and no more. */
const atOnce = 20

interface Sweep {
  readonly files: PictureFiles
  readonly db: Db
  /** Runs a job while nothing else works on the files. */
  readonly alone: <T>(job: (held: Executor) => Promise<T>) => Promise<T>
}

/**
 * Removes what interrupted uploads left and what nothing has shown for long, and notes what the files are of pictures that
 * were stored before that was done; answers how many pictures went. Rows go first: a file without one is a left-over,
 * whichever way it lost it.
 */
export async function sweepPictures(
  { files, db, alone }: Sweep,
  { now, asOf }: { readonly now: Date; readonly asOf: Date },
): Promise<number> {
  await files.sweepUnfinished(now)
  const anHourAgo = new Date(now.getTime() - hourMs)
  const before = new Date(asOf.getTime() - orphanKeepMs)
  const forgotten = await forgetOrphans(db, await readShown(db), { now, before })
  const old = (await files.list()).filter(({ at }) => at < anHourAgo).map(({ name }) => name)
  const stray = await unlisted(db, old)
  for (let from = 0; from < stray.length; from += atOnce) {
    const names = stray.slice(from, from + atOnce)
    await alone((held) => removeUnlisted(files, held, names))
  }
  await noteDigests({ files, db })
  return forgotten
}

/** Runs under the lock, where no other process is about to list a picture. */
export async function removeUnlisted(
  files: PictureFiles,
  held: Executor,
  names: readonly string[],
): Promise<void> {
  await files.remove(await unlisted(held, names))
}

/** Files that are no picture's are left out. */
async function unlisted(x: Executor, names: readonly string[]): Promise<readonly string[]> {
  const listed = new Set((await x.selectFrom('image').select('hash').execute()).map((r) => r.hash))
  return names.filter((name) => {
    const hash = hashIn(name)
    return hash !== undefined && !listed.has(hash)
  })
}

/** Includes deleted entries and earlier versions, which may come back. */
export async function readShown(db: Db): Promise<Parameters<typeof forgetOrphans>[1]> {
  const binned = (await readBin(db)).map((row) => ({ kind: row.kind, fields: fieldsIn(row) }))
  return { site: await readSite(db), binned, earlier: await earlierPictures(db) }
}

/** Notes the digests of pictures that were stored without; a picture that lacks a file waits for it. */
async function noteDigests({ files, db }: Pick<Sweep, 'files' | 'db'>): Promise<void> {
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

/** The digest of a picture’s bytes; undefined when it is not there. */
export async function readDigest(files: PictureFiles, name: string): Promise<string | undefined> {
  const bytes = await files.read(name)
  return bytes && digestOf(bytes)
}
