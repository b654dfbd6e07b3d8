import { createServer } from 'node:http'
import { chmod, copyFile, open, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { ownHeader } from '#contract/api.ts'
import { fill } from '#contract/text.ts'
import { doctorTexts as said } from '#contract/texts/doctor.ts'
import { createBackups } from '#server/backup/backups.ts'
import { examine } from '#server/cli/doctor.ts'
import { readConfig } from '#server/config.ts'
import { seedSample } from '#server/db/sample.ts'
import { openFolder } from '#server/images/folder.ts'
import { keptKeys } from '#server/notifications/vapid.ts'
import { engines, freshFolder, freshTarget, openForTest } from '#tests/support/database.ts'
import { canMount, openSmallDisk } from '#tests/support/small-disk.ts'
import { freePort } from '#tests/support/free-port.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

const now = new Date('2031-03-02T10:00:00Z')

/** What the doctor says, by its mark. */
async function doctor(env: Readonly<Record<string, string>>) {
  const port = String(await freePort())
  const read = () => readConfig({ PORT: port, HOST: '127.0.0.1', ...env })
  const { code, lines } = await examine(read, { version: '24.15.0', now })
  const of = (mark: string) =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2))
  return { code, well: of('✓'), notes: of('!'), wrong: of('✗'), last: lines.at(-1) }
}

/** A data folder as a start leaves it, with a backup of today. */
async function soundFolder(): Promise<string> {
  const folder = await freshFolder()
  const database = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
  const { db } = await openForTest(database)
  await seedSample(db)
  await keptKeys(db, folder)
  const media = openFolder(join(folder, 'media'))
  const backups = join(folder, 'backups')
  await createBackups({ database, media, folder: backups, now: () => now, log: () => {} }).make(
    'hand',
  )
  return folder
}

const openSqlite = (folder: string) =>
  openForTest({ engine: 'sqlite', file: join(folder, 'tintero.sqlite') })

/** A server on loopback that answers with these headers. */
async function answering(headers: Readonly<Record<string, string>>): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(200, headers).end()
  })
  onTestFinished(() => void server.close())
  return listenOnLoopback(server)
}

test('where nothing is yet it finds nothing wrong, and makes nothing', async () => {
  const parent = await freshFolder()
  const folder = join(parent, 'data')
  const { code, notes, wrong, last } = await doctor({ DATA_DIR: folder })
  expect({ code, wrong, last }).toEqual({ code: 0, wrong: [], last: said.well })
  expect(notes).toEqual(
    expect.arrayContaining([fill(said.noFolder, { folder }), said.noSite, said.noBackups]),
  )
  expect(await readdir(parent)).toEqual([])
})

test('a sound site is said to be sound, and nothing of it is changed', async () => {
  const folder = await soundFolder()
  const stateOf = async () => {
    const names = (await readdir(folder, { recursive: true })).filter(
      (name) => !/-(?:wal|shm)$/.test(name),
    )
    return Promise.all(
      names.toSorted().map(async (name) => [name, (await stat(join(folder, name))).mtimeMs]),
    )
  }
  const before = await stateOf()
  const { code, well, wrong } = await doctor({ DATA_DIR: folder })
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
  expect(well).toEqual(
    expect.arrayContaining([
      fill(said.database, { engine: 'SQLite' }),
      fill(said.pictures, { all: 0 }),
      fill(said.keys, { place: said.keysPlaces.database }),
      fill(said.backups, { n: 1, date: '2031-03-02' }),
    ]),
  )
  expect(await stateOf()).toEqual(before)
})

