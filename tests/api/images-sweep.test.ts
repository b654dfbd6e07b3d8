/** @module-tag long */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { emptyValues, imageFieldOf } from '#contract/fields.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { takeFromBin } from '#server/db/bin.ts'
import { countMissing, createImages } from '#server/images/kept-images.ts'
import { openFolder } from '#server/images/folder.ts'
import { endSharing } from '#server/images/found-pictures.ts'
import type { PictureFiles } from '#server/images/picture-files.ts'
import type { ImageStore } from '#server/images/store.ts'
import { idleMs } from '#server/db/postgres.ts'
import { createEntry, removeEntry, updateEntry } from '#server/db/entries.ts'
import { updatePerson } from '#server/db/person.ts'
import { forgetEarlier } from '#server/db/history.ts'
import { engines, freshFolder } from '#tests/support/database.ts'
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

/** So many files of pictures that are not listed, old enough to go; the database did not find them there at first. */
async function leaveStrays({ db, dir, images, now }: Gallery, many: number): Promise<void> {
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, 'listed-by'), '')
  await images.sweep()
  await endSharing(db, new Date(now().getTime() + 1))
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

  test('what a new database finds in the folder of another goes after thirty days, and is there for that one until then', async () => {
    const before = await openGallery(engine)
    const url = await before.add(await photograph(700, 500))
    const own = await before.files()
    const longAgo = new Date(before.now().getTime() - 2 * hourMs)
    for (const name of own) await utimes(join(before.dir, name), longAgo, longAgo)
    const gallery = await openGallery(engine, openFolder(before.dir))
    await sweepTwice(gallery, 29)
    expect(await before.files()).toEqual(own)
    expect(await isKept(before, url)).toBe(true)
    gallery.pass(2 * dayMs)
    await gallery.images.sweep()
    expect(await before.files()).toEqual([])
  })

  test('a database that has the folder once more spares what came meanwhile and what it had marked itself', async () => {
    const own = await openGallery(engine)
    const url = await own.add(await photograph(700, 500))
    await own.images.sweep()
    const meanwhile = await openGallery(engine, openFolder(own.dir))
    await meanwhile.images.sweep()
    const later = await meanwhile.add(await colourSquare('#0a7'))
    const files = await own.files()
    const longAgo = new Date(own.now().getTime() - 2 * hourMs)
    for (const name of files) await utimes(join(own.dir, name), longAgo, longAgo)
    own.pass(40 * dayMs)
    await sweepTwice(own, 29)
    expect(await own.files()).toEqual(files)
    expect([await isKept(meanwhile, url), await isKept(meanwhile, later)]).toEqual([true, true])
    own.pass(2 * dayMs)
    await own.images.sweep()
    expect(await own.files()).toEqual([])
  })

  test('what is erased while another database may still show it is served no more, and is there for that one', async () => {
    const before = await openGallery(engine)
    const picture = await photograph(700, 500)
    const url = await before.add(picture)
    await updatePerson(before.db, { patch: { image: url } })
    const own = await before.files()
    const gallery = await openGallery(engine, openFolder(before.dir))
    await gallery.images.sweep()
    await gallery.add(picture, 'Project/project_1')
    const erased = { id: '1', addresses: [url] }
    expect((await gallery.images.weighRemovable([erased]))('1')).toBe(0)
    await gallery.images.removeUnshown(erased)
    expect((await gallery.app.request(url)).status).toBe(404)
    expect(await gallery.db.selectFrom('image').selectAll().execute()).toEqual([])
    for (const name of await before.files()) {
      expect((await gallery.app.request(`/media/${name}`)).status).toBe(404)
    }
    await sweepTwice(gallery, 29)
    expect(await countMissing(before.db, openFolder(before.dir))).toEqual({ missing: 0, all: 1 })
    await before.images.sweep()
    expect(await before.files()).toEqual(own)
    expect(await isKept(before, url)).toBe(true)
  })

  test('what is erased while its files cannot be set aside is shown by nothing, and is there for that one', async () => {
    const before = await openGallery(engine)
    const picture = await photograph(700, 500)
    const url = await before.add(picture)
    const own = await before.files()
    const folder = openFolder(before.dir)
    let isDown = true
    const renameOrFail = async (name: string, other: string) => {
      if (isDown) throw new Error('down')
      await folder.rename(name, other)
    }
    const gallery = await openGallery(engine, { ...folder, rename: renameOrFail, isRemote: true })
    await gallery.images.sweep()
    const urls = [url, await gallery.add(await colourSquare('#07a'), 'Project/project_1')]
    await gallery.add(picture, 'Project/project_1')
    const erased = gallery.images.removeUnshown({ id: '1', addresses: urls })
    await expect(erased).rejects.toThrow('down')
    for (const each of urls) expect(await isKept(gallery, each)).toBe(false)
    expect(await gallery.db.selectFrom('image').selectAll().execute()).toEqual([])
    isDown = false
    const longAgo = new Date(gallery.now().getTime() - 2 * hourMs)
    for (const name of own) await utimes(join(before.dir, name), longAgo, longAgo)
    await gallery.images.sweep()
    expect(await before.files()).not.toContain(own[0])
    await before.images.sweep()
    expect(await isKept(before, url)).toBe(true)
    expect(await before.files()).toEqual(expect.arrayContaining([...own]))
  })

  test('what another database has set aside comes back with a sweep that fails later, and goes in no sweep', async () => {
    const before = await openGallery(engine)
    const url = await before.add(await photograph(700, 500))
    await before.images.sweep()
    const { db, dir, now } = before
    for (const name of await before.files())
      await rename(join(dir, name), join(dir, `erased-${name}`))
    const files = { ...openFolder(dir), sweepUnfinished: () => Promise.reject(new Error('down')) }
    const failing = createImages({ files, db, engine, now, log: () => undefined })
    await expect(failing.sweep()).rejects.toThrow('down')
    expect(await isKept(before, url)).toBe(true)
    expect((await countMissing(db, openFolder(dir))).missing).toBe(0)
  })

  test('a picture that cannot be read is told, and the others are listed', async () => {
    const before = await openGallery(engine)
    const url = await before.add(await colourSquare('#0a7'))
    await before.add(await colourSquare('#07a'))
    const folder = openFolder(before.dir)
    const read = async (name: string) => {
      if (url.endsWith(name)) throw new Error('damaged')
      return folder.read(name)
    }
    const { db, now } = await openGallery(engine)
    const told: string[] = []
    const log = (event: string) => void told.push(event)
    await createImages({ files: { ...folder, read }, db, engine, now, log }).sweep()
    expect(told).toEqual(['picture-unreadable'])
    expect(await db.selectFrom('image').select('hash').execute()).toHaveLength(1)
    await before.images.sweep()
    expect(await isKept(before, url)).toBe(true)
  })

  test('a site that finds no picture of another one removes what is erased at once', async () => {
    const gallery = await openGallery(engine)
    await mkdir(gallery.dir)
    await writeFile(join(gallery.dir, 'notas.txt'), 'x')
    await gallery.images.sweep()
    const url = await gallery.add(await colourSquare('#0a7'), 'Project/project_1')
    await gallery.images.removeUnshown({ id: '1', addresses: [url] })
    expect(await gallery.files()).toEqual(['notas.txt'])
  })

  test('it goes with the thirty days of that one, and what is erased later goes at once', async () => {
    const before = await openGallery(engine)
    const picture = await colourSquare('#0a7')
    const url = await before.add(picture)
    const gallery = await openGallery(engine, openFolder(before.dir))
    const erase = async () => {
      await gallery.add(picture, 'Project/project_1')
      await gallery.images.removeUnshown({ id: '1', addresses: [url] })
    }
    await gallery.images.sweep()
    await erase()
    await sweepTwice(gallery, 29)
    expect(await before.files()).toHaveLength(1)
    gallery.pass(2 * dayMs)
    await gallery.images.sweep()
    expect(await before.files()).toEqual([])
    await erase()
    expect(await before.files()).toEqual([])
  })

  test('what is erased while it is being found is not listed without its files, and is there for the other database', async () => {
    const before = await openGallery(engine)
    const picture = await colourSquare('#0a7')
    const url = await before.add(picture)
    const folder = openFolder(before.dir)
    const isReading = Promise.withResolvers<void>()
    const mayRead = Promise.withResolvers<void>()
    const read = async (name: string) => {
      const bytes = await folder.read(name)
      if (!url.endsWith(name)) return bytes
      isReading.resolve()
      await mayRead.promise
      return bytes
    }
    const gallery = await openGallery(engine, { ...folder, read })
    const swept = gallery.images.sweep()
    await isReading.promise
    const erased = gallery
      .add(picture, 'Project/project_1')
      .then(() => gallery.images.removeUnshown({ id: '1', addresses: [url] }))
    // So far it comes by itself.
    await Promise.race([erased, new Promise((resolve) => setTimeout(resolve, 1000))])
    mayRead.resolve()
    await Promise.all([swept, erased])
    expect((await countMissing(gallery.db, folder)).missing).toBe(0)
    await before.images.sweep()
    expect(await isKept(before, url)).toBe(true)
  })

  test('a site that has begun in an empty folder removes what is erased at once', async () => {
    const gallery = await openGallery(engine)
    await gallery.images.sweep()
    const url = await gallery.add(await colourSquare('#0a7'), 'Project/project_1')
    await gallery.images.sweep()
    await gallery.images.removeUnshown({ id: '1', addresses: [url] })
    expect(await gallery.files()).toEqual([])
  })

  test('what nothing shows goes after thirty days also where two processes have folders of their own', async () => {
    const gallery = await openGallery(engine)
    const dir = join(await freshFolder(), 'media')
    const { db, now, pass } = gallery
    const parts = { files: openFolder(dir), db, engine, now, log: () => undefined }
    const beside = createImages(parts)
    await gallery.add(await colourSquare('#0a7'))
    const body = new Blob([new Uint8Array((await colourSquare('#07a')).buffer)]).stream()
    await beside.put({ type: 'Project', name: 'New/project_2', body })
    for (let day = 0; day < 33; day++) {
      await gallery.images.sweep()
      await beside.sweep()
      pass(dayMs)
    }
    expect(await db.selectFrom('image').selectAll().execute()).toEqual([])
  })

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
  // What a database finds at first is taken for pictures of another one.
  await gallery.images.sweep()
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

test('a picture that was damaged when another database found it is made again by the next upload', async () => {
  const before = await openGallery()
  const photo = await photograph(700, 500)
  const url = await before.add(photo)
  const file = join(before.dir, url.replace('/media/', ''))
  const whole = await readFile(file)
  await writeFile(file, 'half')
  const gallery = await openGallery(undefined, openFolder(before.dir))
  await gallery.images.sweep()
  expect(await gallery.add(photo)).toBe(url)
  expect(await readFile(file)).toEqual(whole)
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
