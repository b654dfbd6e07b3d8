import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { project } from '#contract/sections/project.ts'
import { hit } from '#server/api/throttle.ts'
import { sweepDaily } from '#server/daily-sweep.ts'
import { membersOf, openApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'

test('a sweep that fails is told once, and the others of the day are made all the same', async () => {
  const app = await openApp({ engine: 'sqlite' })
  const made = await app.asOwner('POST', `${project.key}/create`, { body: completeValues(project) })
  await app.asOwner('DELETE', `${project.key}/delete/${String(membersOf(made)['id'])}`)
  await hit(app.db, 'old', { limit: 1, windowMs: 1, now: app.services.now() })
  app.pass(60 * dayMs)
  for (const table of ['one_time_link', 'job']) await app.db.schema.dropTable(table).execute()
  await sweepDaily(app.services, new AbortController().signal)
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
