/** @module-tag long */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupList } from '#contract/backups.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { createApp } from '#server/api/app.ts'
import type { Backup } from '#server/backup/backup-files.ts'
import { createBackups, type Backups } from '#server/backup/backups.ts'
import { isWeekly, noLongerKept } from '#server/backup/retention.ts'
import { createNightly } from '#server/backup/nightly.ts'
import { leftOut } from '#server/backup/manifest.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { examine } from '#server/cli/doctor.ts'
import { readConfig } from '#server/config.ts'
import { appliedMigrations, openAsItIs, openToLook } from '#server/db/as-it-is.ts'
import { createEntry } from '#server/db/entries.ts'
import { DbError } from '#server/db/errors.ts'
import { openFolder } from '#server/images/folder.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb, type DbTarget, type OpenedDb } from '#server/db/open.ts'
import { openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines, freshFolder, freshTarget, openForTest, openOld } from '#tests/support/database.ts'
import { dieAtEnv, type Step } from '#tests/support/die-at.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { freePort } from '#tests/support/free-port.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { startOwnPostgres } from '#tests/support/postgres.ts'
import { canMount, openSmallDisk } from '#tests/support/small-disk.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'
import { within } from '#tests/support/within.ts'

vi.setConfig({ testTimeout: 180_000 })

const [section] = sections as readonly [Section, ...Section[]]
const now = new Date('2031-03-02T10:00:00Z')
const backedUp = 'Lucía «la de siempre»'

/** A site with something of everything, and its only backup. */
async function filledSite(engine: 'sqlite' | 'postgres') {
  const app = await openApp({ engine })
  const { services, asOwner, call } = app
  const picture = await services.images.put({
    type: section.images?.type ?? '',
    name: 'New/project_1',
    body: streamOf((await colourSquare('#c33')).buffer),
  })
  const alt = 'Un cuadrado rojo'
  const values = completeValues(section, { name: 'Con imagen', [imageField]: picture.url, alt })
  await asOwner('POST', `${section.key}/create`, { body: values })
  const gone = await asOwner('POST', `${section.key}/create`, { body: values })
  const { id } = gone.json as { readonly id: string }
  await asOwner('DELETE', `${section.key}/delete/${id}`)
  await asOwner('POST', `${section.key}/create`, { body: { ...values, hidden: 'true' } })
  await asOwner('PUT', 'config', { body: { age_text: 'línea\u2028separada' } })
  const person = { name: backedUp, image: picture.url, alt }
  await asOwner('PUT', 'person/update/1', { body: person })
  const message = { name: 'Eva', email: 'eva@example.com', message: 'Hola\nmundo 😀' }
  expect((await call('POST', calls.contact, { body: message })).status).toBe(201)
  await services.auth.passkeys.toSignIn({ origin: 'https://l.example', rpId: 'l.example' })
  const { name } = await services.backups.make('hand')
  const file = (await services.backups.find(name)) ?? ''
  return { app, file, picture: picture.url }
}

const imageField =
  Object.entries(section.fields).find(([, { kind }]) => kind === 'image')?.[0] ?? ''

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()

/** Everything a restored site must have, but for what begins another life: all that a backup is of. */
async function contentOf(db: OpenedDb['db']) {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const content: Record<string, readonly string[]> = {}
  for (const table of tables.filter((name) => !leftOut.has(name))) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      db,
    )
    // What each life notes of itself.
    const ownFacts = ['life', 'pictures-of-others']
    const lasting = rows.filter(({ key, kind }) =>
      table === 'job' ? !['push', 'mail'].includes(String(kind)) : !ownFacts.includes(String(key)),
    )
    const anew = { version: 0, rev: 0, ...(table === 'bin' && { removed_at: '' }) }
    content[table] = lasting.map((row) => JSON.stringify({ ...row, ...anew })).toSorted()
  }
  return content
}

/** The bytes of every picture that lies in the folder. */
async function picturesIn(folder: string) {
  const names = (await readdir(folder)).filter((name) => name !== 'tmp')
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')]),
    ),
  ) as Readonly<Record<string, string>>
}

const targetIn = async (engine: 'sqlite' | 'postgres') => {
  const folder = await freshFolder()
  const database: DbTarget =
    engine === 'sqlite'
      ? { engine, file: join(folder, 'tintero.sqlite') }
      : await freshTarget(engine)
  return { database, media: openFolder(join(folder, 'media')), now }
}

/** An address may have words of its own for the server. */
const ofTheServer =
  'application_name=sitio&statement_timeout=0&options=-c%20geqo%3Doff%20-c%20lock_timeout%3D0'

/** Another application keeps a table and a view beside the site's. */
async function shareWithAnother(target: DbTarget): Promise<void> {
  const { db, close } = await openDb(target, 0)
  await sql`create table otra_aplicacion (x integer, version integer)`.execute(db)
  await sql`insert into otra_aplicacion values (1, 7)`.execute(db)
  await sql`create view otra_vista as select 5 as version`.execute(db)
  // In the shape of a section's.
  await sql`create table otra_lista (id text primary key, position integer not null, version integer not null, nombre text not null default '')`.execute(
    db,
  )
  await sql`insert into otra_lista values ('a', 1, 7, 'Ajeno')`.execute(db)
  await close()
}

/** What lies in a server's database beside the restored site; nothing where it is a file. */
async function besideIn(db: OpenedDb['db'], before = '', engine = 'sqlite') {
  if (engine === 'sqlite') return {}
  const another = await sql`select * from otra_aplicacion`.execute(db)
  const person = sql.table(`${before}.person`)
  const aside = await sql<{ name: string }>`select name from ${person}`.execute(db)
  const list = await sql`select version, nombre from otra_lista`.execute(db)
  return { another: [...another.rows, ...list.rows], aside: aside.rows[0]?.name }
}

