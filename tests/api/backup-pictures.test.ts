/** @module-tag long */
import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { createBackups } from '#server/backup/backups.ts'
import { createNightly } from '#server/backup/nightly.ts'
import { alarmMessage, noteAlarmTaken } from '#server/backup/told-alarms.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { openFolder } from '#server/images/folder.ts'
import { countMissing, createImages } from '#server/images/kept-images.ts'
import { openApp, type TestApp } from '#tests/support/app.ts'
import { openDb } from '#server/db/open.ts'
import { engines, freshFolder, freshTarget, openForTest } from '#tests/support/database.ts'
import { owner } from '#tests/support/site.ts'
import { photograph } from '#tests/support/pictures.ts'

const [section] = sections as readonly [Section, ...Section[]]
const night = dayMs

/** A site with one picture, its file, and how it is put there again. */
async function openSite() {
  const app = await openApp()
  // Large enough to be kept in several widths.
  const bytes = await photograph()
  const upload = async () => {
    const type = section.images?.type ?? ''
    const body = new Blob([new Uint8Array(bytes.buffer)]).stream()
    return app.services.images.put({ type, name: 'New/project_1', body })
  }
  const { url } = await upload()
  const name = url.replace('/media/', '')
  const file = join(app.services.config.dataDir, 'media', name)
  return { app, name, file, upload, stored: await readFile(file) }
}

