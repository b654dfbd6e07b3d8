import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { createNightly } from '#server/backup/nightly.ts'
import { alarmMessage, noteAlarmTaken, notifyOnce, type Alarm } from '#server/backup/told-alarms.ts'
import { writeFact } from '#server/db/site-facts.ts'
import type { Engine, Executor } from '#server/db/tables.ts'
import { transact } from '#server/db/transact.ts'
import { tellDevices } from '#server/messages/notify.ts'
import { topicOf } from '#server/notifications/web-push.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'
import { assemble, openApp } from '#tests/support/app.ts'
import { engines, freshFolder, openFresh, openForTest } from '#tests/support/database.ts'
import { colourSquare } from '#tests/support/pictures.ts'

/* What rings her phone at night rings once for each damage, however often the server starts and however many processes there are. */

async function openSite(engine: Engine) {
  const opened = await openFresh(engine)
  const beside = engine === 'postgres' ? await openForTest(opened.target) : opened
  const dataDir = await freshFolder()
  // The second night is the disk's own, which knows by it what another process is writing.
  let time = Date.now() - 2 * dayMs
  const rung: Alarm[] = []
  const site = { rung, hasDevice: true, isTaken: true, dataDir, folder: '' }
  const notify = async (_: unknown, what: Alarm) => site.hasDevice && rung.push(what) > 0
  const start = async (on = opened) => {
    const parts = { opened: on, dataDir, env: {}, now: () => new Date(time) }
    const { services } = await assemble(parts)
    return { services, look: createNightly({ ...services, notify }) }
  }
  const take = async () => {
    for (const what of new Set(site.isTaken ? rung : [])) {
      await noteAlarmTaken(opened.db, alarmMessage(what))
    }
  }
  const first = await start()
  site.folder = first.services.config.backupDir
  return Object.assign(site, {
    images: first.services.images,
    /** The next night, as a process sees it that has just started. */
    nextNight: async () => {
      time += dayMs
      await (await start()).look()
      await take()
    },
    /** The next night, as two processes see it that look at once. */
    nextNightOfTwo: async () => {
      time += dayMs
      const both = await Promise.all([start(), start(beside)])
      await Promise.all(both.map(({ look }) => look()))
      await take()
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

  test.each(['damaged', 'incomplete'] as const)(
    'what no device takes of %s ones is told again on the next nights, three times at most',
    async (what) => {
      const app = await openApp({ engine })
      const device = { address: subscribe().address, label: 'Teléfono' }
      await app.asOwner('POST', ownerCalls.devices, { body: device })
      const notify = (t: Executor, alarm: Alarm, now: Date) =>
        tellDevices(t, alarmMessage(alarm), now)
      const pass = async (nights: number, about: readonly string[]) => {
        for (let night = 0; night < nights; night++) {
          app.pass(dayMs)
          const now = app.services.now()
          await transact(app.db, (t) => notifyOnce(t, { what, about, now, notify }))
          await app.services.jobs.runDue()
        }
        return app.pushes.sent.length
      }
      const refused = { state: 'rejected', why: 'No.' } as const
      app.pushes.answers.push(refused)
      expect(await pass(1, ['a'])).toBe(1)
      expect(await pass(5, ['a'])).toBe(2)
      app.pushes.answers.push(refused, refused, refused, refused)
      expect(await pass(5, ['a', 'b'])).toBe(5)
      expect(app.pushes.sent[0]?.message).toMatchObject(backupTexts.alarms[what])
    },
  )
})

test('what an earlier version has told is not told again', async () => {
  const app = await openApp()
  await writeFact(app.db, 'told-backups-damaged', '["a"]')
  const rung: Alarm[] = []
  const notify = async (_: unknown, alarm: Alarm) => rung.push(alarm) > 0
  for (const about of [['a'], ['a', 'b']]) {
    const now = app.services.now()
    await transact(app.db, (t) => notifyOnce(t, { what: 'damaged', about, now, notify }))
    expect(rung).toHaveLength(about.length - 1)
  }
})

test('no alarm takes the place of another on a device that sleeps', () => {
  const topics = (['failed', 'damaged', 'incomplete'] as const).map((what) =>
    topicOf(alarmMessage(what).tag),
  )
  expect(new Set(topics).size).toBe(3)
})