/** The schemas of a server's database that are not the server's own. */
async function schemasIn(db: OpenedDb['db']) {
  const { rows } = await sql<{
    name: string
  }>`select nspname as name from pg_namespace where nspname !~ '^pg_|^information_schema$' order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** The address of a line to the server that leaves out the schema a connection asks for, as a pooler may. */
async function openPooler(url: string): Promise<string> {
  const address = new URL(url)
  const { hostname, port } = address
  const line = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const end of [client, server]) end.on('error', () => undefined)
    client.once('data', (begin) => {
      const asked = begin.toString('latin1')
      const left = asked.replace(/-c search_path=\w+/, (words) => ' '.repeat(words.length))
      server.write(left, 'latin1')
      client.pipe(server)
    })
    server.pipe(client)
  })
  onTestFinished(() => void line.close())
  address.host = `127.0.0.1:${await listenOnLoopback(line)}`
  return address.href
}

describe.each(engines.flatMap((from) => engines.map((to) => [from, to] as const)))(
  'from %s to %s',
  (from, to) => {
    test('a site put back from the file alone is the same, with its sessions ended and another life', async () => {
      const { app, file, picture } = await filledSite(from)
      const elsewhere = join(await freshFolder(), 'copia.zip')
      await copyFile(file, elsewhere)
      const target = await targetIn(to)
      const { before } = await restoreBackup(elsewhere, target)
      expect(before).toBe(undefined)
      const { db } = await openForTest(target.database)
      expect(await contentOf(db)).toEqual(await contentOf(app.db))
      // However long it lay there when the backup was made: it may be what is wanted back.
      const binned = await db.selectFrom('bin').select('removed_at').execute()
      expect(binned.map(({ removed_at }) => removed_at)).toEqual([now.toISOString()])
      expect(await db.selectFrom('earlier_version').select('kind').execute()).not.toEqual([])
      expect(await db.selectFrom('session').selectAll().execute()).toEqual([])
      expect(await app.db.selectFrom('secret').select('name').execute()).toHaveLength(1)
      expect(await db.selectFrom('secret').select('name').execute()).toEqual([])
      const pictures = await picturesIn(target.media.place)
      expect(Object.keys(pictures)).toContain(picture.replace('/media/', ''))
      expect(pictures).toEqual(await picturesIn(join(app.services.config.dataDir, 'media')))
      const [entry] = await db
        .selectFrom(section.key as 'person')
        .select('version')
        .execute()
      expect(entry?.version).toBeGreaterThan(20_000_000)
    })
  },
)

describe.each(engines)('on %s', (engine) => {
  test('what was there before a restore is put aside, and may be restored over again', async () => {
    const { file } = await filledSite(engine)
    const target = await targetIn(engine)
    const { database } = target
    if (database.engine === 'postgres') {
      target.database = { ...database, url: `${database.url}?${ofTheServer}` }
      await shareWithAnother(target.database)
    }
    for (let round = 0; round < 2; round++) {
      const first = await openDb(target.database, 0)
      await first.db.updateTable('person').set({ name: 'Lo de ahora' }).execute()
      await first.close()
      const moment = new Date(now.getTime() + round * 1000)
      const { before } = await restoreBackup(file, { ...target, now: moment })
      expect(before).toMatch(/before[-_]/)
      const { db, close } = await openDb(target.database)
      const { name } = await db.selectFrom('person').select('name').executeTakeFirstOrThrow()
      expect(name).toBe(backedUp)
      expect(await besideIn(db, before, engine)).toEqual(
        engine === 'postgres'
          ? {
              another: [
                { x: 1, version: 7 },
                { version: 7, nombre: 'Ajeno' },
              ],
              aside: 'Lo de ahora',
            }
          : {},
      )
      await close()
    }
    const to = join(await freshFolder(), 'copia.zip')
    const { tables } = await writeBackup(to, { ...target, reason: 'hand' })
    expect(Object.keys(tables)).toEqual(Object.keys((await verifyBackup(file)).tables))
  })

  test.skipIf(engine === 'sqlite')(
    'what the address asks of the server holds, but for what is ours to say',
    async () => {
      const { database } = await targetIn(engine)
      const url = database.engine === 'postgres' ? `${database.url}?${ofTheServer}` : ''
      const { db } = await openForTest({ engine: 'postgres', url })
      const settings = ['application_name', 'statement_timeout', 'geqo', 'lock_timeout']
      const shown = await Promise.all(settings.map((name) => sql.raw(`show ${name}`).execute(db)))
      expect(Object.assign({}, ...shown.map(({ rows }) => rows[0]))).toEqual({
        application_name: 'tintero',
        statement_timeout: '5s',
        geqo: 'off',
        lock_timeout: '4s',
      })
    },
  )

  test.skipIf(engine === 'sqlite')(
    'over a line that leaves out which schema to fill nothing is restored',
    async () => {
      const { file } = await filledSite(engine)
      const target = await targetIn(engine)
      if (target.database.engine === 'sqlite') return
      const { url } = target.database
      const first = await openForTest(target.database)
      await first.db.updateTable('person').set({ name: 'Lo de ahora' }).execute()
      await first.close()
      const pooled = { ...target.database, url: await openPooler(url) }
      await expect(restoreBackup(file, { ...target, database: pooled })).rejects.toThrow(
        backupTexts.pooled,
      )
      const { db } = await openForTest(target.database)
      expect(await schemasIn(db)).toEqual(['public'])
      expect(await db.selectFrom('person').select('name').execute()).toEqual([
        { name: 'Lo de ahora' },
      ])
    },
  )

  test.skipIf(engine === 'sqlite')(
    'what the site’s own migrations have not made stays where it is, whatever its name',
    async () => {
      const { file } = await filledSite(engine)
      const target = await targetIn(engine)
      if (target.database.engine === 'sqlite') return
      const db = await openAsItIs(target.database)
      onTestFinished(() => db.destroy())
      // Made as a section's tables are.
      await sql`create table otra_lista (id text, position integer, version integer)`.execute(db)
      await sql`create table kysely_migration (name text, timestamp text)`.execute(db)
      await sql`insert into kysely_migration values ('de_otro', '')`.execute(db)
      await sql`create table session (x integer)`.execute(db)
      await db.destroy()
      const names = 'kysely_migration, session'
      await expect(restoreBackup(file, target)).rejects.toThrow(fill(backupTexts.taken, { names }))

      const again = await openAsItIs(target.database)
      onTestFinished(() => again.destroy())
      const { rows } = await sql`
        select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema')
        order by 1`.execute(again)
      const theirs = ['kysely_migration', 'otra_lista', 'session']
      expect(rows).toEqual(theirs.map((name) => ({ name: `public.${name}` })))
      expect(await schemasIn(again)).toEqual(['public'])
      await sql`drop table kysely_migration, session`.execute(again)
      await again.destroy()
      expect(await restoreBackup(file, target)).toMatchObject({ before: undefined })
      const { db: restored } = await openForTest(target.database)
      expect(await sql`select * from otra_lista`.execute(restored)).toMatchObject({ rows: [] })
      expect(await restored.selectFrom('person').select('name').execute()).toEqual([
        { name: backedUp },
      ])
    },
  )

  test.skipIf(engine === 'sqlite')(
    'a new site takes no table of another application’s for its own, whatever its name and shape',
    async () => {
      const { database } = await targetIn(engine)
      const db = await openAsItIs(database)
      onTestFinished(() => db.destroy())
      const fields = Object.keys(section.fields).map((name) => `${name} text not null default ''`)
      const shape = ['id text primary key', 'position integer not null', 'version integer not null']
      await sql.raw(`create table ${section.key} (${[...shape, ...fields].join(', ')})`).execute(db)
      await sql.raw(`insert into ${section.key} values ('a', 1, 7)`).execute(db)
      await expect(openDb(database)).rejects.toThrow(fill(cliTexts.taken, { names: section.key }))
      const { rows } = await sql<{ name: string }>`
        select table_name as name from information_schema.tables
        where table_schema = 'public'`.execute(db)
      expect(rows).toEqual([{ name: section.key }])
      await sql.raw(`alter table ${section.key} rename to otra_lista`).execute(db)
      const site = await openForTest(database)
      expect(await site.db.selectFrom('person').select('id').execute()).toHaveLength(1)
    },
  )

  test.skipIf(engine === 'sqlite')(
    'a site that has just stopped is no site that is served, however long its connections take to go',
    async () => {
      const { file } = await filledSite(engine)
      const target = await targetIn(engine)
      const leaving = await openDb(target.database, 0)
      await leaving.db.selectFrom('person').selectAll().execute()
      const restoring = restoreBackup(file, target)
      // Attached at once: a refusal must not go unheard meanwhile.
      const restored = restoring.then(
        () => 'restored',
        (error: unknown) => String(error),
      )
      await wait(300)
      await leaving.close()
      expect(await restored).toBe('restored')
    },
  )

  test('rows that refer to none that is there hold up no restore, and do not come back', async () => {
    const source = await targetIn('sqlite')
    if (source.database.engine === 'postgres') return
    await (await openDb(source.database, 0)).close()
    const db = new DatabaseSync(source.database.file, { enableForeignKeyConstraints: false })
    db.exec(`
      insert into image (hash, file, bytes, created_at) values ('aquí', 'aquí.webp', 1, '');
      insert into image_alias (name, hash) values ('Project/a', 'aquí'), ('Project/b', 'ausente');
      insert into device (id, kind, address_key, address, label, sign_in_id, created_at, trouble)
        values ('aquí', 'web', '', '{}', '', '', '', '');
      insert into job (id, kind, device_id, payload, state, attempts, due_at, why, created_at)
        select id, 'links', device, '', 'dead', 0, '', '', '' from (
          select 1 as id, null as device union select 2, 'aquí' union select 3, 'ausente')`)
    db.close()
    const file = join(await freshFolder(), 'copia.zip')
    expect(await writeBackup(file, { ...source, reason: 'hand' })).toMatchObject({ loose: 2 })
    expect(await verifyBackup(file)).toMatchObject({ loose: 2 })
    const target = await targetIn(engine)
    await restoreBackup(file, target)
    const { db: restored } = await openForTest(target.database)
    expect(await restored.selectFrom('image_alias').select('name').execute()).toEqual([
      { name: 'Project/a' },
    ])
    expect(await restored.selectFrom('job').select('id').orderBy('id').execute()).toEqual([
      { id: '1' },
      { id: '2' },
    ])
  })

  test('backups taken while it writes are each of one moment', async () => {
    const app = await openApp({ engine, env: { LIMIT_WRITES: '99999/1' } })
    const [a, b] = sections as readonly [Section, Section]
    const stop = new AbortController()
    const writing = (async () => {
      for (let i = 0; !stop.signal.aborted; i++) {
        await wait(5)
        // Both or neither: a backup that has one of them has seen half a write.
        await app.db.transaction().execute(async (t) => {
          const values = { id: crypto.randomUUID(), position: 1000 + i, version: 1 }
          for (const { key } of [a, b]) {
            await t
              .insertInto(key as 'person')
              .values({ ...values, name: `Par ${i}` } as never)
              .execute()
          }
        })
      }
    })()
    for (let round = 0; round < 5; round++) {
      const { name } = await app.services.backups.make('hand')
      const target = await targetIn('sqlite')
      await restoreBackup((await app.services.backups.find(name)) ?? '', target)
      const { db } = await openForTest(target.database)
      const ids = async ({ key }: Section) =>
        (
          await db
            .selectFrom(key as 'person')
            .select('id')
            .orderBy('id')
            .execute()
        ).map(({ id }) => id)
      expect(await ids(a)).toEqual(await ids(b))
      await rm(join(app.services.config.backupDir, name))
    }
    stop.abort()
    await writing
  })
})

test('a byte changed anywhere is told, or changes nothing of what comes back', async () => {
  const { file } = await filledSite('sqlite')
  const bytes = await readFile(file)
  const whole = await verifyBackup(file)
  const damaged = join(await freshFolder(), 'copia.zip')
  const clear = /^UnusableBackup: .*cannot be used as a backup: ./s
  let told = 0
  const step = Math.max(1, Math.floor(bytes.length / 400))
  for (let at = 0; at < bytes.length; at += step) {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 0x41
    await writeFile(damaged, copy)
    const found = await verifyBackup(damaged).catch((error: unknown) => String(error))
    const isTold = typeof found === 'string' && clear.test(found)
    if (isTold) told++
    expect(isTold ? whole : found).toEqual(whole)
  }
  // The rest are the container's own notes, such as the time of each part.
  expect(told).toBeGreaterThan(200)
})

test.each([0.1, 0.5, 0.99])(
  'a file cut off after %d of it is refused, and nothing is changed',
  async (share) => {
    const { file } = await filledSite('sqlite')
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * share)))
    const target = await targetIn('sqlite')
    await expect(restoreBackup(file, target)).rejects.toThrow(/cannot be used as a backup/)
    await expect(readdir(target.media.place)).rejects.toThrow(/ENOENT/)
  },
)

test('of a file whose index lacks rows no backup is made, and what is told mends it', async () => {
  const target = await targetIn('sqlite')
  if (target.database.engine === 'postgres') return
  await (await openDb(target.database, 0)).close()
  const db = new DatabaseSync(target.database.file, { defensive: false })
  db.exec(`
    create index roto on person (name) where name = 'nobody';
    pragma writable_schema = on;
    update sqlite_master set sql = 'create index roto on person (name)' where name = 'roto'`)
  db.close()
  const folder = await freshFolder()
  const make = () => writeBackup(join(folder, 'copia.zip'), { ...target, reason: 'night' })
  const { file } = target.database
  const said = { file, message: 'wrong # of entries in index roto' }
  await expect(make()).rejects.toThrow(fill(backupTexts.unsound, said))
  expect(await readdir(folder)).toEqual([])
  const mending = new DatabaseSync(file)
  mending.exec('REINDEX')
  mending.close()
  await make()
  expect(await readdir(folder)).toEqual(['copia.zip'])
})

test('while its pictures are read, the write-ahead log can be emptied', async () => {
  const { app } = await filledSite('sqlite')
  const { db, services } = app
  const { dataDir } = services.config
  const media = openFolder(join(dataDir, 'media'))
  const emptied: unknown[] = []
  const slowly = {
    ...media,
    read: async (name: string) => {
      await createEntry(db, section, { values: completeValues(section, {}) })
      const { rows } = await sql`pragma wal_checkpoint(truncate)`.execute(db)
      emptied.push(...rows.map((row) => ({ ...(row as object) })))
      return media.read(name)
    },
  }
  const main = await sql<{ file: string }>`pragma database_list`.execute(db)
  const file = main.rows[0]?.file ?? ''
  const to = join(await freshFolder(), 'copia.zip')
  await writeBackup(to, {
    database: { engine: 'sqlite', file },
    media: slowly,
    now,
    reason: 'hand',
  })
  expect(emptied).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
})

/** As a process that was killed leaves it: what was written last is in the log alone. */
function writeAndDie(file: string): void {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const db = new DatabaseSync(${JSON.stringify(file)})
    db.exec("update person set name = 'Lo de antes'; insert into site values ('sample', 'dropped')")
    process.kill(process.pid, 'SIGKILL')`
  runToEnd(process.execPath, ['-e', script])
  expect(existsSync(`${file}-wal`)).toBe(true)
}

