import { createHash, hash, randomBytes } from 'node:crypto'
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { manifestName, mediaName, rowsName } from '#server/backup/manifest.ts'
import { openBackup, readRows, UnusableBackup, verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb } from '#server/db/open.ts'
import { openFolder } from '#server/images/folder.ts'
import { engines, freshFolder, freshTarget, openForTest } from '#tests/support/database.ts'
import { growsLinearly } from '#tests/support/linear.ts'
import { rawZip, type RawPart } from '#tests/support/raw-zip.ts'

const migration = Object.keys(allMigrations('sqlite')).at(-1) ?? ''

interface Forged {
  readonly tables?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** Parts that are more than a name and what is in them. */
  readonly parts?: readonly RawPart[]
  /** Parts of which the manifest says nothing. */
  readonly unlisted?: readonly RawPart[]
  /** Written over what the manifest would say. */
  readonly said?: object
}

/** A backup that somebody has put together, whole by all that it says of itself. */
async function forge({ tables = {}, files = {}, parts = [], unlisted = [], said = {} }: Forged) {
  const all = { ...files }
  for (const [table, rows] of Object.entries(tables)) all[rowsName(table)] = rows
  const named = Object.entries(all).map(([name, content]) => ({
    name,
    content: Buffer.from(content),
  }))
  const listed: readonly RawPart[] = [...named, ...parts]
  const entries = listed.map(({ name, content, bytes = content.length }) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return [name, { bytes, sha256 }]
  })
  const counts = Object.entries(tables).map(([table, rows]) => [table, rows.split('\n').length - 1])
  const manifest = JSON.stringify({
    format: 'tintero-backup',
    formatVersion: 1,
    madeAt: '2031-03-01T10:00:00.000Z',
    reason: 'hand',
    migration,
    tables: Object.fromEntries(counts) as object,
    files: Object.fromEntries(entries) as object,
    missing: [],
    ...said,
  })
  const last = { name: manifestName, content: Buffer.from(manifest) }
  const path = join(await freshFolder(), 'forged.zip')
  await writeFile(path, rawZip([...listed, ...unlisted, last], hash('sha256', manifest)))
  return path
}

async function restored(file: string) {
  const folder = await freshFolder()
  const at = join(folder, 'tintero.sqlite')
  const media = openFolder(join(folder, 'media'))
  await restoreBackup(file, { database: { engine: 'sqlite', file: at }, media, now: new Date() })
  return { folder, at }
}

test('a one-time link in a backup made by hand, which would set a new password, is not put back', async () => {
  const at = '2031-03-01T10:00:00.000Z'
  const link = { token_hash: 'a', purpose: 'reset', created_at: at, expires_at: at }
  const { at: file } = await restored(
    await forge({ tables: { one_time_link: `${JSON.stringify(link)}\n` } }),
  )
  const { db, close } = await openDb({ engine: 'sqlite', file })
  expect(await db.selectFrom('one_time_link').selectAll().execute()).toEqual([])
  await close()
})

test('a table that is none of the site’s is not made', async () => {
  const rows = `${JSON.stringify({ type: 'trigger', sql: 'create trigger t' })}\n`
  const { at } = await restored(
    await forge({ tables: { sqlite_master: rows, '"; drop table': rows } }),
  )
  const { db, close } = await openDb({ engine: 'sqlite', file: at })
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  expect(names.filter((name) => /sqlite_|drop/.test(name))).toEqual([])
  await close()
})

test('a manifest that would fill the memory is refused unread', async () => {
  const file = await forge({ said: { missing: [' '.repeat(65_000_000)] } })
  await expect(verifyBackup(file)).rejects.toThrow('no es una copia entera de Tintero')
})

test('a row is read in proportion to its length', async () => {
  const reads = async (length: number) => {
    const backup = await openBackup(
      await forge({ tables: { project: `${JSON.stringify({ name: 'a'.repeat(length) })}\n` } }),
    )
    return async () => {
      for await (const row of readRows(backup, 'project')) {
        expect(row['name']).toHaveLength(length)
      }
    }
  }
  const [none, short, long] = [await reads(0), await reads(4_000_000), await reads(16_000_000)]
  expect(await growsLinearly({ none, short, long })).toBe(true)
})

