import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ownerCalls } from '#contract/owner-calls.ts'
import { dayMs, hourMs } from '#contract/durations.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { engines, freshFolder, freshTarget } from '#tests/support/database.ts'
import { dieAtEnv, type Step } from '#tests/support/die-at.ts'
import { draftFor } from '#tests/support/entry-drafts.ts'
import { hurriedEnv } from '#tests/support/hurried.ts'
import { openMoodyPushService, pushOrigin } from '#tests/doubles/moody-push-service.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'

/* Backups as the processes of a site make and restore them: the server by itself, and the commands beside it. */

vi.setConfig({ testTimeout: 400_000 })

type Environment = Readonly<Record<string, string>>

async function freshEnv(): Promise<Environment & { DATA_DIR: string; BACKUP_DIR: string }> {
  const folder = await freshFolder()
  return {
    DATA_DIR: join(folder, 'data'),
    BACKUP_DIR: join(folder, 'copias'),
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
  }
}

/** The server on this data, with its owner signed in. */
async function serve(env: Environment) {
  const server = await startServer(env, serverEntry('calls-server'))
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const send = (method: string, path: string, headers: Environment, body?: BodyInit) =>
    fetch(`${server.url}/api/${path}`, { method, headers, ...(body !== undefined && { body }) })
  const json = { 'content-type': 'application/json' }
  const login = await send('POST', ownerCalls.login, json, JSON.stringify(owner))
  const { token } = (await login.json()) as { readonly token: string }
  const authorization = `Bearer${token}`
  const call = (method: string, path: string, body?: unknown) =>
    send(method, path, { ...json, authorization }, body === undefined ? body : JSON.stringify(body))
  return {
    server,
    call,
    create: async (name: string) =>
      (await call('POST', `${project.key}/create`, draftFor(project, { name }))).status,
    names: async () =>
      ((await (await call('GET', project.key)).json()) as { readonly name: string }[]).map(
        ({ name }) => name,
      ),
    async upload() {
      const { buffer, mimeType } = await colourSquare('#369')
      const path = `${ownerCalls.image}/${project.images.type}?name=New/project_1`
      const headers = { 'content-type': mimeType, authorization }
      return (await send('PUT', path, headers, new Uint8Array(buffer))).status
    },
  }
}

/** Runs a command to its end, whichever it is. */
async function run(env: Environment, ...words: readonly string[]) {
  const child = spawn(process.execPath, ['src/server/cli.ts', ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  }
  const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) => {
    child.on('close', (...ended) => resolve(ended))
  })
  return { code, signal, said }
}

const backupsIn = async ({ BACKUP_DIR: folder = '' }: Environment) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.zip')).toSorted()

describe.each(engines)('on %s', (engine) => {
  test('a restore beside a running site is refused and changes nothing', async () => {
    const target = await freshTarget(engine)
    const env = {
      ...(await freshEnv()),
      // The address may have words of its own for the server.
      ...(target.engine === 'postgres' && {
        DATABASE_URL: `${target.url}?application_name=sitio&options=-c%20geqo%3Doff`,
      }),
    }
    const site = await serve(env)
    expect((await site.call('POST', ownerCalls.backups)).status).toBe(201)
    const [name = ''] = await backupsIn(env)
    const file = join(env.BACKUP_DIR, name)
    expect(await site.create('Después de la copia')).toBe(201)
    const refused = await run(env, 'restore', file)
    expect(refused.code).toBe(1)
    expect(refused.said).toMatch(
      /^[^\n]*(?:Another process already serves|is being served)[^\n]*\n$/,
    )
    expect(await site.names()).toContain('Después de la copia')
    expect(await site.create('Y aún más')).toBe(201)
    expect(await site.server.stop()).toBe(0)
    expect((await run(env, 'restore', file)).code).toBe(0)
    expect(await (await serve(env)).names()).not.toContain('Después de la copia')
  })
})