/** What a start finds after the restore was killed at the step. */
async function afterKill(step: Step, file: string, { database, folder }: RestoredTo) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: folder,
    ...(database.engine === 'postgres' && { DATABASE_URL: database.url }),
    ...dieAtEnv(step),
  }
  const { signal } = runToEnd(process.execPath, [serverEntry('cli'), 'restore', file], { env })
  return { step, signal, found: await nameIn(database) }
}

interface RestoredTo {
  readonly database: DbTarget
  readonly folder: string
}

/** The name in a site's profile, or why it does not start. */
async function nameIn(database: DbTarget): Promise<string> {
  try {
    const { db, close } = await openDb(database)
    const row = await db.selectFrom('person').select('name').executeTakeFirst()
    await close()
    return row?.name ?? ''
  } catch (error) {
    if (error instanceof DbError) return error.fault
    throw error
  }
}

/** A line to the server that breaks once it has heard that the restored site has its place, before the client hears it. */
async function openDeafLine(url: string): Promise<string> {
  const address = new URL(url)
  const { hostname, port } = address
  const line = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isLast = false
    for (const end of [client, server]) end.on('error', () => undefined)
    server.on('data', (answer) => {
      const words = answer.toString('latin1')
      isLast ||= words.includes('DROP SCHEMA')
      if (isLast && words.includes('COMMIT')) client.destroy()
      else client.write(answer)
    })
    client.pipe(server)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  onTestFinished(() => void line.close())
  address.host = `127.0.0.1:${await listenOnLoopback(line)}`
  return address.href
}

/** What gives the restored site its place on PostgreSQL. */
const lastCommit: Omit<Step, 'side'> = {
  call: 'query',
  about: '^commit$',
  past: '^drop schema "tintero_restoring"$',
}

