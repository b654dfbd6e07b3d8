import { hourMs } from '#contract/durations.ts'
import { readBin, fieldsIn } from '../db/bin.ts'
import { earlierPictures } from '../db/history.ts'
import { readSite } from '../db/site-data.ts'
import type { Db } from '../db/tables.ts'
import { forgetOrphans } from './catalogue.ts'
import {
  bringBack,
  endSharing,
  inParts,
  listFound,
  removeUnlisted,
  unlisted,
  type Sweep,
} from './found-pictures.ts'
import type { PictureFiles } from './picture-files.ts'
import { digestOf, filesOf } from './stored-files.ts'

/** A queued edit may name a picture long after its upload. */
const orphanKeepMs = 30 * 24 * hourMs

/**
 * Removes what interrupted uploads left and what nothing has shown for long, and notes what the files are of pictures that
 * were stored before that was done; answers how many pictures went. Rows go first: a file without one is a left-over,
 * whichever way it lost it, but for those that a database finds there when its life begins, and goes at once or when the days of
 * another database are over.
 */
export async function sweepPictures(
  { files, db, log, alone }: Sweep,
  { now, asOf }: { readonly now: Date; readonly asOf: Date },
): Promise<number> {
  // First: a database that is back in its place lacks them, whatever fails of the rest.
  await bringBack({ files, db, alone })
  await files.sweepUnfinished(now)
  await listFound({ files, db, log, alone }, now)
  const anHourAgo = new Date(now.getTime() - hourMs)
  const before = new Date(asOf.getTime() - orphanKeepMs)
  const forgotten = await forgetOrphans(db, await readShown(db), { now, before })
  await endSharing(db, before)
  const there = await files.list()
  const old = there.filter(({ at }) => at < anHourAgo).map(({ name }) => name)
  for (const names of inParts(await unlisted(db, old))) {
    await alone((locked) => removeUnlisted(files, locked, names))
  }
  await noteDigests({ files, db })
  return forgotten
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
