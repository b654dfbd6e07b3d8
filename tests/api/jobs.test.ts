import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/durations.ts'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { parseMessageList } from '#contract/messages/messages.ts'
import type { Device, FailedPush } from '#contract/notifications/push.ts'
import { addJob, claimJobs, sweepJobs } from '#server/jobs/job-table.ts'
import { createJobs, retryDelayMs, type JobResult } from '#server/jobs/worker.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'

const addDevice = async (app: TestApp, label = 'Teléfono', endpoint?: string) => {
  const body = { address: subscribe(endpoint).address, label }
  return String(membersOf(await app.asOwner('POST', ownerCalls.devices, { body }))['id'])
}

const write = async (app: TestApp, name: string) => {
  const body = { name, email: 'eva@example.com', message: `Hola, soy ${name}.` }
  expect((await app.call('POST', calls.contact, { body })).status).toBe(201)
}

const titles = (app: TestApp) => app.pushes.sent.map(({ message }) => message.title)
const devices = async (app: TestApp) =>
  (await app.asOwner('GET', ownerCalls.devices)).json as readonly Device[]
const failed = async (app: TestApp) =>
  (await app.asOwner('GET', `${ownerCalls.push}/failed`)).json as readonly FailedPush[]
const failedRows = async ({ db }: TestApp) =>
  (await db.selectFrom('job').select('id').where('state', '=', 'dead').execute()).length
const waiting = async ({ db }: TestApp) =>
  (await db.selectFrom('job').select(['kind', 'state', 'attempts', 'due_at']).execute()).length

