import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { emptyValues, imageFieldOf } from '#contract/fields.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { takeFromBin } from '#server/db/bin.ts'
import { createImages } from '#server/images/kept-images.ts'
import { openFolder } from '#server/images/folder.ts'
import type { PictureFiles } from '#server/images/picture-files.ts'
import type { ImageStore } from '#server/images/store.ts'
import { idleMs } from '#server/db/postgres.ts'
import { createEntry, removeEntry, updateEntry } from '#server/db/entries.ts'
import { updatePerson } from '#server/db/person.ts'
import { forgetEarlier } from '#server/db/history.ts'
import { engines } from '#tests/support/database.ts'
import { openGallery, type Gallery } from '#tests/support/gallery.ts'
import { colourSquare, photograph } from '#tests/support/pictures.ts'

// Shrinking photographs is real work: on a busy machine it takes its time.
vi.setConfig({ testTimeout: 60_000 })

/** Whether the picture is still there, asked as a visitor would. */
async function isKept({ app }: Gallery, url: string): Promise<boolean> {
  return (await app.request(url)).status === 200
}

/** Two sweeps: one that may mark, and one after so many days that may delete. */
async function sweepTwice({ images, pass }: Gallery, days: number): Promise<void> {
  await images.sweep()
  pass(days * dayMs)
  await images.sweep()
}

/** So many files of pictures that are not listed, old enough to go. */
async function leaveStrays({ dir, now }: Gallery, many: number): Promise<void> {
  await mkdir(dir, { recursive: true })
  const longAgo = new Date(now().getTime() - 2 * hourMs)
  for (let i = 0; i < many; i++) {
    const file = join(dir, `${String(i).padStart(40, '0')}.10x10.webp`)
    await writeFile(file, 'stray')
    await utimes(file, longAgo, longAgo)
  }
}

type Remove = PictureFiles['remove']

/** The pictures as another process of the site has them, with what it does in place of removing. */
function besideIn(
  { db, dir, now }: Gallery,
  remove: (names: readonly string[], really: Remove) => Promise<void>,
): ImageStore {
  const folder = openFolder(dir)
  const files = { ...folder, remove: (names: readonly string[]) => remove(names, folder.remove) }
  return createImages({ files, db, engine: 'postgres', now, log: () => undefined })
}

