import { randomUUID } from 'node:crypto'
import { lifeKey } from '../db/life.ts'
import type { Redate } from '../db/lived-days.ts'
import { readFact, writeFact } from '../db/site-facts.ts'
import type { Db, Executor } from '../db/tables.ts'
import type { Log } from '../log.ts'
import type { PictureFiles } from './picture-files.ts'
import { digestOf, filesOf, hashIn } from './stored-files.ts'

/*
 * Pictures that another database may still show: one that a restore has put aside, or that the site had a moment ago by its
 * configuration. They lie for thirty days from when this one took them over.
 */

/** The fact with the life in which the database listed what it had found among the pictures, and a mark that no other one has. */
const listedKey = 'pictures-listed'
/** The file, among the pictures, with the same of the database that did so last. */
const listedBy = 'listed-by'
/** The fact with the moment when the database took over pictures of another one; empty once that one's days are over. */
const othersKey = 'pictures-of-others'

/** What the database has noted itself, and whether in this life. */
async function readOwn(x: Executor) {
  const life = await readFact(x, lifeKey)
  const own = await readFact(x, listedKey)
  const isOfLife = life !== undefined && own !== undefined && own.startsWith(`${life} `)
  return { life, own, isOfLife }
}

/** The same, and what the file says. */
async function readMarks(files: PictureFiles, x: Executor) {
  const bytes = await files.read(listedBy)
  return { ...(await readOwn(x)), last: bytes && Buffer.from(bytes).toString() }
}

type Marks = Awaited<ReturnType<typeof readMarks>>

const isListed = ({ own, isOfLife, last }: Marks) => isOfLife && own === last

export interface Sweep {
  readonly files: PictureFiles
  readonly db: Db
  readonly log: Log
  /** Runs a job while nothing else works on the files. */
  readonly alone: <T>(job: (locked: Executor) => Promise<T>) => Promise<T>
}

/**
 * Lists, whenever another life of a database takes over the pictures, those that lie there without a row as ones that nothing shows.
 * What it had marked itself may be shown by the one before, so its thirty days begin anew.
 */
export async function listFound({ files, db, log, alone }: Sweep, now: Date): Promise<void> {
  const marks = await readMarks(files, db)
  if (marks.life === undefined || isListed(marks)) return
  const there = new Set((await files.list()).map(({ name }) => name))
  // One for all of this life: processes that share no folder would begin each other's days anew for ever.
  const mark = marks.isOfLife && marks.own ? marks.own : `${marks.life} ${randomUUID()}`
  if (there.size === 0) {
    // Whatever comes there from now on is its own, as long as no other one leaves its mark.
    if (!marks.isOfLife) await writeFact(db, listedKey, mark)
    return
  }
  // A smaller width is its picture's, and one that lacks a width is what an upload has left.
  const found = (await unlisted(db, [...there])).filter(
    (file) => !file.includes('-') && filesOf(file).every((name) => there.has(name)),
  )
  // First: what is erased meanwhile is set aside. What a restore has put aside it has noted itself.
  if (marks.last !== undefined || found.length > 0) await noteSharing(db, now.toISOString())
  for (const part of inParts(found)) {
    await alone(async (locked) => {
      for (const file of await unlisted(locked, part)) await list({ files, locked, log }, file, now)
    })
  }
  await alone(async (locked) => {
    // Another process may have been quicker.
    if (!isListed(await readMarks(files, locked))) await takeOver({ files, locked }, { mark, now })
  })
}

interface Locked {
  readonly files: PictureFiles
  readonly locked: Executor
}

async function list(
  { files, locked, log }: Locked & Pick<Sweep, 'log'>,
  file: string,
  now: Date,
): Promise<void> {
  const described = await describe(files, filesOf(file)).catch((error: unknown) => {
    // It is set aside as a file without a row.
    log('picture-unreadable', { file, error: String(error) })
    return undefined
  })
  if (!described) return
  await locked
    .insertInto('image')
    .values({ file, ...described, ...foundAt(file, now) })
    .onConflict((c) => c.column('hash').doNothing())
    .execute()
}

async function takeOver(
  { files, locked }: Locked,
  { mark, now }: { readonly mark: string; readonly now: Date },
): Promise<void> {
  await locked
    .updateTable('image')
    .set({ orphan_since: now.toISOString() })
    .where('orphan_since', 'is not', null)
    .execute()
  await writeFact(locked, listedKey, mark)
  await files.write([{ name: listedBy, bytes: Buffer.from(mark) }])
}

