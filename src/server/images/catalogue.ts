import type { SiteData } from '#contract/api.ts'
import type { FieldValues } from '#contract/fields.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { personFields } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Db, Executor, NewRow, TableRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'

/** The row of a stored picture, undefined when its content was never uploaded. */
export async function findImage(x: Executor, hash: string): Promise<TableRow<'image'> | undefined> {
  return x.selectFrom('image').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Lists a stored picture (again: it is wanted, whatever its mark says) and points a storage key at it. */
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

/** The file behind a storage key. */
export async function findAlias(x: Executor, key: string): Promise<string | undefined> {
  const row = await x
    .selectFrom('image_alias')
    .innerJoin('image', 'image.hash', 'image_alias.hash')
    .select('image.file')
    .where('image_alias.name', '=', key)
    .executeTakeFirst()
  return row?.file
}

/** What may show pictures: the site, the deleted entries that can still come back, each with its section, and what was earlier. */
interface Shown {
  readonly site: SiteData
  /** The pictures of the versions that can still come back. */
  readonly earlier: readonly string[]
  readonly binned: readonly { readonly kind: string; readonly fields: FieldValues }[]
}

/** Marks the pictures no content shows, takes the mark from those it shows again, and forgets those marked before the moment; answers how many. */
export async function forgetOrphans(
  db: Db,
  shown: Shown,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<number> {
  const aliases = await db.selectFrom('image_alias').selectAll().execute()
  const used = usedHashes(shown, new Map(aliases.map(({ name, hash }) => [name, hash])))
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

/** Sets or takes the mark, unless an upload changed it meanwhile. */
async function mark(db: Db, { hash, orphan_since: was }: TableRow<'image'>, since: string | null) {
  if (was === since) return
  await db
    .updateTable('image')
    .set({ orphan_since: since })
    .where('hash', '=', hash)
    .where('orphan_since', was === null ? 'is' : '=', was)
    .execute()
}

async function forget(db: Db, { hash, orphan_since: was }: TableRow<'image'>): Promise<boolean> {
  const row = await db
    .deleteFrom('image')
    .where('hash', '=', hash)
    .where('orphan_since', '=', was)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

const storedAddress = /\/media\/(?:(?<hash>[0-9a-f]{40})\.|(?<key>[^?#]+))/

/** The pictures the profile and the entries show, whichever of its addresses they name. */
function usedHashes(shown: Shown, aliases: ReadonlyMap<string, string>): ReadonlySet<string> {
  const used = new Set<string>()
  for (const address of imageAddresses(shown)) {
    const { hash, key = '' } = storedAddress.exec(address)?.groups ?? {}
    const found = hash ?? aliases.get(key.replace(/\/{2,}/g, '/'))
    if (found !== undefined) used.add(found)
  }
  return used
}

function imageAddresses({ site: { person, entries }, binned, earlier }: Shown): readonly string[] {
  const ofEntries = sections.flatMap(({ key, fields }) => {
    const field = imageFieldOf(fields) ?? ''
    const ofSection = binned.filter(({ kind }) => kind === key)
    return [...(entries[key] ?? []), ...ofSection].map((entry) => entry.fields[field] ?? '')
  })
  return [person.fields[imageFieldOf(personFields) ?? ''] ?? '', ...ofEntries, ...earlier]
}
