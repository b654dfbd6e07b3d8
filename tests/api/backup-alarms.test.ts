import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { project } from '#contract/sections/project.ts'
import { createNightly } from '#server/backup/nightly.ts'
import type { Engine } from '#server/db/tables.ts'
import { assemble } from '#tests/support/app.ts'
import { engines, freshFolder, openFresh, openForTest } from '#tests/support/database.ts'
import { colourSquare } from '#tests/support/pictures.ts'

/* What rings her phone at night rings once for each damage, however often the server starts and however many processes there are. */

async function openSite(engine: Engine) {
  const opened = await openFresh(engine)
  const beside = engine === 'postgres' ? await openForTest(opened.target) : opened
  const dataDir = await freshFolder()
  // The second night is the disk's own, which knows by it what another process is writing.
  let time = Date.now() - 2 * dayMs
  const rung: string[] = []
  const site = { rung, hasDevice: true, dataDir, folder: '' }
  const ring = async (_: unknown, what: string) => site.hasDevice && rung.push(what) > 0
  const start = async (on = opened) => {
    const parts = { opened: on, dataDir, env: {}, now: () => new Date(time) }
    const { services } = await assemble(parts)
    return { services, look: createNightly({ ...services, ring }) }
  }
  const first = await start()
  site.folder = first.services.config.backupDir
  return Object.assign(site, {
    images: first.services.images,
    /** The next night, as a process sees it that has just started. */
    nextNight: async () => {
      time += dayMs
      await (await start()).look()
    },
    /** The next night, as two processes see it that look at once. */
    nextNightOfTwo: async () => {
      time += dayMs
      const both = await Promise.all([start(), start(beside)])
      await Promise.all(both.map(({ look }) => look()))
    },
  })
}

const body = async () => new Blob([new Uint8Array((await colourSquare('#369')).buffer)]).stream()

describe.each(engines)('on %s', (engine) => {
  test('a damaged backup rings once, after a restart and of two processes, and the next damaged one rings again', async () => {
    const { rung, folder, nextNight, nextNightOfTwo } = await openSite(engine)
    const damageNewest = async () =>
      truncate(join(folder, (await readdir(folder)).toSorted().at(-1) ?? ''), 100)
    await nextNight()
    await damageNewest()
    await nextNightOfTwo()
    expect(rung).toEqual(['damaged'])
    await nextNight()
    await nextNight()
    expect(rung).toEqual(['damaged'])
    await damageNewest()
    await nextNight()
    expect(rung).toEqual(['damaged', 'damaged'])
  })

  test('a picture that is missing rings once, and again when it is lost once more', async () => {
    const { rung, images, dataDir, nextNight, nextNightOfTwo } = await openSite(engine)
    const picture = { type: project.images.type, name: 'New/project_1', body: await body() }
    const file = join(dataDir, (await images.put(picture)).url)
    const stored = await readFile(file)
    await images.put({ ...picture, type: 'Person', name: 'perfil_1', body: await body() })
    await nextNight()
    expect(rung).toEqual([])
    await rm(file)
    await nextNightOfTwo()
    expect(rung).toEqual(['incomplete'])
    await nextNight()
    expect(rung).toEqual(['incomplete'])
    await writeFile(file, stored)
    await nextNight()
    await rm(file)
    await nextNight()
    expect(rung).toEqual(['incomplete', 'incomplete'])
  })

  test('a night without a backup rings once, whoever tries again, and again the next night', async () => {
    const { rung, folder, nextNight, nextNightOfTwo } = await openSite(engine)
    await writeFile(folder, 'in the way')
    await nextNightOfTwo()
    expect(rung).toEqual(['failed'])
    await nextNight()
    expect(rung).toEqual(['failed', 'failed'])
  })

  test('what nobody could be told of rings once there is a device', async () => {
    const site = await openSite(engine)
    await site.nextNight()
    await truncate(join(site.folder, (await readdir(site.folder))[0] ?? ''), 100)
    site.hasDevice = false
    await site.nextNight()
    site.hasDevice = true
    await site.nextNight()
    await site.nextNight()
    expect(site.rung).toEqual(['damaged'])
  })
})