/** Each step stands for the time until the next. */
describe('a restore that is killed', () => {
  const inPlace: readonly Step[] = [
    { call: 'writeFile', about: '\\.used$', side: 'after' },
    { call: 'rename', about: '\\.restoring$', side: 'after' },
  ]

  test('leaves the site of before until the restored one has its place', async () => {
    const { file } = await filledSite('sqlite')
    const steps: readonly Step[] = [
      { call: 'rename', about: '/media/tmp/', side: 'after' },
      { call: 'link', about: 'tintero\\.sqlite$', side: 'after' },
      ...inPlace,
    ]
    for (const step of steps) {
      const folder = await freshFolder()
      const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
      await (await openDb(database, 0)).close()
      writeAndDie(database.file)
      const found = step === steps.at(-1) ? backedUp : 'Lo de antes'
      expect(await afterKill(step, file, { database, folder })).toEqual({
        step,
        signal: 'SIGKILL',
        found,
      })
    }
  })

  test('never leaves an empty site where one was damaged, and can be done again', async () => {
    const { file } = await filledSite('sqlite')
    const steps: readonly Step[] = [
      { call: 'rename', about: 'tintero\\.sqlite$', side: 'after' },
      ...inPlace,
    ]
    for (const step of steps) {
      const folder = await freshFolder()
      const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
      await (await openDb(database, 0)).close()
      await writeFile(database.file, Buffer.alloc(40_960, 7))
      const found = step === steps.at(-1) ? backedUp : 'damaged'
      expect(await afterKill(step, file, { database, folder })).toEqual({
        step,
        signal: 'SIGKILL',
        found,
      })
      await restoreBackup(file, { database, media: openFolder(join(folder, 'media')), now })
      expect(await nameIn(database)).toBe(backedUp)
    }
  })

  /** What doctor says of a restore. */
  async function doctorSays(env: Readonly<Record<string, string>>) {
    const { lines } = await examine(() => readConfig(env), { version: '24.15.0', now })
    return lines.filter((line) => line.includes('restauración'))
  }

  const foldersIn = async (folder: string) =>
    (await readdir(folder)).filter((name) => name.startsWith('before-'))

  test.each(['sound', 'damaged'] as const)(
    'is said by doctor and the next start, which leave nothing of it that nobody is told of: over a %s file',
    async (kind) => {
      const { file: backup } = await filledSite('sqlite')
      const firsts: Readonly<Record<typeof kind, readonly Step[]>> = {
        sound: [
          { call: 'mkdir', about: 'before-', side: 'after' },
          { call: 'link', about: 'tintero\\.sqlite$', side: 'after' },
        ],
        damaged: [
          { call: 'copyFile', about: '\\.used$', side: 'after' },
          { call: 'rename', about: 'tintero\\.sqlite-wal$', side: 'after' },
          { call: 'rename', about: 'tintero\\.sqlite$', side: 'after' },
        ],
      }
      for (const step of [...firsts[kind], ...inPlace]) {
        const folder = await freshFolder()
        const env = { DATA_DIR: folder, PORT: String(await freePort()) }
        const file = join(folder, 'tintero.sqlite')
        const database = { engine: 'sqlite', file } as const
        await (await openDb(database, 0)).close()
        writeAndDie(file)
        const isSound = kind === 'sound'
        const log = await readFile(`${file}-wal`)
        const junk = Buffer.alloc(40_960, 7)
        if (!isSound) await writeFile(file, junk)
        const isDone = step === inPlace.at(-1)
        const former = isSound ? 'Lo de antes' : 'damaged'
        expect(await afterKill(step, backup, { database, folder })).toEqual({
          step,
          signal: 'SIGKILL',
          found: isDone ? backedUp : former,
        })
        const [aside = ''] = await foldersIn(folder)
        const before = join(folder, aside)
        const { brokenOffAway, brokenOffDone, brokenOffFile, brokenOffRemoved } = backupTexts
        const made = { file: `${file}.restoring` }
        const undone = existsSync(file)
          ? `✗ ${fill(brokenOffFile, made)}`
          : `✗ ${fill(brokenOffAway, { before })}`
        const told = isDone ? `! ${fill(brokenOffDone, { before })}` : undone
        expect({ step, said: await doctorSays(env) }).toEqual({ step, said: [told] })

        const started = await startServer(env, serverEntry('calls-server')).then(
          async (site) => {
            await expect.poll(site.logs).toContain('restore-')
            expect(await site.stop()).toBe(0)
            return site.logs()
          },
          (error: unknown) => String(error),
        )
        const named = join(folder, aside.replace('.restoring', ''))
        expect(started).toContain(
          isDone ? fill(brokenOffDone, { before: named }) : fill(brokenOffRemoved, made),
        )
        expect(await foldersIn(folder)).toEqual(isDone ? [basename(named)] : [])
        const kept = isDone ? join(named, 'tintero.sqlite') : file
        const keptIs = isSound
          ? await nameIn({ engine: 'sqlite', file: kept })
          : [await readFile(kept), await readFile(`${kept}-wal`)]
        expect({ step, keptIs }).toEqual({ step, keptIs: isSound ? 'Lo de antes' : [junk, log] })
        const [, refused = ''] = cliTexts.damaged.split('{message}')
        expect(started.includes(refused)).toBe(!isSound && !isDone)
        expect(await doctorSays(env)).toEqual([])
        expect((await readdir(folder)).filter((name) => name.includes('restoring'))).toEqual([])
      }
    },
  )

  test('once done tells the next restore, too, where the site of before is', async () => {
    const { file: backup } = await filledSite('sqlite')
    const folder = await freshFolder()
    const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
    await (await openDb(database, 0)).close()
    writeAndDie(database.file)
    await afterKill(inPlace.at(-1) as Step, backup, { database, folder })
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
    const again = runToEnd(process.execPath, [serverEntry('cli'), 'restore', backup], {
      env,
      encoding: 'utf8',
    })
    expect(again.status).toBe(0)
    const [first = '', second = ''] = (await foldersIn(folder)).toSorted()
    const at = (name: string) => ({ before: join(folder, name) })
    expect(again.stdout.split('\n')).toEqual([
      fill(backupTexts.brokenOffDone, at(first)),
      expect.stringContaining('El sitio volvió'),
      fill(backupTexts.before, at(second)),
      '',
    ])
    const old = { engine: 'sqlite', file: join(folder, first, 'tintero.sqlite') } as const
    expect(await nameIn(old)).toBe('Lo de antes')
  })

  test('once done is told also by a restore that then fails', async () => {
    const { file: backup } = await filledSite('sqlite')
    const folder = await freshFolder()
    const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
    await (await openDb(database, 0)).close()
    writeAndDie(database.file)
    await afterKill(inPlace.at(-1) as Step, backup, { database, folder })
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
    // In the way of the pictures.
    await rm(join(folder, 'media'), { recursive: true })
    await writeFile(join(folder, 'media'), '')
    const again = runToEnd(process.execPath, [serverEntry('cli'), 'restore', backup], {
      env,
      encoding: 'utf8',
    })
    expect(again.status).toBe(1)
    const names = await foldersIn(folder)
    expect(names).toHaveLength(1)
    const before = join(folder, names[0] ?? '')
    expect(again.stdout).toBe(`${fill(backupTexts.brokenOffDone, { before })}\n`)
    const old = { engine: 'sqlite', file: join(before, 'tintero.sqlite') } as const
    expect(await nameIn(old)).toBe('Lo de antes')
  })

  test.skipIf(!engines.includes('postgres'))(
    'on PostgreSQL once done is told by doctor, and by the next start or restore',
    async () => {
      const { file } = await filledSite('sqlite')
      const folder = await freshFolder()
      const { database, media } = await targetIn('postgres')
      const first = await openDb(database, 0)
      await first.db.updateTable('person').set({ name: 'Lo de antes' }).execute()
      await first.close()
      const url = database.engine === 'postgres' ? database.url : ''
      const env = { DATA_DIR: folder, DATABASE_URL: url, PORT: String(await freePort()) }
      const step: Step = { ...lastCommit, side: 'after' }
      const asides: string[] = []
      const untilStarted = async (told: string) => {
        const site = await startServer(env, serverEntry('calls-server'))
        onTestFinished(async () => void (await site.stop('SIGKILL')))
        await expect.poll(site.logs).toContain(told)
        return site.stop()
      }
      const untilRestored = async () => {
        const told: string[] = []
        const tell = (before: string) => void told.push(before)
        await restoreBackup(file, { database, media, now, tell })
        return told.join(', ')
      }
      for (const next of [untilStarted, untilRestored]) {
        const killed = await afterKill(step, file, { database, folder })
        expect(killed).toEqual({ step, signal: 'SIGKILL', found: backedUp })
        const { db, close } = await openDb(database)
        const schemas = await schemasIn(db)
        await close()
        const before = schemas.find((name) => name !== 'public' && !asides.includes(name)) ?? ''
        asides.push(before)
        const told = fill(backupTexts.brokenOffDone, { before })
        await expect.poll(() => doctorSays(env)).toEqual([`! ${told}`])
        expect(await next(told)).toBe(next === untilStarted ? 0 : before)
        expect(await doctorSays(env)).toEqual([])
      }
      const { db } = await openForTest(database)
      const person = sql.table(`${asides[0]}.person`)
      const { rows } = await sql<{ name: string }>`select name from ${person}`.execute(db)
      expect(rows).toEqual([{ name: 'Lo de antes' }])
    },
  )

  test.skipIf(!engines.includes('postgres'))(
    'on PostgreSQL leaves the old content or the new one, and says which, wherever the server is lost',
    async () => {
      const { file } = await filledSite('sqlite')
      const made: Omit<Step, 'side'> = {
        call: 'query',
        about: '^create schema "tintero_restoring"',
      }
      const moved: Omit<Step, 'side'> = {
        call: 'query',
        about: '^alter table "public".* set schema',
      }
      const steps: readonly Step[] = [
        { ...made, side: 'before' },
        { ...made, side: 'after' },
        { call: 'query', about: '^insert into "image"', side: 'after' },
        { call: 'rename', about: '/media/tmp/', side: 'after' },
        { ...moved, side: 'after' },
        { call: 'query', about: '^drop schema "tintero_restoring"$', side: 'after' },
        { ...lastCommit, side: 'before' },
        { ...lastCommit, side: 'after' },
      ]
      const postgres = await startOwnPostgres()
      if (!postgres) throw new Error('PostgreSQL went missing')
      onTestFinished(() => postgres.stop())
      const database = { engine: 'postgres', url: postgres.url } as const
      const first = await openDb(database, 0)
      await first.db.updateTable('person').set({ name: 'Lo de antes' }).execute()
      await first.close()
      for (const step of steps) {
        const folder = await freshFolder()
        const env = {
          PATH: process.env['PATH'] ?? '',
          DATA_DIR: folder,
          DATABASE_URL: postgres.url,
        }
        const run = (more = {}) => {
          const args = [serverEntry('cli'), 'restore', file]
          const { status, stdout, stderr } = runToEnd(process.execPath, args, {
            env: { ...env, ...more },
            encoding: 'utf8',
          })
          return { status, said: stdout + stderr }
        }
        const isDone = step === steps.at(-1)
        const lost = run(dieAtEnv(step, postgres.pid()))
        await postgres.startAgain()
        const { lostMeanwhile, restored, unknownEnd } = backupTexts
        const sentence = isDone ? restored : step === steps.at(-2) ? unknownEnd : lostMeanwhile
        const [begin = '', , end = ''] = sentence.split(/\{(\w+)\}/)
        expect({ step, ...lost, found: await nameIn(database) }).toEqual({
          step,
          status: Number(!isDone),
          said: expect.stringMatching(
            new RegExp(`^${RegExp.escape(begin)}.*${RegExp.escape(end)}.*\n`),
          ) as string,
          found: isDone ? backedUp : 'Lo de antes',
        })
        const said = await doctorSays({ ...env, PORT: String(await freePort()) })
        const isMade = step !== steps[0] && !isDone
        const { db, close } = await openDb(database)
        const schemas = await schemasIn(db)
        await close()
        const before = schemas.find((name) => name.startsWith('before')) ?? ''
        const told = isDone
          ? [`! ${fill(backupTexts.brokenOffDone, { before })}`]
          : isMade
            ? [`✗ ${fill(backupTexts.brokenOff, { schema: 'tintero_restoring' })}`]
            : []
        expect({ step, said }).toEqual({ step, said: told })
      }
    },
  )

  test.skipIf(!engines.includes('postgres'))(
    'on PostgreSQL is done where the answer to its last word is lost, and says so',
    async () => {
      const { file } = await filledSite('sqlite')
      const target = await targetIn('postgres')
      if (target.database.engine === 'sqlite') return
      const first = await openDb(target.database, 0)
      await first.close()
      const url = await openDeafLine(target.database.url)
      const { before } = await restoreBackup(file, {
        ...target,
        database: { ...target.database, url },
      })
      expect(before).toMatch(/^before_/)
      expect(await nameIn(target.database)).toBe(backedUp)
      const { db } = await openForTest(target.database)
      expect(await schemasIn(db)).toEqual([before, 'public'])
    },
  )

  test.skipIf(!engines.includes('postgres'))(
    'leaves the site of before on PostgreSQL, and can be done again',
    async () => {
      const { file } = await filledSite('sqlite')
      const folder = await freshFolder()
      const { database, media } = await targetIn('postgres')
      const first = await openDb(database, 0)
      await first.db.updateTable('person').set({ name: 'Lo de antes' }).execute()
      await first.close()
      const steps: readonly Step[] = [
        { call: 'query', about: '^create schema "tintero_restoring"', side: 'after' },
        { call: 'query', about: '^insert into "image"', side: 'after' },
        { call: 'rename', about: '/media/tmp/', side: 'after' },
        { call: 'query', about: '^drop schema "tintero_restoring"$', side: 'before' },
      ]
      const schema = 'tintero_restoring'
      const url = database.engine === 'postgres' ? database.url : ''
      const env = { DATA_DIR: folder, DATABASE_URL: url, PORT: String(await freePort()) }
      const doctor = async () => {
        const { lines } = await examine(() => readConfig(env), { version: '24.15.0', now })
        return lines.filter((line) => line.includes('restaura'))
      }
      const brokenOff = fill(backupTexts.brokenOff, { schema })
      for (const step of steps) {
        expect(await afterKill(step, file, { database, folder })).toEqual({
          step,
          signal: 'SIGKILL',
          found: 'Lo de antes',
        })
        // The server may still be noticing that the process is gone.
        await expect.poll(doctor).toEqual([`✗ ${brokenOff}`])
      }
      const site = await startServer(env, serverEntry('calls-server'))
      onTestFinished(async () => void (await site.stop('SIGKILL')))
      await expect.poll(site.logs).toContain(brokenOff)
      expect(await site.stop()).toBe(0)
      const said: unknown[] = []
      // Whoever only looks at the site while it is restored does not serve it.
      const watched: typeof media = {
        ...media,
        async write(files) {
          const looking = await openToLook(database)
          onTestFinished(() => looking.destroy())
          said.push(...(await doctor()), await appliedMigrations(looking))
          await media.write(files)
        },
      }
      await rm(media.place, { recursive: true, force: true })
      const { before } = await restoreBackup(file, { database, media: watched, now })
      expect(said.slice(0, 2)).toEqual([`! ${doctorTexts.restoring}`, expect.any(Array)])
      expect(await nameIn(database)).toBe(backedUp)
      expect(await doctor()).toEqual([])
      const { db } = await openForTest(database)
      expect(await schemasIn(db)).toEqual([before, 'public'])
    },
  )
})