describe.each(engines)('on %s', (engine) => {
  test('a message reaches every device, and nothing is left to do', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await addDevice(app, 'Portátil')
    await write(app, 'Eva')
    expect(app.pushes.sent).toEqual([])
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva', 'Mensaje de Eva'])
    expect(await waiting(app)).toBe(0)
    const sentAt = (await devices(app)).map(({ lastSentAt }) => lastSentAt)
    expect(sentAt).toEqual(['2031-03-01T10:00:00.000Z', '2031-03-01T10:00:00.000Z'])
  })

  test('a message that is not stored rings nobody', async () => {
    const app = await openApp({ engine, env: { LIMIT_CONTACT: '1/600' } })
    await addDevice(app)
    await write(app, 'Eva')
    await app.services.jobs.runDue()
    const body = { name: 'Luis', email: 'luis@example.com', message: 'Hola' }
    expect((await app.call('POST', calls.contact, { body })).status).toBe(429)
    expect(await waiting(app)).toBe(0)
  })

  test('while messages lie unread, the next ones wait and ring together after an hour', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    for (const name of ['Eva', 'Luis', 'Ana']) {
      await write(app, name)
      await app.services.jobs.runDue()
      app.pass(minuteMs)
    }
    expect(titles(app)).toEqual(['Mensaje de Eva'])
    app.pass(hourMs - 4 * minuteMs)
    await app.services.jobs.runDue()
    expect(titles(app)).toHaveLength(1)
    app.pass(minuteMs)
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva', '3 mensajes sin leer'])
    expect(app.pushes.sent.at(-1)?.message).toMatchObject({ unread: 3 })
  })

  test('what began to wait while the clock was a year ahead rings when it is right again', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    const yearMs = 365 * 24 * hourMs
    app.pass(yearMs)
    for (const name of ['Eva', 'Luis']) {
      await write(app, name)
      await app.services.jobs.runDue()
    }
    expect(titles(app)).toHaveLength(1)
    app.pass(-yearMs)
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva', 'Mensaje de Luis'])
  })

  test('who has read her messages hears of the next one at once', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    await app.services.jobs.runDue()
    await app.asOwner('POST', `${ownerCalls.messages}/read`)
    await write(app, 'Luis')
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva', 'Mensaje de Luis'])
  })

  test('messages read before their turn ring nobody', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    await app.services.jobs.runDue()
    await write(app, 'Luis')
    await app.services.jobs.runDue()
    await app.asOwner('POST', `${ownerCalls.messages}/read`)
    app.pass(hourMs)
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva'])
    expect(await waiting(app)).toBe(0)
  })

  test('a failure is tried again later and later, and then kept for the owner', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    const why = 'El servicio de avisos no responde.'
    for (let i = 0; i < 12; i++) app.pushes.answers.push({ state: 'retry', why })
    for (let i = 0; i < 11; i++) {
      await app.services.jobs.runDue()
      expect(app.pushes.sent).toHaveLength(i + 1)
      const ms = retryDelayMs(i + 1, 0.5)
      app.pass(ms - 1)
      expect(await app.services.jobs.runDue()).toBe(0)
      app.pass(1)
    }
    expect(await failed(app)).toEqual([])
    await app.services.jobs.runDue()
    expect(await failed(app)).toMatchObject([{ what: 'Mensaje de Eva', device: 'Teléfono', why }])
    expect((await devices(app)).map(({ trouble }) => trouble)).toEqual([why])
    app.pass(24 * hourMs)
    expect(await app.services.jobs.runDue()).toBe(0)
  })

  test('what was given up is sent again when the owner asks, or forgotten', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    const why = 'El servicio de avisos no lo aceptó (413).'
    app.pushes.answers.push({ state: 'rejected', why })
    await app.services.jobs.runDue()
    const [dead] = await failed(app)
    const path = `${ownerCalls.push}/failed/retry/${dead?.id}`
    expect((await app.asOwner('POST', path)).status).toBe(200)
    app.pushes.answers.push({ state: 'rejected', why })
    await app.services.jobs.runDue()
    expect(titles(app)).toHaveLength(2)
    expect((await app.asOwner('DELETE', `${ownerCalls.push}/failed/${dead?.id}`)).status).toBe(200)
    expect(await failed(app)).toEqual([])
    expect((await app.asOwner('POST', path)).status).toBe(404)
    expect(await waiting(app)).toBe(0)
  })

  test.each(['deleted', 'moved to the spam folder that is emptied'])(
    'of a message that is %s nothing is told any more',
    async (end) => {
      const app = await openApp({ engine, env: { NOTIFY_EVERY: '0' } })
      await addDevice(app)
      for (const state of ['rejected', 'retry'] as const) {
        app.pushes.answers.push({ state, why: 'No.' })
        await write(app, state)
        await app.services.jobs.runDue()
      }
      expect(await waiting(app)).toBe(2)
      const list = parseMessageList((await app.asOwner('GET', ownerCalls.messages)).json)
      const id = list.messages.find(({ name }) => name === 'rejected')?.id
      if (end === 'deleted') await app.asOwner('DELETE', `${ownerCalls.messages}/delete/${id}`)
      const body = { tray: 'spam' }
      await app.asOwner('PUT', `${ownerCalls.messages}/update/${id}`, { body })
      await app.asOwner('DELETE', `${ownerCalls.messages}/spam`)
      expect(await failed(app)).toEqual([])
      expect(await waiting(app)).toBe(1)
    },
  )

  test('what was given up is shown for a month', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    app.pushes.answers.push({ state: 'rejected', why: 'No.' })
    await app.services.jobs.runDue()
    app.pass(30 * 24 * hourMs)
    await sweepJobs(app.db, app.services.now())
    expect(await failedRows(app)).toBe(1)
    app.pass(1)
    await sweepJobs(app.db, app.services.now())
    expect(await failedRows(app)).toBe(0)
  })

  test('a device told to wait is left alone for that long, the others are not', async () => {
    const app = await openApp({ engine, env: { NOTIFY_EVERY: '0' } })
    const endpoint = 'https://push.example.com/telefono'
    await addDevice(app, 'Teléfono', endpoint)
    await write(app, 'Eva')
    app.pushes.answers.push({ state: 'retry', afterMs: 90_000, why: '' })
    await app.services.jobs.runDue()
    await addDevice(app, 'Portátil')
    await write(app, 'Luis')
    app.pushes.answersTo.set(endpoint, { state: 'retry', afterMs: 600_000, why: '' })
    await app.services.jobs.runDue()
    expect(titles(app)).toEqual(['Mensaje de Eva', 'Mensaje de Luis', 'Mensaje de Luis'])
    app.pass(90_000)
    await app.services.jobs.runDue()
    expect(titles(app)).toHaveLength(3)
    app.pass(510_000)
    await app.services.jobs.runDue()
    expect(titles(app).slice(3).toSorted()).toEqual(['Mensaje de Eva', 'Mensaje de Luis'])
  })

  test('a service that asks to come back at once is not asked twelve times at once', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await write(app, 'Eva')
    for (let i = 0; i < 3; i++) app.pushes.answers.push({ state: 'retry', afterMs: 0, why: '' })
    await app.services.jobs.runDue()
    expect(app.pushes.sent).toHaveLength(2)
    app.pass(retryDelayMs(2, 0.5))
    await app.services.jobs.runDue()
    expect(app.pushes.sent).toHaveLength(3)
    app.pass(retryDelayMs(2, 0.5))
    expect(await app.services.jobs.runDue()).toBe(0)
    app.pass(retryDelayMs(2, 0.5))
    await app.services.jobs.runDue()
    expect(titles(app)).toHaveLength(4)
    expect(await waiting(app)).toBe(0)
  })

  test('a device that is gone is forgotten with all that waited for it', async () => {
    const app = await openApp({ engine })
    await addDevice(app)
    await addDevice(app, 'Portátil')
    await write(app, 'Eva')
    app.pushes.answers.push({ state: 'gone' })
    await app.services.jobs.runDue()
    expect(await devices(app)).toHaveLength(1)
    expect(await waiting(app)).toBe(0)
  })

  test('two workers on one database never take the same job, unless its holder is gone', async () => {
    const app = await openApp({ engine })
    const { db, now, log } = app.services
    const done: string[] = []
    let hangs = true
    const worker = () =>
      createJobs({
        db,
        now,
        log,
        engine: 'postgres',
        handlers: {
          ring: async ({ id }): Promise<JobResult> => {
            if (hangs) return new Promise(() => undefined)
            done.push(id)
            return { state: 'done' }
          },
          push: async () => ({ state: 'done' }),
          links: async () => ({ state: 'done' }),
          mail: async () => ({ state: 'done' }),
        },
      })
    for (let i = 0; i < 5; i++) await addJob(db, { kind: 'ring', now: now() })
    void worker().runDue()
    await expect.poll(async () => claimed(app)).toBe(5)
    hangs = false
    for (let i = 0; i < 100; i++) await addJob(db, { kind: 'ring', now: now() })
    await Promise.all([worker(), worker(), worker()].map((each) => each.runDue()))
    expect([done.length, new Set(done).size]).toEqual([100, 100])
    app.pass(minuteMs)
    await worker().runDue()
    expect(new Set(done).size).toBe(105)
  })
})