function foundAt(file: string, now: Date) {
  const moment = now.toISOString()
  return { hash: hashIn(file) ?? '', created_at: moment, orphan_since: moment }
}

/** Undefined where one of the files is gone meanwhile. */
async function describe(files: PictureFiles, names: readonly string[]) {
  const digests: string[] = []
  let bytes = 0
  for (const name of names) {
    const part = await files.read(name)
    if (!part) return undefined
    digests.push(digestOf(part))
    bytes += part.length
  }
  return { bytes, digests: digests.join(' ') }
}

/** Whether another database may still show what lies there, as far as this one knows by itself. */
export async function isSharedAsNoted(x: Executor): Promise<boolean> {
  const { own, isOfLife } = await readOwn(x)
  return (own !== undefined && !isOfLife) || Boolean(await readFact(x, othersKey))
}

/** The same, where another one may have left its mark since; a new one that has not looked yet has found nobody's. */
async function isShared(files: PictureFiles, x: Executor): Promise<boolean> {
  const { own, last } = await readMarks(files, x)
  return (last !== undefined && last !== own) || isSharedAsNoted(x)
}

/** Notes since when another database may show what lies there; empty where none does. */
export async function noteSharing(x: Executor, since: string): Promise<void> {
  await writeFact(x, othersKey, since)
}

/** Ends the days of another database, where its pictures were taken over before this moment. */
export async function endSharing(db: Db, before: Date): Promise<void> {
  const since = await readFact(db, othersKey)
  if (since && since < before.toISOString()) await noteSharing(db, '')
}

/** Dates anew since when another database may show what lies there. */
export async function redateSharing(t: Executor, redate: Redate): Promise<void> {
  const since = await readFact(t, othersKey)
  if (since) await noteSharing(t, redate(since))
}

/** Nobody is served a file that is called so, no backup takes it, and another database finds it. */
const aside = 'erased-'

/** What the file of a picture was called before it was set aside. */
export const formerName = (name: string): string =>
  name.startsWith(aside) ? name.slice(aside.length) : name

/**
 * Removes the files of pictures without a row; where another database may still show them they are set aside for it. Runs under
 * the lock, where no other process is about to list a picture.
 */
export async function removeUnlisted(
  files: PictureFiles,
  locked: Executor,
  names: readonly string[],
): Promise<void> {
  const free = await unlisted(locked, names)
  if (!(await isShared(files, locked))) return files.remove(free)
  for (const name of free) if (name === formerName(name)) await files.rename(name, aside + name)
}

/** Gives the pictures that this database lists the files back that another one has set aside. */
export async function bringBack({ files, db, alone }: Omit<Sweep, 'log'>): Promise<void> {
  const there = (await files.list()).map(({ name }) => name)
  const apart = there.filter((name) => name !== formerName(name))
  for (const part of inParts(await listed(db, apart))) {
    await alone(async (locked) => {
      for (const name of await listed(locked, part)) {
        // One that was uploaded again is as good or better.
        if (await files.has(formerName(name))) await files.remove([name])
        else await files.rename(name, formerName(name))
      }
    })
  }
}

/** The files without a row. Those that are no picture's are left out; those that were set aside are one's. */
export async function unlisted(x: Executor, names: readonly string[]): Promise<readonly string[]> {
  const hasRow = await readListed(x)
  return names.filter((name) => hasRow(name) === false)
}

async function listed(x: Executor, names: readonly string[]): Promise<readonly string[]> {
  return names.filter(await readListed(x))
}

/** Resolves to whether a file's picture has a row; undefined for a file that is no picture's. */
async function readListed(x: Executor): Promise<(name: string) => boolean | undefined> {
  const hashes = new Set((await x.selectFrom('image').select('hash').execute()).map((r) => r.hash))
  return (name) => {
    const hash = hashIn(formerName(name))
    return hash === undefined ? undefined : hashes.has(hash)
  }
}

/** How many files are worked on at a time: an upload meanwhile waits for so many and no more. */
const atOnce = 20

export function inParts(names: readonly string[]): readonly (readonly string[])[] {
  const starts = names.map((_, i) => i).filter((i) => i % atOnce === 0)
  return starts.map((from) => names.slice(from, from + atOnce))
}
