import { copyFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { dayMs } from '#contract/durations.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { readConfig } from '#server/config.ts'
import { createApp } from '#server/api/app.ts'
import { createLog, requestOf, writerTo } from '#server/log.ts'
import { openApp } from '#tests/support/app.ts'
import { freshFolder } from '#tests/support/database.ts'

const token = 'medidas-para-prometheus-0001'

/** Asks for the measured values as Prometheus does. */
async function scrape(app: Awaited<ReturnType<typeof openApp>>, authorization?: string) {
  const answer = await createApp(app.services).request(`/api/${ownerCalls.metrics}`, {
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('without a token there is no address of measured values', async () => {
  const app = await openApp()
  expect((await scrape(app, `Bearer ${token}`)).status).toBe(404)
  // Not for the owner's session either.
  expect((await app.asOwner('GET', ownerCalls.metrics)).status).toBe(404)
})

test('with one, only who has it reads them', async () => {
  const app = await openApp({ env: { METRICS_TOKEN: token } })
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Bearer ${app.token}`, token]) {
    expect((await scrape(app, wrong)).status).toBe(401)
  }
  const { status, headers, text } = await scrape(app, `Bearer ${token}`)
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).not.toContain(token)
  // Each line is a comment or a name, perhaps labels, and a number.
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(
      /^# TYPE [a-z_0-9]+ (?:counter|gauge|histogram)$|^[a-z_0-9]+(?:\{[^{}\n]*\})? \d+(?:\.\d+)?(?:e-?\d+)?$/,
    )
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(text).toMatch(/^tintero_jobs_pending 0$/m)
})

test('they are told while the folder of backups cannot be read, as a fault of it', async () => {
  const folder = join(await freshFolder(), 'round')
  await symlink(folder, folder)
  const app = await openApp({ env: { METRICS_TOKEN: token, BACKUP_DIR: folder } })
  const { status, text } = await scrape(app, `Bearer ${token}`)
  expect(status).toBe(200)
  expect(text).toMatch(/^tintero_database_up 1$/m)
  expect(text).toMatch(/^tintero_backup_failed 1$/m)
})

test('calls are counted by method and status, whatever methods callers make up', async () => {
  const app = await openApp({ env: { METRICS_TOKEN: token } })
  const served = createApp(app.services)
  const ask = (method: string, path: string) => served.request(`/api/${path}`, { method })
  for (let i = 0; i < 3; i++) await ask('GET', calls.person)
  for (const method of ['INVENTADO', 'OTRO']) await ask(method, 'nada')
  const headers = { authorization: `Bearer ${token}` }
  const text = await (await served.request(`/api/${ownerCalls.metrics}`, { headers })).text()
  expect(text).toContain('tintero_calls_total{method="GET",status="200"} 3')
  expect(text).toContain('tintero_calls_total{method="other",status="404"} 2')
  expect(text).toMatch(/^tintero_call_seconds_bucket\{le="\+Inf"\} 5$/m)
  expect(text).toMatch(/^tintero_call_seconds_count 5$/m)
})

test('the age is that of the newest backup to fall back on, not of one that is damaged or dated ahead', async () => {
  const app = await openApp({ env: { METRICS_TOKEN: token } })
  const { backups, config } = app.services
  const age = async () =>
    /^tintero_backup_age_seconds (.*)$/m.exec((await scrape(app, `Bearer ${token}`)).text)?.[1]
  expect(await age()).toBe(undefined)
  const { name } = await backups.make('night')
  const good = join(config.backupDir, name)
  await copyFile(good, join(config.backupDir, name.replace(/\d{4}/, '2099')))
  app.pass(dayMs)
  await writeFile(join(config.backupDir, (await backups.make('night')).name), 'no zip')
  await backups.check('all')
  expect(await age()).toBe(String(dayMs / 1000))
})

test('a token that could be guessed is refused at the start', () => {
  expect(() => readConfig({ METRICS_TOKEN: 'corto' })).toThrow(
    /METRICS_TOKEN debe tener de 20 a 200/,
  )
})

function openLog() {
  let time = Date.parse('2031-03-01T10:00:00Z')
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), now: () => new Date(time) })
  return { lines, log, pass: (ms: number) => void (time += ms) }
}

test('a flood of one event is cut short and counted, and hides no other', () => {
  const { lines, log, pass } = openLog()
  for (let i = 0; i < 5000; i++) log('call-failed', { i })
  log('owner-created')
  expect(lines.length).toBe(201)
  expect(lines.at(-1)).toContain('owner-created')
  pass(10_000)
  log('call-failed')
  expect(lines.slice(201).map((line) => JSON.parse(line) as unknown)).toEqual([
    { time: '2031-03-01T10:00:10.000Z', event: 'log-left-out', of: 'call-failed', lines: 4800 },
    { time: '2031-03-01T10:00:10.000Z', event: 'call-failed' },
  ])
})

test('a line has a bound, and stays one line', () => {
  const { lines, log } = openLog()
  log('call-failed', { error: 'x\n'.repeat(100_000) })
  expect(lines[0]?.length).toBeLessThan(10_000)
  expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1)
})

test('lines that could not be written are counted once others can', async () => {
  let isFull = false
  const written: string[] = []
  // Standard output goes on after an error, which no stream of one's own does.
  const output = {
    on: () => output,
    write: (line: string, done: (error?: Error | null) => void) => {
      if (!isFull) written.push(line)
      setImmediate(done, isFull ? new Error('ENOSPC: no space left on device') : null)
      return true
    },
  }
  const write = writerTo(output, (lines) => void written.push(`lost ${lines}`))
  for (const line of ['1', '2', '3', '4', '5']) {
    isFull = line === '2' || line === '3'
    write(line)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(written).toEqual(['1', '4', 'lost 2', '5'])
})

test('what is logged while a request is answered names it', async () => {
  const { lines, log } = openLog()
  await requestOf.run('abc-1', async () => {
    await Promise.resolve()
    log('login-failed')
  })
  log('sweep-failed')
  expect(lines.map((line) => (JSON.parse(line) as { requestId?: string }).requestId)).toEqual([
    'abc-1',
    undefined,
  ])
})

test('the id that the log names is the one in the answer', async () => {
  const ids: (string | undefined)[] = []
  const app = await openApp()
  const log = () => void ids.push(requestOf.getStore())
  await app.db.schema.dropTable('revision').execute()
  const served = createApp({ ...app.services, log })
  const answer = await served.request(`/api/${ownerCalls.ready}`)
  expect(answer.status).toBe(500)
  expect(ids).toEqual([answer.headers.get('x-request-id')])
})
