/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { readPerson, updatePerson } from '#server/db/person.ts'
import { openDb } from '#server/db/open.ts'
import { postgresDialect } from '#server/db/postgres.ts'
import { transact } from '#server/db/transact.ts'
import { freshFolder } from '#tests/support/database.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startOwnPostgres, type OwnPostgres } from '#tests/support/postgres.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'
import { within } from '#tests/support/within.ts'

/* The product on a PostgreSQL that goes away, comes back, ends connections and stands still. */

vi.setConfig({ testTimeout: 180_000 })

const [section] = sections as readonly [Section, ...Section[]]
const metricsToken = 'medidas-para-prometheus-0001'

async function openSite(entry: Parameters<typeof serverEntry>[0] = 'calls-server') {
  const postgres = await startOwnPostgres()
  if (!postgres) throw new Error('PostgreSQL went missing')
  onTestFinished(() => postgres.stop())
  const env = {
    DATA_DIR: await freshFolder(),
    DATABASE_URL: postgres.url,
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
    LIMIT_WRITES: '999999/1',
    LIMIT_READS: '999999/1',
    METRICS_TOKEN: metricsToken,
  }
  const server = await startServer(env, serverEntry(entry))
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const call = async (method: string, path: string, { body, ...headers }: Sent = {}) => {
    const answer = await fetchInTime(`${server.url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json: unknown = await answer.json()
    return { status: answer.status, headers: answer.headers, json }
  }
  const { json } = await call('POST', ownerCalls.login, { body: owner })
  const { token } = json as { readonly token: string }
  return { postgres, server, call, authorization: `Bearer${token}` }
}

type Sent = { readonly body?: unknown } & Readonly<Record<string, unknown>>
type Site = Awaited<ReturnType<typeof openSite>>

/** Ends every connection of everybody else. */
async function endConnections({ url }: OwnPostgres): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
  )
  await client.end()
  return rowCount ?? 0
}

/** Writes and reads until told to stop; what was acknowledged, and every status that was answered. */
function load(site: Site, lanes: number) {
  const { call, authorization } = site
  const stop = new AbortController()
  const { signal } = stop
  const acknowledged = new Set<string>()
  const statuses = new Map<number, number>()
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const write = async () => {
    while (!signal.aborted) {
      const key = randomUUID()
      const body = { ...completeValues(section, { name: key.slice(0, 18) }) }
      const send = () =>
        call('POST', `${section.key}/create`, { body, authorization, [idempotencyHeader]: key })
      let answer = await send()
      for (; answer.status !== 201 && !signal.aborted; answer = await send()) {
        count(answer.status)
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).not.toBe(null)
        await wait(20)
      }
      count(answer.status)
      if (answer.status === 201) acknowledged.add(key.slice(0, 18))
    }
  }
  const read = async () => {
    while (!signal.aborted) count((await call('GET', section.key)).status)
  }
  const running = Promise.all([
    ...Array.from({ length: lanes }, write),
    ...Array.from({ length: lanes }, read),
  ])
  return {
    acknowledged,
    statuses,
    stop: () => {
      stop.abort()
      return running
    },
  }
}

/** The measured values, as Prometheus reads them. */
async function scrape({ server }: Site): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const answer = await fetchInTime(`${server.url}/api/${ownerCalls.metrics}`, { headers })
  expect(answer.status).toBe(200)
  return answer.text()
}

const storedNames = async ({ call }: Site) =>
  ((await call('GET', section.key)).json as { readonly name: string }[]).map(({ name }) => name)

/** How long a page waits for an answer before it gives up. */
const pageWaitsMs = 20_000

describe.skipIf(inject('postgresUrl') === '')('on a PostgreSQL that fails', () => {
  test('its connections ended 100 times and ten restarts under load end nothing and lose nothing acknowledged', async () => {
    const site = await openSite()
    const before = (await storedNames(site)).length
    const working = load(site, 4)
    let ended = 0
    for (let round = 1; round <= 100; round++) {
      const seen = working.acknowledged.size
      if (round % 10 === 0) await site.postgres.restart()
      else ended += await endConnections(site.postgres)
      await expect
        .poll(() => working.acknowledged.size > seen, { interval: 5, timeout: 60_000 })
        .toBe(true)
    }
    await working.stop()
    expect(ended).toBeGreaterThan(90)
    expect(new Set([...working.statuses.keys(), 503])).toEqual(new Set([200, 201, 503]))
    const names = await storedNames(site)
    // Each once: a call repeated after a lost answer was not done again.
    expect(new Set(names).size).toBe(names.length)
    expect(names.length - before).toBe(working.acknowledged.size)
    expect(names).toEqual(expect.arrayContaining([...working.acknowledged]))
    expect(await site.server.stop()).toBe(0)
  })

  test('connections ended under a read and in the middle of a transaction cost another try, not an error', async () => {
    const postgres = await startOwnPostgres()
    if (!postgres) throw new Error('PostgreSQL went missing')
    onTestFinished(() => postgres.stop())
    const { db, close } = await openDb({ engine: 'postgres', url: postgres.url })
    const reading = db.selectNoFrom(sql<string>`pg_sleep(1)::text`.as('slept')).execute()
    await expect.poll(() => endConnections(postgres), { interval: 50 }).toBeGreaterThan(0)
    expect(await reading).toEqual([{ slept: '' }])
    let runs = 0
    await transact(db, async (t) => {
      runs++
      await updatePerson(t, { patch: { name: `Intento ${runs}` } })
      if (runs === 1) await endConnections(postgres)
      await readPerson(t)
    })
    expect(runs).toBe(2)
    expect((await readPerson(db)).fields['name']).toBe('Intento 2')
    // What nobody can know to be undone is not done again by itself.
    await db.transaction().execute(async (t) => {
      await updatePerson(t, { patch: { name: 'Intento 3' } })
    })
    const write = db
      .updateTable('person')
      .set({ name: sql`pg_sleep(1)::text || 'x'` })
      .execute()
      .catch((error: unknown) => error)
    await expect.poll(() => endConnections(postgres), { interval: 50 }).toBeGreaterThan(0)
    expect(await write).toMatchObject({ fault: 'busy', undone: false })
    await close()
  })

  test('while it takes no writes they are refused with a time to come back, and it is read on', async () => {
    const { postgres, call, authorization } = await openSite()
    const takeWrites = async (isOn: boolean) => {
      const client = new Client({ connectionString: postgres.url })
      await client.connect()
      await client.query('set transaction_read_only = off')
      await client.query(`alter system set default_transaction_read_only = ${isOn ? 'off' : 'on'}`)
      await client.query('select pg_reload_conf()')
      await client.end()
    }
    const write = () =>
      call('POST', `${section.key}/create`, { body: completeValues(section), authorization })
    await takeWrites(false)
    await expect.poll(async () => (await write()).status).toBe(503)
    expect((await write()).headers.get('retry-after')).not.toBe(null)
    expect((await call('GET', section.key)).status).toBe(200)
    await takeWrites(true)
    await expect.poll(async () => (await write()).status).toBe(201)
  })

  test('while it stands still whoever asks it is refused before a page has given up waiting', async () => {
    const postgres = await startOwnPostgres()
    if (!postgres) throw new Error('PostgreSQL went missing')
    onTestFinished(() => postgres.stop())
    const { db, close } = await openDb({ engine: 'postgres', url: postgres.url })
    onTestFinished(close)
    onTestFinished(() => void vi.useRealTimers())
    onTestFinished(() => postgres.thaw())
    // One connection is there, and the second has to be made.
    await readPerson(db)
    postgres.freeze()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const refusals: unknown[] = []
    const asked = [
      readPerson(db),
      transact(db, (t) => updatePerson(t, { patch: { name: 'Nadie' } })),
    ].map((asking) => asking.catch((error: unknown) => void refusals.push(error)))
    await vi.advanceTimersByTimeAsync(pageWaitsMs)
    expect(refusals).toEqual(asked.map(() => expect.objectContaining({ fault: 'busy' }) as unknown))
  })

  test('while it stands still every call and page is refused, and it goes on afterwards', async () => {
    const site = await openSite('site-server')
    const { call, authorization, server } = site
    const body = completeValues(section)
    const everything = () =>
      Promise.all([
        ...[section.path, '/about'].map((path) => fetchInTime(server.url + path)),
        ...Array.from({ length: 15 }, () => call('GET', section.key)),
        ...Array.from({ length: 15 }, () =>
          call('POST', `${section.key}/create`, { body, authorization }),
        ),
        call('POST', ownerCalls.login, { body: owner }),
        call('GET', ownerCalls.ready),
      ])
    await everything()
    const before = (await storedNames(site)).length
    site.postgres.freeze()
    // It stands still until all are answered: a call without a bound would never be.
    const answers = await everything()
    const health = await call('GET', ownerCalls.health)
    const measured = await scrape(site)
    site.postgres.thaw()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(health.status).toBe(200)
    expect(measured).toMatch(/^tintero_database_up 0$/m)
    expect(measured).toMatch(/^tintero_calls_total\{method="GET",status="503"\} \d+$/m)
    expect(measured).toMatch(/^tintero_backup_failed 0$/m)
    expect(measured).not.toContain('tintero_jobs_pending')
    for (const { headers } of answers) expect(headers.get('retry-after')).not.toBe(null)
    await expect.poll(async () => (await call('GET', section.key)).status).toBe(200)
    // What was refused was not done behind anybody's back.
    expect((await storedNames(site)).length).toBe(before)
    expect((await call('POST', `${section.key}/create`, { body, authorization })).status).toBe(201)
    expect(await scrape(site)).toMatch(/^tintero_database_up 1$/m)
    expect(await site.server.stop()).toBe(0)
  })
})

test('a start without the server it is told to use says so in a sentence, and what to look at', async () => {
  const port = await freePort()
  const env = { DATA_DIR: await freshFolder(), DATABASE_URL: `postgres://eva@127.0.0.1:${port}/cv` }
  const message = `connect ECONNREFUSED 127.0.0.1:${port}`
  await expect(startServer(env, serverEntry('calls-server'))).rejects.toThrow(
    new Error(
      `The server stopped (1) before it listened.\n${fill(cliTexts.noPostgres, { message })}\n`,
    ),
  )
})

test('an address is taken as it is written, a space in the password and the path of a socket included', async () => {
  const folder = await freshFolder()
  const server = createServer()
  server.listen(join(folder, '.s.PGSQL.5432'))
  onTestFinished(() => void server.close())
  const asked = once(server, 'connection').then(async ([socket]: Socket[]) => {
    const [startup] = (await once(socket as Socket, 'data')) as Buffer[]
    socket?.destroy()
    return startup?.toString()
  })
  const query = `options=-c%20geqo%3Doff&application_name=otro&host=${folder}`
  const dialect = await postgresDialect(`postgres://eva:a b@/cv?${query}`)
  const driver = dialect.createDriver()
  onTestFinished(() => driver.destroy())
  const refused = driver.acquireConnection().catch((error: unknown) => String(error))
  const startup = await within(90, 'what a connection begins with', Promise.race([asked, refused]))
  expect(startup).toContain('user\0eva\0database\0cv\0')
  expect(startup).toContain('options\0-c geqo=off -c lock_timeout=')
  expect(startup).toContain('application_name\0tintero\0')
})
