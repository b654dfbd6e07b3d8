import type { SiteData } from '#contract/api.ts'
import { imageFieldOf, type FieldValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import { isHidden } from '#contract/entries/hidden.ts'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections } from '#contract/settings/settings.ts'
import { findInBin } from '../db/bin.ts'
import { findEntry } from '../db/entries.ts'
import { readSettings } from '../db/settings.ts'
import type { Db, Executor, NewRow, TableRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { entriesNamed } from './storage-name.ts'

/** Undefined when its content was never uploaded. */
export async function findImage(x: Executor, hash: string): Promise<TableRow<'image'> | undefined> {
  return x.selectFrom('image').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Takes the mark off a picture that is listed already, since it is wanted again. */
export async function recordImage(
  db: Db,
  image: Omit<NewRow<'image'>, 'orphan_since'>,
  key: string,
): Promise<void> {
  await transact(db, async (x) => {
    await x
      .insertInto('image')
      .values({ ...image, orphan_since: null })
      .onConflict((c) => c.column('hash').doUpdateSet({ ...image, orphan_since: null }))
      .execute()
    await x
      .insertInto('image_alias')
      .values({ name: key, hash: image.hash })
      .onConflict((c) => c.column('name').doUpdateSet({ hash: image.hash }))
      .execute()
  })
}

/** The file that an old name of a picture stands for today. */
export async function findAlias(x: Executor, key: string): Promise<string | undefined> {
  const row = await x
    .selectFrom('image_alias')
    .innerJoin('image', 'image.hash', 'image_alias.hash')
    .select('image.file')
    .where('image_alias.name', '=', key)
    .executeTakeFirst()
  return row?.file
}

/** Whether visitors do not see an entry whose name this is, or did not when it was deleted: its id may be known from before. */
export async function isNamedAsHidden(x: Executor, key: string): Promise<boolean> {
  const named = entriesNamed(key)
  const sectionsHidden = named.length === 0 ? [] : hiddenSections(await readSettings(x))
  for (const { section, id } of named) {
    if (sectionsHidden.includes(section.key)) return true
    const fields =
      (await findEntry(x, section, id))?.fields ?? (await findInBin(x, { kind: section.key, id }))
    if (fields && isHidden({ fields })) return true
  }
  return false
}

/**
 * Everything that may show pictures: the site, the deleted entries that can still come back, each with its section, and
 * earlier versions.
 */
interface Shown {
  readonly site: SiteData
  /** The pictures of the versions that can still come back. */
  readonly earlier: readonly string[]
  readonly binned: readonly { readonly kind: string; readonly fields: FieldValues }[]
}

/**
 * Marks the pictures that no content shows, unmarks those shown again, and forgets those marked before the moment;
 * returns how many.
 */
export async function forgetOrphans(
  db: Db,
  shown: Shown,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<number> {
  const used = hashesIn(imageAddresses(shown), await readAliases(db))
  let forgotten = 0
  for (const image of await db.selectFrom('image').selectAll().execute()) {
    if (used.has(image.hash)) await mark(db, image, null)
    else if (image.orphan_since === null) await mark(db, image, now.toISOString())
    else if (image.orphan_since < before.toISOString()) {
      if (await forget(db, image)) forgotten++
    }
  }
  return forgotten
}

/** Does nothing when an upload changed the mark meanwhile. */
async function mark(db: Db, { hash, orphan_since: was }: TableRow<'image'>, since: string | null) {
  if (was === since) return
  await db
    .updateTable('image')
    .set({ orphan_since: since })
    .where('hash', '=', hash)
    .where('orphan_since', was === null ? 'is' : '=', was)
    .execute()
}

/** Does nothing when an upload changed the picture's mark meanwhile. */
export async function forget(
  db: Db,
  { hash, orphan_since: was }: TableRow<'image'>,
): Promise<boolean> {
  const row = await db
    .deleteFrom('image')
    .where('hash', '=', hash)
    .where('orphan_since', was === null ? 'is' : '=', was)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

const storedAddress = /\/media\/(?:(?<hash>[0-9a-f]{40})\.|(?<key>[^?#]+))/

type Aliases = readonly TableRow<'image_alias'>[]

const readAliases = (x: Executor): Promise<Aliases> =>
  x.selectFrom('image_alias').selectAll().execute()

/** Several addresses may name one picture. */
function hashesIn(addresses: readonly string[], aliases: Aliases): ReadonlySet<string> {
  const named = new Map(aliases.map(({ name, hash }) => [name, hash]))
  const found = addresses.map((address) => {
    const { hash, key = '' } = storedAddress.exec(address)?.groups ?? {}
    return hash ?? named.get(key.replace(/\/{2,}/g, '/'))
  })
  return new Set(found.filter((hash) => hash !== undefined))
}

/** Belongs to an entry that is deleted for good; its history's pictures are included. */
export interface FormerPictures {
  readonly id: string
  readonly addresses: readonly string[]
}

/** Leaves out pictures that another upload has named for something else. */
export async function readUnshown(
  x: Executor,
  { id, addresses }: FormerPictures,
  shown: Shown,
): Promise<readonly TableRow<'image'>[]> {
  const aliases = await readAliases(x)
  const used = hashesIn(imageAddresses(shown), aliases)
  const own = hashesIn(addresses, aliases)
  const free = [...own].filter((hash) => !used.has(hash) && !isAwaited(aliases, { hash, id }))
  if (free.length === 0) return []
  return x.selectFrom('image').selectAll().where('hash', 'in', free).execute()
}

/** In bytes; counts only pictures that nothing else shows, `shown` being what is not deleted. */
export async function weighBinned(
  x: Executor,
  binned: readonly FormerPictures[],
  shown: Omit<Shown, 'binned'>,
): Promise<(id: string) => number> {
  const aliases = await readAliases(x)
  const bytes = new Map(
    (await x.selectFrom('image').select(['hash', 'bytes']).execute()).map((row) => [
      row.hash,
      row.bytes,
    ]),
  )
  const own = new Map(binned.map(({ id, addresses }) => [id, hashesIn(addresses, aliases)]))
  const live = hashesIn(imageAddresses({ ...shown, binned: [] }), aliases)
  const showing = new Map<string, number>()
  for (const hash of [...own.values()].flatMap((each) => [...each])) {
    showing.set(hash, (showing.get(hash) ?? 0) + 1)
  }
  const goes = (hash: string, id: string) =>
    showing.get(hash) === 1 && !live.has(hash) && !isAwaited(aliases, { hash, id })
  return (id) =>
    [...(own.get(id) ?? [])]
      .filter((hash) => goes(hash, id))
      .reduce((sum, hash) => sum + (bytes.get(hash) ?? 0), 0)
}

/**
 * Whether another upload names the picture, whose entry may not be saved yet. An edit names its picture after the
 * entry, a new entry by a name of its own.
 */
function isAwaited(aliases: Aliases, { hash, id }: { readonly hash: string; readonly id: string }) {
  const names = aliases.filter((alias) => alias.hash === hash).map(({ name }) => name)
  const others = names.filter((name) => !name.endsWith(`_${id}`))
  const isMadeWith = names.length === 1 && /^[^/]+\/New\//.test(names[0] ?? '')
  return others.length > 0 && !isMadeWith
}

function imageAddresses({ site: { person, entries }, binned, earlier }: Shown): readonly string[] {
  const ofEntries = sections.flatMap(({ key, fields }) => {
    const field = imageFieldOf(fields) ?? ''
    const ofSection = binned.filter(({ kind }) => kind === key)
    return [...(entries[key] ?? []), ...ofSection].map((entry) => entry.fields[field] ?? '')
  })
  return [person.fields[imageFieldOf(personFields) ?? ''] ?? '', ...ofEntries, ...earlier]
}