/** As a failing disk changes a file: its name and length stay. */
async function damage(file: string): Promise<void> {
  const bytes = await readFile(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x41
  await writeFile(file, bytes)
}

const backupFile = async ({ services }: TestApp, name: string) =>
  (await services.backups.find(name)) ?? ''

test('a backup with a damaged picture says so, and the complete ones outlive it', async () => {
  const { app, name, file } = await openSite()
  const { backups } = app.services
  const rung: string[] = []
  const notify = async (_: unknown, what: string) => rung.push(what) > 0
  const look = createNightly({ ...app.services, notify })
  await look()
  const [complete] = await backups.list()
  expect(complete?.lacking).toBe(0)
  await damage(file)
  // Longer than a complete one is kept beside others as good as it.
  for (const nights of [1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7]) {
    app.pass(nights * night)
    await look()
    await noteAlarmTaken(app.db, alarmMessage('incomplete'))
  }
  const list = await backups.list()
  expect(list[0]?.lacking).toBe(1)
  expect(list.at(-1)).toEqual(complete)
  expect(list.length).toBeLessThan(13)
  expect(await verifyBackup(await backupFile(app, list[0]?.name ?? ''))).toMatchObject({
    missing: [],
    damaged: [name],
  })
  // Once: that nothing changed since is no news.
  expect(rung).toEqual(['incomplete'])
  const { token } = await app.services.auth.login({ ...owner, address: '' })
  const headers = { authorization: `Bearer${token}` }
  expect((await app.call('GET', ownerCalls.backupStatus, { headers })).json).toEqual({
    trouble: { is: 'incomplete', lacking: 1 },
    lastGood: complete?.madeAt.toISOString(),
  })
  expect(app.events).toContainEqual({
    event: 'backup-without-pictures',
    missing: 0,
    damaged: 1,
    examples: name,
  })
  const { json } = await app.call('POST', ownerCalls.backups, { headers })
  expect(json).toMatchObject({ lacking: 1, mensaje: backupTexts.madeLackingOne })
})

test('a picture that is erased while it is written is none that it lacks', async () => {
  const { app, file } = await openSite()
  const { config, now, log } = app.services
  const media = openFolder(join(config.dataDir, 'media'))
  const erasing = {
    ...media,
    read: async (name: string) => {
      await app.db.deleteFrom('image_alias').execute()
      await app.db.deleteFrom('image').execute()
      await rm(file, { force: true })
      return media.read(name)
    },
  }
  const main = await sql<{ file: string }>`pragma database_list`.execute(app.db)
  const database = { engine: 'sqlite', file: main.rows[0]?.file ?? '' } as const
  const backups = createBackups({ folder: config.backupDir, database, media: erasing, now, log })
  const { name, lacking, lackingPictures } = await backups.make('night')
  expect([lacking, lackingPictures]).toEqual([0, []])
  expect((await verifyBackup(join(config.backupDir, name))).tables['image']).toBe(0)
  expect(app.events).not.toContainEqual(
    expect.objectContaining({ event: 'backup-without-pictures' }),
  )
})

test('a picture of two rows is in a backup once', async () => {
  const { app, name } = await openSite()
  const row = await app.db.selectFrom('image').selectAll().executeTakeFirstOrThrow()
  await app.db
    .insertInto('image')
    .values({ ...row, hash: 'b'.repeat(40) })
    .execute()
  const made = await app.services.backups.make('hand')
  const { files } = await verifyBackup(await backupFile(app, made.name))
  expect(Object.keys(files)).toContain(`media/${name}`)
})

test('the same picture uploaded again mends the damaged file, and the next backup is complete', async () => {
  const { app, file, upload, stored } = await openSite()
  await damage(file)
  expect(await upload()).toMatchObject({ created: true })
  expect((await readFile(file)).equals(stored)).toBe(true)
  expect((await app.services.backups.make('hand')).lacking).toBe(0)
  expect(await upload()).toMatchObject({ created: false })
})

test('a restore puts a good picture over a damaged one, and never the other way round', async () => {
  const { app, name, file, stored } = await openSite()
  const { backups } = app.services
  const good = await backups.make('hand')
  await damage(file)
  app.pass(1000)
  const bad = await backups.make('hand')
  const folder = await freshFolder()
  const target = {
    database: { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const,
    media: openFolder(join(folder, 'media')),
    now: new Date('2031-03-02T10:00:00Z'),
  }
  const restored = async (from: string) => {
    await restoreBackup(await backupFile(app, from), target)
    return Buffer.from((await target.media.read(name)) ?? []).equals(stored)
  }
  expect(await restored(bad.name)).toBe(false)
  expect(await restored(good.name)).toBe(true)
  expect(await restored(bad.name)).toBe(true)
})

test('what a picture is that was stored before such notes were taken is noted by the sweep', async () => {
  const { app, file } = await openSite()
  const { db, images, backups } = app.services
  const notes = () => db.selectFrom('image').select('digests').executeTakeFirstOrThrow()
  const { digests } = await notes()
  await db.updateTable('image').set({ digests: '' }).execute()
  await images.sweep()
  expect((await notes()).digests).toBe(digests)
  expect(digests).toMatch(/^[0-9a-f]{64}( [0-9a-f]{64}){2,}$/)
  await damage(file)
  await images.sweep()
  expect((await backups.make('hand')).lacking).toBe(1)
})

test('an older one goes only once the one that takes its place was read', async () => {
  const { app } = await openSite()
  const { config, now, log } = app.services
  const media = openFolder(join(config.dataDir, 'media'))
  const database = await freshTarget('sqlite')
  await (await openDb(database, 0)).close()
  // As after a start: nothing of the folder is known.
  const started = () => createBackups({ database, media, folder: config.backupDir, now, log })
  const good = await started().make('night')
  app.pass(hourMs)
  await writeFile(join(config.backupDir, nameAt(now())), 'not a backup any more')
  app.pass(night)
  await started().make('night')
  expect((await started().list()).map(({ name }) => name)).toContain(good.name)
})

test.each(
  engines.flatMap((engine) => [
    [engine, 'puts a site aside', true] as const,
    [engine, 'makes a site', false] as const,
  ]),
)(
  'a restore on %s that %s: what is erased then is there for the one aside, and only for such a one',
  async (engine, _, isAside) => {
    const { app } = await openSite()
    const { name } = await app.services.backups.make('hand')
    const database = await freshTarget(engine)
    if (isAside) await (await openDb(database)).close()
    const media = openFolder(join(await freshFolder(), 'media'))
    const now = new Date()
    await restoreBackup(await backupFile(app, name), { database, media, now })
    const { db } = await openForTest(database)
    const log = () => undefined
    const images = createImages({ files: media, db, engine, now: () => now, log })
    await images.sweep()
    const body = new Blob([new Uint8Array((await photograph(300, 200)).buffer)]).stream()
    const type = section.images?.type ?? ''
    const { url } = await images.put({ type, name: 'New/project_2', body })
    await images.removeUnshown({ id: '2', addresses: [url] })
    const left = (await media.list()).map((each) => each.name)
    expect(left.includes(`erased-${url.slice(7)}`)).toBe(isAside)
    expect(left).not.toContain(url.slice(7))
  },
)

const nameAt = (at: Date) => `tintero-${at.toISOString().replace(/[-:]|\.\d+/g, '')}-hand.zip`

test.each(engines)(
  'the pictures of what a restore on %s puts aside stay as long as any that nothing shows',
  async (engine) => {
    const { app } = await openSite()
    const { name } = await app.services.backups.make('hand')
    const database = await freshTarget(engine)
    const media = openFolder(join(await freshFolder(), 'media'))
    let now = new Date()
    const galleryOf = ({ db }: Awaited<ReturnType<typeof openDb>>) =>
      createImages({ files: media, db, engine, now: () => now, log: () => undefined })
    const former = await openDb(database)
    const body = new Blob([new Uint8Array((await photograph(900, 700)).buffer)]).stream()
    const type = section.images?.type ?? ''
    const { url } = await galleryOf(former).put({ type, name: 'New/project_2', body })
    await former.close()
    const own = (await media.list()).map((each) => each.name).toSorted()
    expect(own.length).toBeGreaterThan(1)
    const longAgo = new Date(Date.now() - 2 * hourMs)
    for (const each of own) await utimes(join(media.place, each), longAgo, longAgo)
    await restoreBackup(await backupFile(app, name), { database, media, now })

    const { db } = await openForTest(database)
    const left = async () => {
      await galleryOf({ db } as typeof former).sweep()
      return (await media.list()).map((each) => each.name).filter((each) => own.includes(each))
    }
    expect((await left()).toSorted()).toEqual(own)
    expect(await countMissing(db, media)).toMatchObject({ missing: 0, all: 2 })
    const listed = await db
      .selectFrom('image')
      .selectAll()
      .where('file', '=', url.slice(7))
      .execute()
    expect(listed).toMatchObject([{ digests: expect.stringMatching(/^\S+ \S+/) as string }])
    now = new Date(now.getTime() + 31 * dayMs)
    expect(await left()).toEqual([])
  },
)