/** What lies in a folder and below it, but for the locks, which hold nothing. */
async function everythingIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
  return Object.fromEntries(
    await Promise.all(
      files
        .map(({ parentPath, name }) => join(parentPath, name))
        .map(async (path) => [relative(folder, path), await readFile(path, 'base64')] as const),
    ),
  )
}

/** Restores over a site, and tells why not, and whether that is as it was and nothing lies beside it. */
async function attack(file: string) {
  const around = await freshFolder()
  const folder = join(around, 'data')
  const at = join(folder, 'tintero.sqlite')
  const { close } = await openDb({ engine: 'sqlite', file: at }, 0)
  await close()
  const before = await everythingIn(around)
  const media = openFolder(join(folder, 'media'))
  const refused = await restoreBackup(file, {
    database: { engine: 'sqlite', file: at },
    media,
    now: new Date(),
  }).catch((error: unknown) => error)
  expect(await everythingIn(around)).toEqual(before)
  expect(refused).toBeInstanceOf(UnusableBackup)
  return (refused as UnusableBackup).why
}

const { faults } = backupTexts
const [section] = sections as readonly [Section, ...Section[]]
const picture = mediaName(`${'a'.repeat(40)}.1x1.webp`)
const content = Buffer.from('x')

describe('a file that was made to do harm is refused in a sentence, and the site is as it was', () => {
  test.each([
    'media/../../fuera.webp',
    '../fuera.webp',
    '/tmp/fuera.webp',
    'media\\..\\..\\fuera.webp',
    'C:/fuera.webp',
  ])('with a name that leads out, %s', async (name) => {
    expect(await attack(await forge({ parts: [{ name, content }] }))).toBe(faults.noBackup)
  })

  test.each([
    'media/a/b/c.webp',
    'media/',
    'media/.',
    'media/tmp',
    'media/a.webp',
    `${picture}\0.txt`,
    `${picture}/x`,
    'tintero.sqlite',
    'rows/',
    'rows/a',
  ])('with a part of another name than the site gives, %j', async (name) => {
    const told = fill(faults.foreign, { name: name.replace('\0', '?') })
    expect(await attack(await forge({ parts: [{ name, content }] }))).toBe(told)
  })

  test('with a name that goes on for ever', async () => {
    const told = fill(faults.foreign, { name: `media/${'a'.repeat(94)}…` })
    const parts = [{ name: `media/${'a'.repeat(60_000)}`, content }]
    expect(await attack(await forge({ parts }))).toBe(told)
  })

  test('with two parts of one name, or two manifests', async () => {
    const twice = await forge({ parts: [{ name: picture, content, times: 2 }] })
    expect(await attack(twice)).toBe(fill(faults.doubled, { name: picture }))
    const another = { name: manifestName, content: Buffer.from('{}') }
    expect(await attack(await forge({ unlisted: [another] }))).toBe(
      fill(faults.doubled, { name: manifestName }),
    )
  })

  test('with more parts than any site has', async () => {
    const empty = { name: picture, content: Buffer.of(), times: 1_000_000 }
    expect(await attack(await forge({ unlisted: [empty] }))).toBe(faults.noBackup)
  })

  test('with parts that the manifest does not list, of which some are named, without what moves a terminal', async () => {
    const unlisted = ['a', '\u001b[31mrojo\u202e', 'c', 'd'].map((name) => ({ name, content }))
    expect(await attack(await forge({ unlisted }))).toBe(
      fill(faults.added, { name: 'a, ?[31mrojo?, c, …' }),
    )
  })

  test('without a part, or without the rows of a table', async () => {
    const lacking = { bytes: 1, sha256: 'a'.repeat(64) }
    expect(await attack(await forge({ said: { files: { [picture]: lacking } } }))).toBe(
      fill(faults.missing, { name: picture }),
    )
    const rows = rowsName(section.key)
    expect(await attack(await forge({ said: { tables: { [section.key]: 0 } } }))).toBe(
      fill(faults.missing, { name: rows }),
    )
  })

  test('with a part that is longer or shorter than it says', async () => {
    const name = rowsName(section.key)
    const long = Buffer.alloc(5_000_000)
    for (const [compressed, bytes] of [
      [true, 10],
      [true, 4_000_000_000],
      [false, 10],
      [false, 4_000_000_000],
    ] as const) {
      const part = { name, content: long, compressed, bytes }
      expect(await attack(await forge({ parts: [part] })), `${bytes}`).toBe(faults.noBackup)
    }
  })

  test('with a picture that inflates, which is held whole', async () => {
    const part = { name: picture, content: Buffer.alloc(1000), compressed: true }
    expect(await attack(await forge({ parts: [part] }))).toBe(
      fill(faults.changed, { name: picture }),
    )
  })

  test('with parts that share their data, which together inflate without end', async () => {
    const rows = randomBytes(10_000)
    const [first, second] = ['a', 'b'].map((table) => ({ name: rowsName(table), content: rows }))
    const parts = [first as RawPart, { ...(second as RawPart), isShared: true }]
    expect(await attack(await forge({ parts }))).toBe(faults.noBackup)
  })

  test('with a manifest of nothing but lists, which takes fifty times its length', async () => {
    const lists = Array.from({ length: 5000 }, () => [])
    expect(await attack(await forge({ said: { lists } }))).toBe(faults.noBackup)
  })

  test('with a manifest that says something else than it may', async () => {
    for (const said of [{ migration: 'z'.repeat(1000) }, { migration: '\u001b[31m' }]) {
      expect(await attack(await forge({ said }))).toBe(faults.noBackup)
    }
  })

  test('with a row that would fill the memory', async () => {
    const rows = `${JSON.stringify({ id: 'a'.repeat(20_000_000) })}\n`
    const content20 = Buffer.from(rows)
    const part = { name: rowsName(section.key), content: content20, compressed: true }
    expect(
      await attack(await forge({ parts: [part], said: { tables: { [section.key]: 1 } } })),
    ).toBe(fill(faults.unfit, { name: section.key }))
  })

  test.each(['null', '[1]', '"x"', '{"id":{"a":1}}', '{"id":true}', '{', '{}', '{"id":"a"}'])(
    'with the row %s',
    async (row) => {
      expect(await attack(await forge({ tables: { [section.key]: `${row}\n` } }))).toBe(
        fill(faults.unfit, { name: section.key }),
      )
    },
  )
})