test('a running site makes a backup each night, and rings its owner’s device for a night without one', async () => {
  const service = await openMoodyPushService()
  service.calmDown()
  const env = await freshEnv()
  /** The site as its clock has moved on. */
  const on = async (aheadMs: number) => {
    const [hurried, rerouted] = [hurriedEnv(aheadMs), rerouteEnv({ [pushOrigin]: service.url })]
    const options = `${hurried['NODE_OPTIONS']} ${rerouted['NODE_OPTIONS']}`
    return serve({ ...env, ...hurried, ...rerouted, NODE_OPTIONS: options })
  }
  const first = await on(0)
  const device = { address: service.newDevice(), label: 'Teléfono' }
  expect((await first.call('POST', ownerCalls.devices, device)).status).toBe(201)
  await expect.poll(() => backupsIn(env)).toHaveLength(1)
  await first.server.stop()
  const second = await on(dayMs)
  await expect.poll(() => backupsIn(env)).toHaveLength(2)
  await second.server.stop()
  expect(await backupsIn(env)).toEqual([
    expect.stringMatching(/-night\.zip$/),
    expect.stringMatching(/-night\.zip$/),
  ])
  const rung = () => [...service.got.values()].flat()
  expect(rung()).toEqual([])
  // Where the next one would be put nothing can be.
  const aside = `${env.BACKUP_DIR}-aside`
  await cp(env.BACKUP_DIR, aside, { recursive: true })
  await rm(env.BACKUP_DIR, { recursive: true })
  await writeFile(env.BACKUP_DIR, 'in the way')
  const third = await on(2 * dayMs)
  const { title } = backupTexts.alarms.failed
  await expect.poll(rung).toEqual([expect.objectContaining({ title })])
  await rm(env.BACKUP_DIR)
  await cp(aside, env.BACKUP_DIR, { recursive: true })
  await third.server.stop()
  const later = await on(2 * dayMs + 2 * hourMs)
  await expect.poll(() => backupsIn(env)).toHaveLength(3)
  await later.server.stop()
  expect(rung()).toHaveLength(1)
})

const steps: readonly Step[] = [
  { call: 'readFile', about: '/media/', side: 'before' },
  { call: 'open', about: '\\.partial$', side: 'before' },
  { call: 'rename', about: '\\.partial$', side: 'before' },
  { call: 'rename', about: '\\.partial$', side: 'after' },
  { call: 'rm', about: '-hand\\.zip$', side: 'before' },
  { call: 'rm', about: '-hand\\.zip$', side: 'after' },
]

test('killed at any step of a backup there is a good one left, which is said, and the next one is made', async () => {
  const env = await freshEnv()
  const site = await serve(env)
  expect(await site.upload()).toBe(201)
  expect((await site.call('POST', ownerCalls.backups)).status).toBe(201)
  await site.server.stop()
  const [made = ''] = await backupsIn(env)
  const kept = join(await freshFolder(), made)
  await cp(join(env.BACKUP_DIR, made), kept)
  // Of the same day, so that the new one takes its place.
  const older = made.replace(/T\d+Z/, 'T000000Z')
  for (const step of steps) {
    await rm(env.BACKUP_DIR, { recursive: true })
    await mkdir(env.BACKUP_DIR)
    await cp(kept, join(env.BACKUP_DIR, older))
    const { signal } = await run({ ...env, ...dieAtEnv(step) }, 'backup')
    const left = await backupsIn(env)
    for (const name of left) await verifyBackup(join(env.BACKUP_DIR, name))
    const unfinished = (await readdir(env.BACKUP_DIR)).filter((name) => name.endsWith('.partial'))
    const isNamed = step.call === 'rm' || (step.call === 'rename' && step.side === 'after')
    const isOldGone = step.call === 'rm' && step.side === 'after'
    expect({
      step,
      signal,
      isOldGone: !left.includes(older),
      good: left.length,
      unfinished: unfinished.length,
    }).toEqual({
      step,
      signal: 'SIGKILL',
      isOldGone,
      good: Number(!isOldGone) + Number(isNamed),
      unfinished: Number(!isNamed),
    })
    if (step !== steps[0] && step !== steps.at(-1)) continue
    const date = new Date().toISOString().slice(0, 10)
    expect((await run(env, 'doctor')).said).toContain(fill(doctorTexts.backups, { n: 1, date }))
    expect((await run(env, 'backup')).code).toBe(0)
    expect(await backupsIn(env)).not.toContain(older)
  }
})