describe.each(engines)('a restore on %s', (engine) => {
  async function namedTarget() {
    const target = await targetIn(engine)
    const { db, close } = await openDb(target.database, 0)
    await db.updateTable('person').set({ name: 'Lo de antes' }).execute()
    await close()
    /** The name in what was put aside. */
    const nameAside = async (aside = '') => {
      const { database } = target
      if (database.engine === 'sqlite') {
        return nameIn({ ...database, file: join(aside, 'tintero.sqlite') })
      }
      const opened = await openDb(database)
      const { rows } = await sql<{
        name: string
      }>`select name from ${sql.table(`${aside}.person`)}`.execute(opened.db)
      await opened.close()
      return rows[0]?.name
    }
    return { target, nameAside }
  }

  test('within the second of another loses nothing of what the first put aside', async () => {
    const { file } = await filledSite('sqlite')
    const { target, nameAside } = await namedTarget()
    const asides: (string | undefined)[] = []
    for (let round = 0; round < 3; round++) {
      asides.push((await restoreBackup(file, target)).before)
    }
    expect(new Set(asides).size).toBe(3)
    expect(await Promise.all(asides.map(nameAside))).toEqual(['Lo de antes', backedUp, backedUp])
  })

  test('beside another one is refused in a sentence, and the other is whole', async () => {
    const { app, file } = await filledSite('sqlite')
    const { target, nameAside } = await namedTarget()
    const ends = await Promise.allSettled([
      restoreBackup(file, target),
      restoreBackup(file, target),
    ])
    const [made] = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
    expect(refused).toEqual([expect.stringMatching(/Otro proceso|Otra restauración/)])
    expect(await nameAside(made?.before)).toBe('Lo de antes')
    const { db } = await openForTest(target.database)
    expect(await contentOf(db)).toEqual(await contentOf(app.db))
  })
})

test('what the command puts back is its user’s alone', async () => {
  const { file } = await filledSite('sqlite')
  const folder = await freshFolder()
  await chmod(folder, 0o755)
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
  const { status } = runToEnd(process.execPath, [serverEntry('cli'), 'restore', file], { env })
  expect(status).toBe(0)
  for (const path of [folder, join(folder, 'tintero.sqlite')]) {
    expect(((await stat(path)).mode & 0o077).toString(8)).toBe('0')
  }
})

test.skipIf(!canMount)(
  'a restore on a full disk changes nothing, and says so in a sentence',
  async () => {
    const { file } = await filledSite('sqlite')
    const disk = openSmallDisk(8, onTestFinished)
    const target = { engine: 'sqlite', file: join(disk.folder, 'tintero.sqlite') } as const
    const first = await openDb(target, 0)
    await first.db.updateTable('person').set({ name: 'Lo de antes' }).execute()
    await first.close()
    disk.fill()
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: disk.folder }
    const child = spawn(process.execPath, [serverEntry('cli'), 'restore', file], { env })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ended = new Promise((resolve) => child.on('exit', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await within(90, 'the end of the command', ended)).toBe(1)
    expect(said).toMatch(/^[^\n]*(?:disco|space|full)[^\n]*\n$/i)
    await disk.empty()
    const { db, close } = await openDb(target)
    const { name } = await db.selectFrom('person').select('name').executeTakeFirstOrThrow()
    expect(name).toBe('Lo de antes')
    await close()
  },
)

test('one that fails at any step leaves the older ones and says so', async () => {
  const app = await openApp()
  const { backups, config } = app.services
  const { lackingPictures: _, loose: _2, ...first } = await backups.make('night')
  app.pass(dayMs)
  const picture = await app.services.images.put({
    type: section.images?.type ?? '',
    name: 'New/project_1',
    body: streamOf((await colourSquare('#c33')).buffer),
  })
  // A picture that cannot be read.
  const file = join(config.dataDir, 'media', picture.url.replace('/media/', ''))
  await rm(file)
  await mkdir(file)
  await expect(backups.make('night')).rejects.toThrow(/EISDIR/)
  expect(await backups.list()).toEqual([first])
  expect(backups.failure?.why).toBe('other')
  expect(await readdir(config.backupDir)).toEqual([first.name])
  expect(app.events).toContainEqual(expect.objectContaining({ event: 'backup-failed' }))
})

test('pictures that were lost before do not keep the rest from being backed up', async () => {
  const { app, picture } = await filledSite('sqlite')
  await rm(join(app.services.config.dataDir, 'media', picture.replace('/media/', '')))
  app.pass(1000)
  const { name } = await app.services.backups.make('hand')
  const { missing } = await verifyBackup((await app.services.backups.find(name)) ?? '')
  expect(missing).toEqual([picture.replace('/media/', '')])
  expect(app.events).toContainEqual(
    expect.objectContaining({ event: 'backup-without-pictures', missing: 1 }),
  )
})

test('rows that refer to none that is there are logged with the backup that tells them', async () => {
  const { db, services, events } = await openApp()
  await sql`pragma foreign_keys = off`.execute(db)
  await db.insertInto('image_alias').values({ name: 'Project/a', hash: 'ausente' }).execute()
  const { name } = await services.backups.make('hand')
  expect(events).toContainEqual({ event: 'backup-loose-rows', name, loose: 1 })
})

test.skipIf(!canMount)('on a full disk the older one stays, and it says why', async () => {
  const disk = openSmallDisk(16, onTestFinished)
  const app = await openApp({ env: { BACKUP_DIR: join(disk.folder, 'copias') } })
  const { backups } = app.services
  const { lackingPictures: _, loose: _2, ...first } = await backups.make('night')
  disk.fill()
  app.pass(dayMs)
  await expect(backups.make('night')).rejects.toThrow(/ENOSPC/)
  expect(await backups.list()).toEqual([first])
  expect(backups.failure?.why).toBe('full')
  const answer = await app.asOwner('GET', ownerCalls.backups)
  expect(answer.json).toMatchObject({
    status: {
      trouble: { is: 'failed', reason: 'night', why: 'full' },
      lastGood: first.madeAt.toISOString(),
    },
    backups: [{ name: first.name }],
  })
  await disk.empty()
  await backups.make('night')
  expect(backups.failure).toBe(undefined)
})