describe.each(engines)('%s', (engine) => {
  test('a picture that nothing shows goes after thirty days, with its names', async () => {
    const gallery = await openGallery(engine)
    const url = await gallery.add(await photograph(700, 500), 'Project/New/project_1')
    await sweepTwice(gallery, 29)
    expect(await isKept(gallery, url)).toBe(true)
    gallery.pass(2 * dayMs)
    await gallery.images.sweep()
    expect(await isKept(gallery, url)).toBe(false)
    expect(await gallery.files()).toEqual([])
    expect((await gallery.app.request('/media/Project/New/project_1')).status).toBe(404)
    expect(await gallery.db.selectFrom('image_alias').selectAll().execute()).toEqual([])
  })

  test.each(sections.filter(({ images }) => images))(
    'a picture an entry of $key shows never goes',
    async (section) => {
      const gallery = await openGallery(engine)
      const url = await gallery.add(await colourSquare('#0a7'))
      const values = { ...emptyValues(section.fields), [imageFieldOf(section.fields) ?? '']: url }
      await createEntry(gallery.db, section, { values })
      await sweepTwice(gallery, 400)
      expect(await isKept(gallery, url)).toBe(true)
    },
  )

  // Two processes of a site share a database server alone.
  test.runIf(engine === 'postgres')(
    'a picture that one process takes in while another removes it is kept',
    async () => {
      const gallery = await openGallery(engine)
      const picture = await colourSquare('#0a7')
      const url = await gallery.add(picture, 'Project/New/project_1')
      const isRemoving = Promise.withResolvers<void>()
      const mayRemove = Promise.withResolvers<void>()
      const other = besideIn(gallery, async (names, remove) => {
        isRemoving.resolve()
        await mayRemove.promise
        await remove(names)
      })
      const removed = other.removeUnshown({ id: 'gone', addresses: [url] })
      await isRemoving.promise
      const again = gallery.add(picture, 'Project/New/project_2')
      // So far it comes by itself.
      await new Promise((resolve) => setTimeout(resolve, 200))
      mayRemove.resolve()
      await removed
      expect(await again).toBe(url)
      expect(await isKept(gallery, url)).toBe(true)
    },
  )

  test.runIf(engine === 'postgres')(
    'a removal that takes longer than a transaction may lie idle keeps other processes out until its end',
    async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const gallery = await openGallery(engine)
      const { db } = gallery
      await leaveStrays(gallery, 1)
      const isRemoving = Promise.withResolvers<void>()
      const mayRemove = Promise.withResolvers<void>()
      onTestFinished(() => mayRemove.resolve())
      const images = besideIn(gallery, async (names, remove) => {
        isRemoving.resolve()
        await mayRemove.promise
        await remove(names)
      })
      const swept = images.sweep()
      await isRemoving.promise
      /** When the one that holds the lock has last said something. */
      const saidAt = async () => {
        const { rows } = await sql<{ at: string }>`
          select state_change::text as at from pg_stat_activity join pg_locks using (pid)
          where locktype = 'advisory' and granted and datname = current_database()`.execute(db)
        return rows.map(({ at }) => at)
      }
      for (let round = 0; round < 3; round++) {
        const before = await saidAt()
        expect(before).toHaveLength(1)
        vi.advanceTimersByTime(idleMs / 2)
        await expect.poll(saidAt).not.toEqual(before)
      }
      expect(await saidAt()).toHaveLength(1)
      mayRemove.resolve()
      await swept
      expect(await saidAt()).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  test.runIf(engine === 'postgres')(
    'who loses the lock while removing removes nothing more',
    async () => {
      const gallery = await openGallery(engine)
      const { db } = gallery
      const urls = [await gallery.add(await colourSquare('#0a7'), 'Project/project_1')]
      urls.push(await gallery.add(await colourSquare('#07a'), 'Project/project_1'))
      await leaveStrays(gallery, 50)
      const removed: (readonly string[])[] = []
      const images = besideIn(gallery, async (names, remove) => {
        removed.push(names)
        await sql`
          select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and granted and database =
            (select oid from pg_database where datname = current_database())`.execute(db)
        await remove(names)
      })
      await expect(images.removeUnshown({ id: '1', addresses: urls })).rejects.toThrow(/lost/)
      expect(removed).toHaveLength(1)
      await expect(images.sweep()).rejects.toThrow(/lost/)
      expect(removed).toHaveLength(2)
      expect((await gallery.files()).length).toBeGreaterThan(25)
      // What stayed goes the next time.
      await gallery.images.sweep()
      expect((await gallery.files()).filter((name) => name.startsWith('0'.repeat(20)))).toEqual([])
    },
  )

  test.runIf(engine === 'postgres')(
    'an upload through another process waits for a few files of a sweep and not for all',
    async () => {
      const gallery = await openGallery(engine)
      const { db } = gallery
      await leaveStrays(gallery, 100)
      const isRemoving = Promise.withResolvers<void>()
      const isWaiting = Promise.withResolvers<void>()
      const isCounted = Promise.withResolvers<void>()
      const waiting = async () => {
        const { rows } = await sql`
          select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db)
        return rows.length
      }
      const gates = [isWaiting.promise]
      const images = besideIn(gallery, async (names, remove) => {
        isRemoving.resolve()
        await (gates.pop() ?? isCounted.promise)
        await remove(names)
      })
      const swept = images.sweep()
      await isRemoving.promise
      const adding = gallery.add(await colourSquare('#0a7'))
      await expect.poll(waiting).toBe(1)
      isWaiting.resolve()
      const url = await adding
      const left = (await gallery.files()).length
      isCounted.resolve()
      await swept
      expect(left).toBeGreaterThan(50)
      expect(await isKept(gallery, url)).toBe(true)
      expect(await gallery.files()).toHaveLength(1)
    },
  )

  test('a picture of a deleted entry stays as long as the entry can come back', async () => {
    const gallery = await openGallery(engine)
    const [section] = sections as readonly [Section]
    const url = await gallery.add(await colourSquare('#0a7'))
    await gallery.images.sweep()
    gallery.pass(29 * dayMs)
    // Unused for so long, it is marked already.
    const values = { ...emptyValues(section.fields), [imageFieldOf(section.fields) ?? '']: url }
    const { id } = await createEntry(gallery.db, section, { values })
    await removeEntry(gallery.db, section, { id, now: new Date() })
    gallery.pass(2 * dayMs)
    await gallery.images.sweep()
    expect(await isKept(gallery, url)).toBe(true)
    await takeFromBin(gallery.db, { kind: section.key, id })
    await sweepTwice(gallery, 31)
    expect(await isKept(gallery, url)).toBe(false)
  })

  test('a picture that only an earlier version shows stays as long as that is kept', async () => {
    const gallery = await openGallery(engine)
    const [section] = sections as readonly [Section]
    const image = imageFieldOf(section.fields) ?? ''
    const url = await gallery.add(await colourSquare('#0a7'))
    const portrait = await gallery.add(await colourSquare('#a07'), 'Person/perfil_1')
    const values = { ...emptyValues(section.fields), [image]: url }
    const { id } = await createEntry(gallery.db, section, { values })
    await updatePerson(gallery.db, { patch: { image: portrait } })
    const now = gallery.now()
    await updateEntry(gallery.db, section, { id, patch: { [image]: '' }, now })
    await updatePerson(gallery.db, { patch: { image: '' }, now })
    await sweepTwice(gallery, 400)
    expect([await isKept(gallery, url), await isKept(gallery, portrait)]).toEqual([true, true])
    await forgetEarlier(gallery.db, { kind: section.key, id })
    await sweepTwice(gallery, 31)
    expect([await isKept(gallery, url), await isKept(gallery, portrait)]).toEqual([false, true])
  })

  test('the portrait never goes', async () => {
    const gallery = await openGallery(engine)
    const url = await gallery.add(await colourSquare('#0a7'), 'Person/perfil_1')
    await updatePerson(gallery.db, { patch: { image: url } })
    await sweepTwice(gallery, 400)
    expect(await isKept(gallery, url)).toBe(true)
  })

  test.each(['/media/Person/perfil_1', 'https://portafolio.example/media/Person/perfil_1'])(
    'a picture shown by its storage name as %s never goes',
    async (image) => {
      const gallery = await openGallery(engine)
      const url = await gallery.add(await colourSquare('#0a7'), 'Person/perfil_1')
      await updatePerson(gallery.db, { patch: { image } })
      await sweepTwice(gallery, 400)
      expect(await isKept(gallery, url)).toBe(true)
    },
  )

  test('a picture uploaded again or shown again starts its thirty days anew', async () => {
    const gallery = await openGallery(engine)
    const square = await colourSquare('#0a7')
    const url = await gallery.add(square)
    await sweepTwice(gallery, 29)
    expect(await gallery.add(square)).toBe(url)
    await sweepTwice(gallery, 29)
    expect(await isKept(gallery, url)).toBe(true)
    await updatePerson(gallery.db, { patch: { image: url } })
    await gallery.images.sweep()
    await updatePerson(gallery.db, { patch: { image: '' } })
    await sweepTwice(gallery, 29)
    expect(await isKept(gallery, url)).toBe(true)
  })
})

test('what an interrupted upload left goes after an hour, other files stay', async () => {
  const gallery = await openGallery()
  const url = await gallery.add(await colourSquare('#0a7'))
  const { dir, now } = gallery
  const stray = `${'0'.repeat(40)}.10x10.webp`
  const left = { 'tmp/old': Date.now(), 'tmp/ahead': Date.now() + 4 * hourMs, [stray]: now() }
  for (const [name, since] of Object.entries({ ...left, 'notas.txt': now() })) {
    await writeFile(join(dir, name), 'half')
    const moment = new Date(Number(since) - 2 * hourMs)
    await utimes(join(dir, name), moment, moment)
  }
  // By the disk's clock, whatever the one here says: another process may be writing it.
  await writeFile(join(dir, 'tmp/new'), 'half')
  await gallery.images.sweep()
  expect((await gallery.files()).toSorted()).toEqual(
    [url.replace('/media/', ''), 'new', 'notas.txt'].toSorted(),
  )
})

test('sweeping a folder that does not exist yet is nothing', async () => {
  const { images } = await openGallery()
  await expect(images.sweep()).resolves.toBeUndefined()
})

test('half a file left under a picture’s name is replaced by the whole one', async () => {
  const { buffer } = await photograph(700, 500)
  const photo = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer }
  const other = await openGallery()
  const url = await other.add(photo)
  const gallery = await openGallery()
  await mkdir(gallery.dir)
  await writeFile(join(gallery.dir, url.replace('/media/', '')), 'half')
  await gallery.add(photo)
  const whole = await (await other.app.request(url)).arrayBuffer()
  const mended = await (await gallery.app.request(url)).arrayBuffer()
  expect(Buffer.from(mended).equals(Buffer.from(whole))).toBe(true)
})

test('a listed picture whose files were lost is made again by the next upload', async () => {
  const gallery = await openGallery()
  const photo = await photograph(700, 500)
  const url = await gallery.add(photo)
  await rm(join(gallery.dir, url.replace('/media/', '').replace('.webp', '-320.webp')))
  await gallery.add(photo)
  expect(await isKept(gallery, url.replace('.webp', '-320.webp'))).toBe(true)
})

test('every file seen in the folder while pictures come in is whole', async () => {
  const gallery = await openGallery()
  await mkdir(gallery.dir)
  const seen = new Map<string, number>()
  const coming = [1600, 1500, 1400].map(async (width) => gallery.add(await photograph(width, 900)))
  const done = Promise.all(coming).then(() => true)
  while (!(await Promise.race([done, setImmediate(false)]))) {
    for (const name of await readdir(gallery.dir)) {
      if (name === 'tmp' || seen.has(name)) continue
      seen.set(name, (await stat(join(gallery.dir, name))).size)
    }
  }
  for (const [name, size] of seen) {
    expect((await readFile(join(gallery.dir, name))).length).toBe(size)
  }
  expect(seen.size).toBeGreaterThan(0)
})
