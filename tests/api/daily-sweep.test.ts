import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import { idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { hit } from '#server/api/throttle.ts'
import { begin } from '#server/backup/restored-content.ts'
import { createEntry, removeEntry } from '#server/db/entries.ts'
import { sweepDaily } from '#server/daily-sweep.ts'
import { addJob } from '#server/jobs/job-table.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

/** Days of a site that is there, each with its sweep. */
async function live(app: TestApp, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    app.pass(dayMs)
    await sweep(app)
  }
}

const sweep = ({ services }: Pick<TestApp, 'services'>) =>
  sweepDaily(services, new AbortController().signal)

test('a sweep that fails is told once, and the others of the day are made all the same', async () => {
  const app = await openApp({ engine: 'sqlite' })
  const made = await app.asOwner('POST', `${project.key}/create`, { body: completeValues(project) })
  await app.asOwner('DELETE', `${project.key}/delete/${String(membersOf(made)['id'])}`)
  await hit(app.db, 'old', { limit: 1, windowMs: 1, now: app.services.now() })
  await sweep(app)
  await live(app, 31)
  app.pass(dayMs)
  for (const table of ['one_time_link', 'job']) await app.db.schema.dropTable(table).execute()
  await sweep(app)
  const told = app.events.filter(({ event }) => event === 'sweep-failed')
  expect(told.map(({ what }) => what)).toEqual(['links', 'jobs'])
  expect(String(told[0]?.['error'])).toContain('no such table: one_time_link')
  for (const table of ['session', 'throttle', 'bin'] as const) {
    expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
  }
})

test('a sweep that a stop cuts short is no failure', async () => {
  const app = await openApp({ engine: 'sqlite' })
  const stopping = new AbortController()
  const images = {
    ...app.services.images,
    sweep: async () => {
      stopping.abort()
      await app.db.destroy()
      return app.services.images.sweep()
    },
  }
  await sweepDaily({ ...app.services, images }, stopping.signal)
  expect(app.events).not.toContainEqual(expect.objectContaining({ event: 'sweep-failed' }))
})

describe.each(engines)('on %s', (engine) => {
  /** A site with one thing of each kind that time takes away, none of them over. */
  async function openKept() {
    const app = await openApp({ engine })
    const { db, services } = app
    const moment = services.now().toISOString()
    const made = await app.asOwner('POST', `${project.key}/create`, {
      body: completeValues(project),
      headers: { [idempotencyHeader]: 'una' },
    })
    await app.asOwner('DELETE', `${project.key}/delete/${String(membersOf(made)['id'])}`)
    const picture = { hash: 'a'.repeat(40), file: `${'a'.repeat(40)}.1x1.webp`, bytes: 1 }
    const dated = { digests: '', created_at: moment, orphan_since: moment }
    await db
      .insertInto('image')
      .values({ ...picture, ...dated })
      .execute()
    await addJob(db, { kind: 'mail', now: services.now() })
    await db.updateTable('job').set({ state: 'dead' }).execute()
    const left = async () => {
      const tables = ['bin', 'idempotency_key', 'image', 'job', 'session'] as const
      const counts = tables.map(async (table) => {
        const rows = await db.selectFrom(table).selectAll().execute()
        return rows.length > 0 ? [table] : []
      })
      return (await Promise.all(counts)).flat()
    }
    expect(await left()).toHaveLength(5)
    return { app, left }
  }

  test('a clock that is ahead for some hours takes nothing away', async () => {
    const { app, left } = await openKept()
    await sweep(app)
    app.pass(dayMs)
    await sweep(app)
    app.pass(60 * dayMs)
    // Once by itself, and again with every start.
    for (let start = 0; start < 4; start++) {
      await sweep(app)
      app.pass(hourMs)
    }
    app.pass(-60 * dayMs)
    for (let day = 0; day < 3; day++) {
      await sweep(app)
      expect(await left()).toHaveLength(5)
      app.pass(dayMs)
    }
    expect((await app.asOwner('GET', ownerCalls.devices)).status).toBe(200)
  })

  test('nor does the first look of a site that was away; the next day’s takes what is over, but what lies for thirty days of its own', async () => {
    const { app, left } = await openKept()
    await sweep(app)
    app.pass(60 * dayMs)
    await sweep(app)
    app.pass(minuteMs)
    await sweep(app)
    expect(await left()).toHaveLength(5)
    await live(app, 1)
    expect(await left()).toEqual(['bin', 'image'])
    await live(app, 27)
    expect(await left()).toEqual(['bin', 'image'])
    await live(app, 5)
    expect(await left()).toEqual([])
  })

  const again = '0190a000-0000-7000-8000-000000000001'

  test.each([
    ['behind', -90],
    ['ahead', 90],
  ])(
    'what she deletes while the clock is %s lies for thirty days, and no longer',
    async (_, days) => {
      const { app } = await openKept()
      await sweep(app)
      await live(app, 1)
      app.pass(days * dayMs)
      await app.db.deleteFrom('bin').execute()
      await app.db.transaction().execute(async (t) => {
        await createEntry(t, project, { id: again, values: completeValues(project) })
        await removeEntry(t, project, { id: again, now: app.services.now() })
      })
      app.pass(-days * dayMs)
      await live(app, 29)
      expect(await app.db.selectFrom('bin').select('id').execute()).toEqual([{ id: again }])
      await live(app, 5)
      expect(await app.db.selectFrom('bin').select('id').execute()).toEqual([])
    },
  )

  test('what lay when the clock fell behind for some days goes when its days are over', async () => {
    const { app, left } = await openKept()
    await sweep(app)
    await live(app, 10)
    app.pass(-90 * dayMs)
    await live(app, 5)
    app.pass(90 * dayMs)
    await live(app, 12)
    expect(await left()).toEqual(expect.arrayContaining(['bin', 'image']))
    await live(app, 7)
    expect(await left()).toEqual([])
  })

  test('what lay in the bin of a backup that is dated ahead lies for thirty days after the restore', async () => {
    const { app } = await openKept()
    await sweep(app)
    app.pass(-90 * dayMs)
    await app.db.transaction().execute((t) => begin(t, { now: app.services.now(), isAside: false }))
    await sweep(app)
    await live(app, 28)
    expect(await app.db.selectFrom('bin').selectAll().execute()).toHaveLength(1)
  })
})