test.runIf(engines.includes('postgres'))('PostgreSQL is looked at as SQLite is', async () => {
  const target = await freshTarget('postgres')
  if (target.engine !== 'postgres') return
  await openForTest(target)
  const env = { DATA_DIR: await freshFolder(), DATABASE_URL: target.url }
  expect((await doctor(env)).well).toContain(fill(said.database, { engine: 'PostgreSQL' }))
  const gone = `${target.url.replace(/[^/]*$/, '')}nowhere`
  const { code, wrong } = await doctor({ ...env, DATABASE_URL: gone })
  expect(code).toBe(1)
  expect(wrong[0]).toMatch(/^PostgreSQL no acepta la conexión \(.*nowhere/)
})

test('a configuration that cannot be used is named', async () => {
  const { code, wrong } = await doctor({ TRUST_PROXY: 'yes' })
  expect(code).toBe(1)
  expect(wrong).toHaveLength(1)
  expect(wrong[0]).toContain('TRUST_PROXY')
})

test('a file in the place of the data folder is named', async () => {
  const folder = join(await freshFolder(), 'data')
  await writeFile(folder, '')
  const { wrong } = await doctor({ DATA_DIR: folder })
  expect(wrong).toEqual([fill(said.notAFolder, { folder, variable: 'DATA_DIR' })])
})

test('a place where nothing can be kept is named alone, and nothing in it is called damaged', async () => {
  const folder = await soundFolder()
  const inPlace = async (name: string) => {
    await rm(join(folder, name), { recursive: true, force: true })
    await writeFile(join(folder, name), '')
    return join(folder, name)
  }
  const variable = 'BACKUP_DIR'
  const backups = await inPlace('backups')
  expect((await doctor({ DATA_DIR: folder })).wrong).toEqual([
    fill(said.notAFolder, { folder: backups, variable }),
  ])
  await rm(backups)
  const media = await inPlace('media')
  expect((await doctor({ DATA_DIR: folder })).wrong).toEqual([
    fill(said.notAFolder, { folder: media, variable: 'DATA_DIR' }),
  ])
  // Below a file nobody may write, whoever runs the test and whatever the file's mode allows.
  const below = join(media, 'datos')
  for (const mode of [0o600, 0o700]) {
    await chmod(media, mode)
    expect((await doctor({ DATA_DIR: below })).wrong).toEqual([
      fill(said.notWritable, { folder: below, variable: 'DATA_DIR' }),
    ])
  }
})

test.skipIf(!canMount)('a small disk is told before anything is on it', async () => {
  const folder = join(openSmallDisk(16, onTestFinished).folder, 'datos')
  expect((await doctor({ DATA_DIR: folder })).wrong).toEqual([
    expect.stringMatching(/datos solo quedan \d+ MB\. Libera espacio\.$/),
  ])
})

test('an address at which nobody can be asked is no other program', async () => {
  const DATA_DIR = await soundFolder()
  const { wrong } = await doctor({ DATA_DIR, HOST: 'nadie.invalid' })
  expect(wrong).toEqual([
    expect.stringMatching(/^En http:\/\/nadie\.invalid:\d+ no se puede preguntar por el sitio \(/),
  ])
})

test('a folder that others may read is said', async () => {
  const folder = join(await freshFolder(), 'data')
  await mkdir(folder, { mode: 0o755 })
  expect((await doctor({ DATA_DIR: folder })).notes).toContain(fill(said.open, { folder }))
})

test('a damaged database is named, whichever part of it is', async () => {
  for (const at of [0, 8192]) {
    const folder = await freshFolder()
    const { db, close } = await openSqlite(folder)
    await seedSample(db)
    await close()
    const file = await open(join(folder, 'tintero.sqlite'), 'r+')
    await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, at)
    await file.close()
    const { code, wrong } = await doctor({ DATA_DIR: folder })
    expect(code, `at ${at}`).toBe(1)
    expect(wrong[0], `at ${at}`).toMatch(/^La base de datos .* está dañada/)
  }
})

test('rows that refer to none that is there are counted, and stay', async () => {
  const folder = await soundFolder()
  const { close } = await openSqlite(folder)
  await close()
  const file = join(folder, 'tintero.sqlite')
  // As a program leaves it that does not ask SQLite to look after them.
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  onTestFinished(() => db.close())
  const alias = db.prepare('insert into image_alias (name, hash) values (?, ?)')
  for (const name of ['Project/a', 'Project/b']) alias.run(name, 'f'.repeat(40))
  const { code, wrong, well } = await doctor({ DATA_DIR: folder })
  expect({ code, wrong }).toEqual({ code: 1, wrong: [fill(said.orphans, { n: 2 })] })
  expect(well).not.toContain(fill(said.database, { engine: 'SQLite' }))
  expect(db.prepare('select count(*) as n from image_alias').get()).toEqual({ n: 2 })
})

test('a database that has disappeared is no new site', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'tintero.sqlite.used'), '')
  const { wrong } = await doctor({ DATA_DIR: folder })
  expect(wrong[0]).toMatch(/^Falta la base de datos .* que ya estuvo en uso/)
})

test('content that is missing since the last start is told, as the start will', async () => {
  const folder = await soundFolder()
  const file = join(folder, 'tintero.sqlite')
  const noted = { changes: 999_999_999_999, entries: 41, messages: 3 }
  await writeFile(`${file}.used`, JSON.stringify(noted))
  const { wrong } = await doctor({ DATA_DIR: folder })
  expect(wrong).toEqual([expect.stringMatching(/^Falta contenido en .*: tenía 41 entradas y 3/)])
})

test('a database of a later version is not called sound', async () => {
  const folder = await soundFolder()
  const { db } = await openSqlite(folder)
  const row = { name: '9999-later', timestamp: now.toISOString() }
  await db
    .insertInto('kysely_migration' as never)
    .values(row)
    .execute()
  const { wrong, well } = await doctor({ DATA_DIR: folder })
  expect(wrong).toEqual([fill(said.later, { names: '9999-later' })])
  expect(well).not.toContain(fill(said.database, { engine: 'SQLite' }))
})