test.each(engines)('rows that no table takes leave the site on %s as it was', async (engine) => {
  const database = await freshTarget(engine)
  const { db, close } = await openDb(database, 0)
  await db.updateTable('person').set({ name: 'Lo de antes' }).execute()
  await close()
  const media = openFolder(join(await freshFolder(), 'media'))
  const file = await forge({ tables: { [section.key]: '{"id":"a"}\n' } })
  await expect(restoreBackup(file, { database, media, now: new Date() })).rejects.toThrow(
    fill(faults.unfit, { name: section.key }),
  )
  const { db: left } = await openForTest(database)
  expect(await left.selectFrom('person').select('name').execute()).toEqual([
    { name: 'Lo de antes' },
  ])
})

test('a table that somebody has added to the file holds up no backup, whatever its name and rows', async () => {
  const folder = await freshFolder()
  const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
  const { db } = await openForTest(database)
  await sql`create table "otra/lista" (x blob)`.execute(db)
  await sql`insert into "otra/lista" values (x'00ff')`.execute(db)
  const file = join(folder, 'copia.zip')
  const media = openFolder(join(folder, 'media'))
  await writeBackup(file, { database, media, now: new Date(), reason: 'hand' })
  expect((await verifyBackup(file)).tables).toHaveProperty('otra/lista', 1)
  await restored(file)
})

test('a part that is said to be a link to another file becomes a file of its own', async () => {
  const link = { name: picture, content: Buffer.from('/etc/passwd'), mode: 0o120777 }
  const { folder } = await restored(await forge({ parts: [link] }))
  const found = await lstat(join(folder, picture))
  expect([found.isFile(), found.isSymbolicLink(), found.mode & 0o777]).toEqual([true, false, 0o600])
  expect(await readdir(join(folder, 'media'))).toEqual([basename(picture), 'tmp'])
})

test('a row of a picture that names another file is no way to read that', async () => {
  const at = '2031-03-01T10:00:00.000Z'
  const row = { hash: 'a', file: '../tintero.sqlite', bytes: 1, created_at: at }
  const { folder, at: file } = await restored(
    await forge({ tables: { image: `${JSON.stringify(row)}\n` } }),
  )
  const { files } = await writeBackup(join(folder, 'later.zip'), {
    database: { engine: 'sqlite', file },
    media: openFolder(join(folder, 'media')),
    now: new Date(),
    reason: 'hand',
  })
  expect(Object.keys(files).filter((name) => name.startsWith('media/'))).toEqual([])
})