const claimed = async ({ db }: TestApp) =>
  (await db.selectFrom('job').select('id').where('lease_until', 'is not', null).execute()).length

test('a job whose code throws is tried again and does not stop the others', async () => {
  const app = await openApp()
  const { db, now, log } = app.services
  const jobs = createJobs({
    db,
    now,
    log,
    engine: 'sqlite',
    random: () => 0,
    handlers: {
      ring: () => Promise.reject(new Error('roto')),
      push: async () => ({ state: 'done' }),
      links: async () => ({ state: 'done' }),
      mail: async () => ({ state: 'done' }),
    },
  })
  await addJob(db, { kind: 'ring', now: now() })
  await addJob(db, { kind: 'push', now: now() })
  expect(await jobs.runDue()).toBe(2)
  expect(app.events.at(-1)).toMatchObject({ event: 'job-failed', kind: 'ring' })
  app.pass(4_000)
  expect(await jobs.runDue()).toBe(1)
})

test('the worker does what is written down while it runs, and stops when told', async () => {
  const app = await openApp({ engine: 'sqlite' })
  await addDevice(app)
  const { jobs } = app.services
  await jobs.start()
  await write(app, 'Eva')
  await expect.poll(() => titles(app)).toEqual(['Mensaje de Eva'])
  await jobs.stop()
  await app.asOwner('POST', `${ownerCalls.messages}/read`)
  await write(app, 'Luis')
  expect(await waiting(app)).toBe(1)
})

test('a stop waits for what is under way, also beside a job whose end cannot be noted', async () => {
  const app = await openApp({ engine: 'sqlite' })
  const { db, now, log } = app.services
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let isOver = false
  const jobs = createJobs({
    db,
    now,
    log,
    engine: 'sqlite',
    handlers: {
      // No moment at all, which no table takes.
      ring: async () => ({ state: 'later', at: new Date(Number.NaN) }),
      push: async () => {
        begun.resolve()
        await end.promise
        isOver = true
        return { state: 'done' }
      },
      links: async () => ({ state: 'done' }),
      mail: async () => ({ state: 'done' }),
    },
  })
  await addJob(db, { kind: 'ring', now: now() })
  await addJob(db, { kind: 'push', now: now() })
  await jobs.start()
  await begun.promise
  await wait(100)
  const stopped = jobs.stop().then(() => isOver)
  setTimeout(end.resolve, 100)
  expect(await stopped).toBe(true)
  expect(app.events.map(({ event }) => event)).toContain('job-not-noted')
  expect(await db.selectFrom('job').select('kind').execute()).toEqual([{ kind: 'ring' }])
})

test('on one file, a start takes up at once what the process before it had begun', async () => {
  const app = await openApp({ engine: 'sqlite' })
  await addDevice(app)
  await write(app, 'Eva')
  await claimJobs(app.db, { now: app.services.now(), leaseMs: hourMs, most: 10 })
  expect(await app.services.jobs.runDue()).toBe(0)
  await app.services.jobs.start()
  await expect.poll(() => titles(app)).toEqual(['Mensaje de Eva'])
  await app.services.jobs.stop()
})

test('tries are five seconds apart at first and an hour at last', () => {
  expect([1, 2, 3].map((failures) => retryDelayMs(failures, 0.5))).toEqual([5_000, 10_000, 20_000])
  expect(retryDelayMs(12, 0.5)).toBe(hourMs)
  expect([0, 1].map((random) => retryDelayMs(1, random))).toEqual([4_000, 6_000])
})