describe('which are kept', () => {
  const today = new Date('2031-03-30T03:00:00Z')
  const made = (daysAgo: number, reason: Backup['reason'] = 'night'): Backup => ({
    name: `${reason}-${daysAgo}`,
    madeAt: new Date(today.getTime() - daysAgo * dayMs),
    reason,
    bytes: 1,
    state: 'whole',
    lacking: 0,
  })

  test('of a year of nights seven days and four weeks stay', () => {
    const all = Array.from({ length: 365 }, (_, i) => made(i))
    const gone = new Set(noLongerKept(all, today))
    const kept = all.filter((each) => !gone.has(each)).map(({ name }) => name)
    expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 14, 21].map((n) => `night-${n}`))
  })

  test('one stays for its week when seven days have newer ones', () => {
    const all = Array.from({ length: 9 }, (_, i) => made(i - 1))
    const weekly = all.filter((each) => isWeekly(each, all, today)).map(({ name }) => name)
    // The one of tomorrow stands for none of them, and one made for another reason says that.
    expect(weekly).toEqual(['night-7'])
    const byHand = made(7, 'hand')
    expect(isWeekly(byHand, [...all.slice(0, 8), byHand], today)).toBe(false)
  })

  test('one made before a mistake does not go for one made after it, until a day later', () => {
    const all = [made(0, 'hand'), made(0.1, 'hand'), made(0.2), made(0.9, 'hand'), made(0.95)]
    expect(noLongerKept(all, today)).toEqual([])
    const tomorrow = new Date(today.getTime() + dayMs)
    const gone = noLongerKept(all, tomorrow).map(({ name }) => name)
    expect(gone).toEqual(['hand-0.1', 'hand-0.9', 'night-0.95'])
  })

  test('the night’s goes for one that was made within the hour', () => {
    const all = [made(0.01, 'hand'), made(0.02), made(0.03, 'hand')]
    expect(noLongerKept(all, today).map(({ name }) => name)).toEqual(['night-0.02'])
  })

  test('nights without one cost none of the older ones', () => {
    const all = [50, 51, 60, 70].map((n) => made(n))
    expect(noLongerKept(all, today)).toEqual([])
  })

  test('those whose moment is yet to come take no place of another, and stay', () => {
    const all = Array.from({ length: 365 }, (_, i) => made(i - 30))
    const gone = new Set(noLongerKept(all, today))
    const kept = all.filter((each) => !gone.has(each)).map(({ name }) => name)
    const ahead = Array.from({ length: 30 }, (_, i) => `night-${i - 30}`)
    expect(kept).toEqual([...ahead, ...[0, 1, 2, 3, 4, 5, 6, 7, 14, 21].map((n) => `night-${n}`)])
  })

  test('the last before an update stays however many came after', () => {
    const all = [...Array.from({ length: 60 }, (_, i) => made(i)), made(61, 'update')]
    expect(noLongerKept(all, today).map(({ name }) => name)).not.toContain('update-61')
  })
})

describe('at night', () => {
  async function openNights() {
    const app = await openApp()
    const alarms: Date[] = []
    const { now: clock, log } = app.services
    const folder = app.services.config.backupDir
    const site = { database: await freshTarget('sqlite'), media: openFolder('') }
    const look = (backups = app.services.backups) =>
      createNightly({ ...app.services, backups, notify: async () => alarms.push(clock()) > 0 })
    const broken = createBackups({ ...site, folder, now: clock, log })
    return { app, alarms, look, broken }
  }

  test('one is made once, and again the next night', async () => {
    const { app, look } = await openNights()
    const looking = look()
    for (let hour = 0; hour < 48; hour++) {
      await looking()
      app.pass(hourMs)
    }
    const list = await app.services.backups.list()
    expect(list.map(({ reason }) => reason)).toEqual(['night', 'night', 'night'])
  })

  test('one from a clock that was ahead stands for no night that follows, and is said', async () => {
    const { app, alarms, look } = await openNights()
    const { backups, config } = app.services
    const status = async () => (await app.asOwner('GET', ownerCalls.backupStatus)).json
    const looking = look()
    const yearMs = 365 * dayMs
    app.pass(yearMs)
    await looking()
    const [ahead] = await backups.list()
    const at = ahead?.madeAt.toISOString() ?? ''
    // The next one was begun then, and killed.
    const left = join(config.backupDir, '.tintero-left.partial')
    await writeFile(left, 'half')
    await utimes(left, app.services.now(), app.services.now())
    app.pass(-yearMs)
    expect(await status()).toEqual({ trouble: { is: 'ahead', at }, lastGood: null })
    await looking()
    const [, tonight] = await backups.list()
    expect(tonight?.reason).toBe('night')
    expect(await readdir(config.backupDir)).toHaveLength(2)
    const lastGood = tonight?.madeAt.toISOString()
    expect(await status()).toEqual({ trouble: { is: 'ahead', at }, lastGood })
    app.pass(3 * dayMs)
    expect(await status()).toEqual({ trouble: { is: 'overdue' }, lastGood })
    expect(alarms).toEqual([])
  })

  test('while the older ones are still being read through, the next look begins no other one', async () => {
    const { app, look } = await openNights()
    const { backups } = app.services
    await backups.make('night')
    app.pass(dayMs)
    const end = Promise.withResolvers<void>()
    const check: Backups['check'] = async (which) => {
      await end.promise
      return backups.check(which)
    }
    const looking = look({ ...backups, check })
    const first = looking()
    app.pass(600_000)
    await Promise.race([looking(), wait(1_000)])
    expect(await backups.list()).toHaveLength(1)
    end.resolve()
    await first
    expect(await backups.list()).toHaveLength(2)
  })

  test('a failed one rings once a night and is tried again every hour', async () => {
    const { app, alarms, look, broken } = await openNights()
    const looking = look(broken)
    for (let minutes = 0; minutes < 12 * 60; minutes += 10) {
      await looking()
      app.pass(600_000)
    }
    expect(alarms).toHaveLength(1)
    const tries = () => app.events.filter(({ event }) => event === 'backup-failed').length
    expect(tries()).toBeGreaterThan(5)
    expect(tries()).toBeLessThan(14)
    // The clock was ahead until now.
    const before = tries()
    app.pass(-7 * dayMs)
    await looking()
    expect(tries()).toBe(before + 1)
  })
})

test('before tables with content are changed a backup is made, and without it nothing is changed', async () => {
  const folder = await freshFolder()
  const target: DbTarget = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') }
  const made: string[] = []
  const latest = Object.keys(allMigrations('sqlite'))
  await (await openOld(target, latest.at(-2) ?? '')).destroy()
  const refused = openDb(target, 0, async () => {
    throw new Error('no room')
  })
  await expect(refused).rejects.toThrow('no room')
  const old = await openDb(target, 0, async () => void made.push('old'))
  expect(made).toEqual(['old'])
  await old.close()
  const upToDate = await openDb(target, 0, async () => void made.push('up to date'))
  expect(made).toEqual(['old'])
  await upToDate.close()
})

test('only the owner lists, makes and takes backups', async () => {
  const app: TestApp = await openApp()
  for (const [method, path] of [
    ['GET', ownerCalls.backups],
    ['POST', ownerCalls.backups],
    ['GET', `${ownerCalls.backups}/x`],
  ] as const) {
    expect((await app.call(method, path)).status).toBe(401)
  }
  const made = await app.asOwner('POST', ownerCalls.backups)
  expect(made.status).toBe(201)
  const { name } = made.json as Backup
  const headers = { authorization: `Bearer${app.token}` }
  const file = await createApp(app.services).request(`/api/${ownerCalls.backups}/${name}`, {
    headers,
  })
  expect(file.headers.get('cache-control')).toBe('private, no-store')
  const kept = await readFile(join(app.services.config.backupDir, name))
  expect(Buffer.from(await file.arrayBuffer()).equals(kept)).toBe(true)
  for (const wrong of ['..%2F..%2Ftintero.sqlite', 'tintero.sqlite', `${name}.partial`]) {
    expect((await app.asOwner('GET', `${ownerCalls.backups}/${wrong}`)).status).toBe(404)
    expect((await app.asOwner('POST', `${ownerCalls.backups}/${wrong}/link`)).status).toBe(404)
  }
})