test('missing pictures, broken keys, silent devices and lost notifications are named', async () => {
  const folder = await soundFolder()
  const { db } = await openSqlite(folder)
  const moment = now.toISOString()
  const file = `${'a'.repeat(40)}.10x10.webp`
  await db
    .insertInto('image')
    .values({ hash: 'a'.repeat(40), file, bytes: 1, created_at: moment })
    .execute()
  await db
    .updateTable('site')
    .set({ value: '{"publicKey":"a"}' })
    .where('key', '=', 'vapid')
    .execute()
  await db
    .insertInto('device')
    .values({
      id: 'd',
      kind: 'webpush',
      address_key: 'k',
      address: '{}',
      label: 'Un teléfono',
      sign_in_id: '',
      created_at: moment,
      last_sent_at: null,
      trouble: 'gone',
    })
    .execute()
  await db
    .insertInto('job')
    .values({
      id: 'j',
      kind: 'push',
      dedupe: null,
      device_id: null,
      payload: 'null',
      state: 'dead',
      attempts: 12,
      due_at: moment,
      lease_until: null,
      why: '',
      created_at: moment,
    })
    .execute()
  const { code, wrong, last } = await doctor({ DATA_DIR: folder })
  expect(code).toBe(1)
  expect(wrong).toEqual([
    fill(said.noPictures, { missing: 1, all: 1, folder: join(folder, 'media') }),
    expect.stringMatching(/^Las claves de los avisos no se pueden usar: /),
    fill(said.troubled, { n: 1 }),
    fill(said.undelivered, { n: 1 }),
  ])
  expect(last).toBe(fill(said.faults, { n: 4 }))
})

test('a damaged backup and missed nights are named', async () => {
  const folder = await soundFolder()
  const [name = ''] = await readdir(join(folder, 'backups'))
  const old = name.replace('20310302', '20310227')
  await writeFile(join(folder, 'backups', name), 'no zip')
  expect((await doctor({ DATA_DIR: folder })).wrong).toEqual([fill(said.damagedBackup, { name })])
  const later = await freshFolder()
  await mkdir(join(later, 'backups'))
  await writeFile(join(later, 'backups', old), 'no zip')
  expect((await doctor({ DATA_DIR: later })).wrong).toEqual([
    fill(said.oldBackup, { date: '2031-02-27' }),
    fill(said.damagedBackup, { name: old }),
  ])
})

test('a backup whose date is yet to come hides no missed nights', async () => {
  const folder = await soundFolder()
  const [name = ''] = await readdir(join(folder, 'backups'))
  const ahead = name.replace('20310302', '20320302')
  await copyFile(join(folder, 'backups', name), join(folder, 'backups', ahead))
  const found = await doctor({ DATA_DIR: folder })
  expect(found.well).toContain(fill(said.backups, { n: 1, date: '2031-03-02' }))
  expect(found.notes).toContain(fill(said.aheadBackup, { name: ahead }))
  await rm(join(folder, 'backups', name))
  const { notes } = await doctor({ DATA_DIR: folder })
  expect(notes).toEqual(
    expect.arrayContaining([said.noBackups, fill(said.aheadBackup, { name: ahead })]),
  )
})

test('whether the site runs, or another program has its port, is said', async () => {
  const DATA_DIR = await soundFolder()
  const ours = await answering({ [ownHeader]: '1' })
  const address = `http://127.0.0.1:${ours}`
  expect((await doctor({ DATA_DIR, PORT: String(ours) })).well).toContain(
    fill(said.running, { address }),
  )
  const other = await answering({})
  const { code, wrong } = await doctor({ DATA_DIR, PORT: String(other) })
  expect({ code, wrong }).toEqual({ code: 1, wrong: [fill(said.otherProgram, { port: other })] })
  const free = await freePort()
  expect((await doctor({ DATA_DIR, PORT: String(free) })).notes).toContain(
    fill(said.notRunning, { port: free }),
  )
})

test('an address outside that does not lead here, or is not safe, is named', async () => {
  const DATA_DIR = await soundFolder()
  const PORT = String(await answering({ [ownHeader]: '1' }))
  const http = await doctor({ DATA_DIR, PORT, PUBLIC_URL: 'http://tintero.invalid' })
  expect(http.wrong).toEqual([
    fill(said.noHttps, { address: 'http://tintero.invalid' }),
    expect.stringMatching(/^Los enlaces llevan a http:\/\/tintero\.invalid, pero ahí no responde/),
  ])
  const https = await doctor({ DATA_DIR, PUBLIC_URL: 'https://tintero.invalid' })
  expect(https.notes).toContain(said.proxy)
  expect(https.wrong).toEqual([])
  const local = await doctor({ DATA_DIR })
  expect(local.notes.join('\n')).toContain('desde fuera no sirven')
})
