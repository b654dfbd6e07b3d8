import { createHash, hash } from 'node:crypto'
import { createWriteStream, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { manifestName, rowsName } from '#server/backup/manifest.ts'
import { openBackup, readRows, verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb } from '#server/db/open.ts'
import { openFolder } from '#server/images/folder.ts'
import { growsLinearly } from '#tests/support/linear.ts'

const migration = Object.keys(allMigrations('sqlite')).at(-1) ?? ''

interface Forged {
  readonly tables?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** Written over what the manifest would say. */
  readonly said?: object
}

/** A backup that somebody has put together, whole by all that it says of itself. */
async function forge({ tables = {}, files = {}, said = {} }: Forged): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'tintero-forged-')), 'forged.zip')
  const zip = new ZipFile()
  const all = { ...files }
  for (const [table, rows] of Object.entries(tables)) all[rowsName(table)] = rows
  for (const [name, content] of Object.entries(all)) zip.addBuffer(Buffer.from(content), name)
  const entries = Object.entries(all).map(([name, content]) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return [name, { bytes: Buffer.byteLength(content), sha256 }]
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
  zip.addBuffer(Buffer.from(manifest), manifestName)
  zip.end({ forceZip64Format: false, comment: hash('sha256', manifest) })
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

async function restored(file: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-restored-'))
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

test('a picture is put into the folder of pictures and nowhere else', async () => {
  const { folder } = await restored(await forge({ files: { 'media/a/b/c.webp': 'x' } }))
  expect(readdirSync(folder).filter((name) => !name.startsWith('tintero.sqlite'))).toEqual([
    'media',
  ])
  expect(existsSync(join(folder, 'media', 'c.webp'))).toBe(true)
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