describe('the address that a browser downloads from', () => {
  async function openDownload() {
    const app = await openApp()
    const { name } = await app.services.backups.make('hand')
    const { json, status } = await app.asOwner('POST', `${ownerCalls.backups}/${name}/link`)
    expect(status).toBe(201)
    const { path } = json as { readonly path: string }
    const api = createApp(app.services)
    const get = (given = path, headers: Record<string, string> = {}) =>
      api.request(`/api/${given}`, { headers })
    const bytes = await readFile(join(app.services.config.backupDir, name))
    return { app, api, name, path, get, bytes }
  }

  test('opens the one file without a session, for ten minutes and not after signing out', async () => {
    const { app, name, path, get, bytes } = await openDownload()
    const whole = await get()
    expect(whole.status).toBe(200)
    expect(whole.headers.get('cache-control')).toBe('private, no-store')
    expect(whole.headers.get('content-length')).toBe(String(bytes.length))
    expect(whole.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const { name: another } = await app.services.backups.make('update')
    expect((await get(path.replace(name, another))).status).toBe(401)
    expect((await get(path.slice(0, -1))).status).toBe(401)
    expect((await get(`${ownerCalls.backups}?${path.split('?')[1]}`)).status).toBe(401)
    app.pass(9 * minuteMs)
    expect((await get()).status).toBe(200)
    app.pass(minuteMs)
    expect((await get()).status).toBe(401)
    const { path: fresh } = (await app.asOwner('POST', `${ownerCalls.backups}/${another}/link`))
      .json as { readonly path: string }
    expect((await get(fresh)).status).toBe(200)
    await app.asOwner('POST', ownerCalls.logout)
    expect((await get(fresh)).status).toBe(401)
  })

  test('opens nothing more once a clock that was ahead is set right', async () => {
    const { app, name, get } = await openDownload()
    app.pass(6 * dayMs)
    const { json } = await app.asOwner('POST', `${ownerCalls.backups}/${name}/link`)
    const { path } = json as { readonly path: string }
    expect((await get(path)).status).toBe(200)
    app.pass(-6 * dayMs)
    expect((await get(path)).status).toBe(401)
  })

  test('opens nothing else: no link of it sets the site up or a password', async () => {
    const { app, path } = await openDownload()
    const token = path.split('ticket=')[1] ?? ''
    for (const given of [token, `${token}/${path.split('/')[1]?.split('?')[0]}`]) {
      expect(await app.services.auth.linkPurpose(given)).toBe(undefined)
    }
  })

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=100-', 206, 100, undefined],
    ['bytes=-7', 206, -7, undefined],
    ['bytes=0-99999999', 206, 0, undefined],
    ['bytes=9-3', 200, 0, undefined],
    ['bytes=0-1,4-5', 200, 0, undefined],
    ['lines=0-1', 200, 0, undefined],
  ] as const)('sends %s as a browser asks that goes on', async (range, status, from, to) => {
    const { get, bytes } = await openDownload()
    const part = await get(undefined, { range })
    expect(part.status).toBe(status)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to))).toBe(true)
    const start = from < 0 ? bytes.length + from : from
    const said = `bytes ${start}-${(to ?? bytes.length) - 1}/${bytes.length}`
    expect(part.headers.get('content-range')).toBe(status === 206 ? said : null)
  })

  test('begins anew when the file is another one, and refuses a part behind its end', async () => {
    const { get, api, path, bytes } = await openDownload()
    const etag = (await get()).headers.get('etag') ?? ''
    const range = 'bytes=5-'
    expect((await get(undefined, { range, 'if-range': etag })).status).toBe(206)
    expect((await get(undefined, { range, 'if-range': '"other"' })).status).toBe(200)
    const behind = await get(undefined, { range: `bytes=${bytes.length}-` })
    expect(behind.status).toBe(416)
    expect(behind.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    const head = await api.request(`/api/${path}`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('is of none any more once it has been let go, even when it was found a moment ago', async () => {
    const { app, get, name } = await openDownload()
    const { backups } = app.services
    const file = (await backups.find(name)) ?? ''
    vi.spyOn(backups, 'find').mockImplementation(async () => {
      await rm(file, { force: true })
      return file
    })
    const answer = await get()
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'no-encontrado' })
  })

  test('says in the log why what the disk no longer reads broke off', async () => {
    const { app, get, name } = await openDownload()
    // A folder can be opened and not read.
    vi.spyOn(app.services.backups, 'find').mockResolvedValue(app.services.config.backupDir)
    await expect((await get()).arrayBuffer()).rejects.toThrow(/EISDIR/)
    expect(app.events).toContainEqual(
      expect.objectContaining({ event: 'backup-broke-off', name }) as unknown,
    )
  })

  test('says so in the log and to its reader at once when the file is cut short meanwhile', async () => {
    const { app, get, name } = await openDownload()
    const file = join(app.services.config.backupDir, name)
    await appendFile(file, Buffer.alloc(1_000_000))
    const reader = (await get()).body?.getReader()
    await reader?.read()
    await truncate(file, 100)
    const readOn = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(readOn()).rejects.toThrow(/bytes too early/)
    expect(app.events).toContainEqual(
      expect.objectContaining({ event: 'backup-broke-off', name }) as unknown,
    )
  })

  test('hands out also what the disk has emptied', async () => {
    const { app, get, name } = await openDownload()
    await writeFile(join(app.services.config.backupDir, name), '')
    const answer = await get()
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('a file that the disk has changed', () => {
  async function withDamage() {
    const app = await openApp()
    const { backups, config } = app.services
    const older = await backups.make('night')
    app.pass(dayMs)
    const newest = await backups.make('night')
    const file = join(config.backupDir, newest.name)
    const bytes = await readFile(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(file, bytes)
    const listed = async () => {
      const { json } = await app.asOwner('GET', ownerCalls.backups)
      return json as { backups: { name: string; state: string }[]; status: unknown }
    }
    return { app, backups, older, newest, listed }
  }

  test('is found out when the list is looked at, and said', async () => {
    const { app, older, newest, listed } = await withDamage()
    expect((await listed()).backups[0]).toMatchObject({ name: newest.name, state: 'checking' })
    await vi.waitFor(
      async () =>
        expect((await listed()).backups.map(({ state }) => state)).toEqual(['damaged', 'whole']),
      { timeout: 20_000 },
    )
    const status = { trouble: { is: 'damaged' }, lastGood: older.madeAt.toISOString() }
    expect((await listed()).status).toEqual(status)
    expect((await app.asOwner('GET', ownerCalls.backupStatus)).json).toEqual(status)
    expect(app.events).toContainEqual(
      expect.objectContaining({ event: 'backup-damaged', name: newest.name }),
    )
  })

  test('is found out at night, rings, and does not count as one that is kept', async () => {
    const { app, backups, older, newest } = await withDamage()
    const rung: string[] = []
    const { now: clock } = app.services
    const notify = async (_: unknown, what: string) => rung.push(what) > 0
    const look = createNightly({ ...app.services, notify })
    app.pass(dayMs)
    await look()
    await look()
    expect(rung).toEqual(['damaged'])
    const kept = await backups.list()
    expect(kept.map(({ state }) => state)).toEqual(['whole', 'damaged', 'whole'])
    expect(kept.at(-1)?.name).toBe(older.name)
    // In its place, had it been good, the older ones would go one after the other.
    const bad = kept.find(({ name }) => name === newest.name)
    expect(noLongerKept(kept, clock())).not.toContain(bad)
  })
})

describe('deleting one', () => {
  const remove = (app: TestApp, name: string) =>
    app.asOwner('DELETE', `${ownerCalls.backups}/${name}`)
  const listOf = async (app: TestApp) =>
    (await app.asOwner('GET', ownerCalls.backups)).json as BackupList

  test('leaves the others, and never the last that is known to be good', async () => {
    const app = await openApp()
    const { backups, config } = app.services
    const older = await backups.make('night')
    app.pass(dayMs)
    const newer = await backups.make('night')
    expect((await app.call('DELETE', `${ownerCalls.backups}/${older.name}`)).status).toBe(401)
    expect((await listOf(app)).backups.map(({ isNeeded: needed }) => needed)).toEqual([
      false,
      false,
    ])
    expect((await remove(app, older.name)).status).toBe(200)
    expect(await readdir(config.backupDir)).toEqual([newer.name])
    expect((await listOf(app)).backups).toMatchObject([{ name: newer.name, isNeeded: true }])
    expect(refusal(await remove(app, newer.name))).toEqual({ status: 409, code: 'ultima-copia' })
    expect((await remove(app, older.name)).status).toBe(404)
    for (const wrong of ['..%2F..%2Ftintero.sqlite', 'tintero.sqlite']) {
      expect((await remove(app, wrong)).status).toBe(404)
    }
    expect(await readdir(config.backupDir)).toEqual([newer.name])
  })

  test('of one that another process has let go meanwhile is no failure', async () => {
    const app = await openApp()
    const { backups, config, now: clock, log } = app.services
    const older = await backups.make('night')
    app.pass(dayMs)
    await backups.make('night')
    const database = await freshTarget('sqlite')
    const parts = { database, media: openFolder(''), folder: config.backupDir, log, now: clock }
    const other = createBackups(parts)
    await other.check('new')
    const removals = [remove(app, older.name), other.remove(older.name)] as const
    expect([200, 404]).toContain((await removals[0]).status)
    expect(['unknown', expect.objectContaining({ name: older.name })]).toContainEqual(
      await removals[1],
    )
  })

  test('of two that two processes are to delete at once one goes and the other stays', async () => {
    const app = await openApp()
    const { backups, config, now: clock, log } = app.services
    const database = await freshTarget('sqlite')
    const parts = { database, media: openFolder(''), folder: config.backupDir, log, now: clock }
    for (let round = 0; round < 10; round++) {
      const names = []
      for (let made = 0; made < 2; made++) {
        names.push((await backups.make('hand')).name)
        app.pass(1000)
      }
      const [first = '', second = ''] = names
      for (const { name } of await backups.list()) {
        if (!names.includes(name)) await backups.remove(name)
      }
      const other = createBackups(parts)
      await other.check('new')
      const removed = await Promise.all([backups.remove(first), other.remove(second)])
      const left = await backups.list()
      expect(left.map(({ state }) => state)).toEqual(['whole'])
      // The newer one stays wherever both were seen to be going.
      expect(removed.map((each) => each === 'needed')).toEqual(
        [first, second].map((name) => name === left[0]?.name),
      )
      expect(await readdir(config.backupDir)).toEqual([left[0]?.name])
    }
  })

  test('of two neither goes while a process that was killed seems to be deleting the other', async () => {
    const app = await openApp()
    const { backups, config } = app.services
    const older = await backups.make('night')
    app.pass(dayMs)
    const newer = await backups.make('night')
    await writeFile(join(config.backupDir, `.${newer.name}-${crypto.randomUUID()}.going`), '')
    expect(refusal(await remove(app, older.name))).toEqual({ status: 409, code: 'ultima-copia' })
    expect(await backups.list()).toHaveLength(2)
  })

  test('of two the good one stays when the other turns out damaged, which goes', async () => {
    const app = await openApp()
    const { backups, config } = app.services
    const older = await backups.make('night')
    app.pass(dayMs)
    const newer = await backups.make('night')
    const file = join(config.backupDir, newer.name)
    await writeFile(file, (await readFile(file)).subarray(1000))
    // Nobody has looked at it since.
    expect(refusal(await remove(app, older.name))).toEqual({ status: 409, code: 'ultima-copia' })
    expect((await remove(app, newer.name)).status).toBe(200)
    expect(await readdir(config.backupDir)).toEqual([older.name])
  })

  test('the last complete one stays however many lack pictures', async () => {
    const { app, picture } = await filledSite('sqlite')
    const [complete] = await app.services.backups.list()
    await rm(join(app.services.config.dataDir, 'media', picture.replace('/media/', '')))
    app.pass(dayMs)
    const lacking = await app.services.backups.make('night')
    expect((await remove(app, complete?.name ?? '')).status).toBe(409)
    expect((await remove(app, lacking.name)).status).toBe(200)
  })
})

test('after a restart the newest that lacks pictures does not count as complete', async () => {
  const { app, picture } = await filledSite('sqlite')
  const { backups, config, now: clock, log } = app.services
  const [complete] = await backups.list()
  await rm(join(config.dataDir, 'media', picture.replace('/media/', '')))
  app.pass(dayMs)
  await backups.make('night')
  const { database } = config
  const media = openFolder(join(config.dataDir, 'media'))
  const again = createBackups({ database, media, folder: config.backupDir, now: clock, log })
  const served = createApp({ ...app.services, backups: again })
  const headers = { authorization: `Bearer${app.token}` }
  const answer = await served.request(`/api/${ownerCalls.backupStatus}`, { headers })
  expect(await answer.json()).toEqual({
    trouble: { is: 'incomplete', lacking: 1 },
    lastGood: complete?.madeAt.toISOString(),
  })
  expect((await again.list()).map(({ state }) => state)).toEqual(['checking', 'checking'])
})

test('without one for some days the owner is told, and after another process has made one no longer', async () => {
  const app = await openApp()
  const { backups, config, now: clock, log } = app.services
  const status = async () => (await app.asOwner('GET', ownerCalls.backupStatus)).json
  expect(await status()).toEqual({ trouble: null, lastGood: null })
  const first = await backups.make('night')
  app.pass(3 * dayMs)
  expect(await status()).toEqual({
    trouble: { is: 'overdue' },
    lastGood: first.madeAt.toISOString(),
  })
  await rm(config.backupDir, { recursive: true })
  await writeFile(config.backupDir, 'in the way')
  await expect(backups.make('hand')).rejects.toThrow(/EEXIST|ENOTDIR/)
  await rm(config.backupDir)
  expect(await status()).toMatchObject({ trouble: { is: 'failed', reason: 'hand' } })
  app.pass(1000)
  const site = { database: config.database, media: openFolder(''), folder: config.backupDir }
  const target = await freshTarget('sqlite')
  await (await openDb(target, 0)).close()
  await createBackups({ ...site, database: target, now: clock, log }).make('night')
  expect(await status()).toMatchObject({ trouble: null })
})

test('what one process has just made no other lets go', async () => {
  const app = await openApp()
  const { backups, config, now: clock, log } = app.services
  const target = await freshTarget('sqlite')
  await (await openDb(target, 0)).close()
  const parts = { database: target, media: openFolder(''), folder: config.backupDir, log }
  const other = createBackups({ ...parts, now: () => new Date(clock().getTime() + 1000) })
  const first = await backups.make('update')
  const second = await other.make('update')
  const names = async () => (await backups.list()).map(({ name }) => name)
  expect(await names()).toEqual([second.name, first.name])
  app.pass(2 * dayMs)
  const third = await backups.make('update')
  expect(await names()).toEqual([third.name, second.name])
})

test('what was made while the clock was behind does not go at once when it is set right', async () => {
  const app = await openApp()
  const { backups } = app.services
  const nights = async (many: number, apart = 1) => {
    for (let night = 0; night < many; night++) {
      app.pass(apart * dayMs)
      await backups.make('night')
    }
  }
  await nights(4, 7)
  await nights(8)
  app.pass(-90 * dayMs)
  await nights(9)
  const [last] = (await backups.list()).filter(({ madeAt }) => madeAt <= app.services.now())
  app.pass(90 * dayMs)
  await nights(3)
  const names = async () => (await backups.list()).map(({ name }) => name)
  expect(await names()).toContain(last?.name)
  await nights(5)
  expect(await names()).not.toContain(last?.name)
})

test('a folder that cannot be read is said, in words and before a night', async () => {
  const app = await openApp()
  const { backups, config } = app.services
  const made = await backups.make('hand')
  await rm(config.backupDir, { recursive: true })
  // A link to itself: whoever runs the tests may read what others may not.
  await symlink(config.backupDir, config.backupDir)
  for (const [method, path] of [
    ['GET', ownerCalls.backups],
    ['DELETE', `${ownerCalls.backups}/${made.name}`],
  ] as const) {
    const answer = await app.asOwner(method, path)
    expect(refusal(answer)).toEqual({ status: 503, code: 'no-disponible' })
    expect(answer.json).toMatchObject({ mensaje: backupTexts.unread })
  }
  const status = await app.asOwner('GET', ownerCalls.backupStatus)
  expect([status.status, status.json]).toEqual([200, { trouble: { is: 'unread' }, lastGood: null }])
  const told = app.events.filter(({ event }) => event === 'backups-unread')
  expect(told.map(({ error }) => String(error).slice(0, 12))).toEqual(['Error: ELOOP'])
})

test('one whose folder the system lets nobody make fails, and ends', async () => {
  const app = await openApp({ env: { BACKUP_DIR: '/proc/copias' } })
  await expect(app.services.backups.make('hand')).rejects.toThrow(/^ENOENT: .*'\/proc\/copias'$/)
})

test('what a killed process left goes before the next one is written, whether that succeeds or not', async () => {
  const app = await openApp()
  const { backups, config } = app.services
  await mkdir(config.backupDir, { recursive: true })
  const left = join(config.backupDir, '.tintero-left.partial')
  await writeFile(left, 'half')
  const longAgo = new Date(app.services.now().getTime() - 2 * hourMs)
  await utimes(left, longAgo, longAgo)
  // Nothing can be written under a name that a folder has.
  const { name } = await backups.make('hand')
  await rm(join(config.backupDir, name))
  await mkdir(join(config.backupDir, name))
  await writeFile(left, 'half')
  await utimes(left, longAgo, longAgo)
  await expect(backups.make('hand')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(await readdir(config.backupDir)).toEqual([name])
})

test.each([-2, 2])(
  'a process whose clock is %i hours off takes nothing from one that is writing',
  async (hours) => {
    const app = await openApp()
    const { backups, config } = app.services
    await mkdir(config.backupDir, { recursive: true })
    const other = '.tintero-other.partial'
    await writeFile(join(config.backupDir, other), 'being made')
    app.pass(Date.now() + hours * hourMs - app.services.now().getTime())
    expect(await backups.isBeingMade()).toBe(true)
    const { name } = await backups.make('hand')
    expect((await readdir(config.backupDir)).toSorted()).toEqual([other, name])
  },
)

test('a file whose name tells no moment is none of them, and hides none', async () => {
  const app = await openApp()
  const { backups, config } = app.services
  const { name } = await backups.make('night')
  const foreign = ['tintero-99999999T999999Z-hand.zip', 'tintero-20261301T000000Z-night.zip']
  for (const each of foreign) await writeFile(join(config.backupDir, each), '')
  const { json } = await app.asOwner('GET', ownerCalls.backups)
  expect(json).toMatchObject({ backups: [{ name }] })
  expect(await backups.check('all')).toEqual([])
  app.pass(dayMs)
  await backups.make('night')
  expect(await readdir(config.backupDir)).toEqual(expect.arrayContaining([...foreign, name]))
})

test('two processes with one folder make one backup a night', async () => {
  const app = await openApp()
  const { config, now: clock, log } = app.services
  const target = await freshTarget('sqlite')
  await (await openDb(target, 0)).close()
  const site = {
    database: target,
    media: openFolder(''),
    folder: config.backupDir,
    now: clock,
    log,
  }
  const all = [createBackups(site), createBackups(site)]
  const [first, second] = all.map((backups) =>
    createNightly({ ...app.services, backups, notify: async () => true }),
  )
  await mkdir(config.backupDir, { recursive: true })
  await writeFile(join(config.backupDir, '.tintero-other.partial'), 'being made')
  app.pass(Date.now() - clock().getTime())
  await first?.()
  expect(await all[0]?.list()).toEqual([])
  await rm(join(config.backupDir, '.tintero-other.partial'))
  await first?.()
  await second?.()
  expect(await all[0]?.list()).toHaveLength(1)
  // Both by hand in one second: neither writes into the other's file.
  await Promise.all(all.map((backups) => backups.make('hand')))
  for (const { name } of (await all[0]?.list()) ?? []) {
    await verifyBackup(join(config.backupDir, name))
  }
})
