/** @module-tag long */
import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { calls } from '#contract/api.ts'
import type { BackupStatus } from '#contract/backups.ts'
import type { FieldValues } from '#contract/fields.ts'
import { parseMessageList } from '#contract/messages/messages.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { resumePath } from '#contract/resume/resume.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { dayMs, hourMs } from '#contract/durations.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { appliedMigrations, openAsItIs } from '#server/db/as-it-is.ts'
import type { DbTarget } from '#server/db/open.ts'
import type { Engine, EntryRow, Tables } from '#server/db/tables.ts'
import { openFolder } from '#server/images/folder.ts'
import { sitemapPath } from '#server/pages/files.ts'
import { engines, freshFolder, freshTarget, openOld } from '#tests/support/database.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { dieAtEnv, type Step } from '#tests/support/die-at.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { hurriedEnv } from '#tests/support/hurried.ts'
import { openMoodyPushService, pushOrigin } from '#tests/doubles/moody-push-service.ts'
import { openPaths } from '#tests/support/page-paths.ts'
import { colourSquare, photograph, type Picture } from '#tests/support/pictures.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { everySection } from '#tests/support/site-data.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { owner, personPath } from '#tests/support/site.ts'

/* Backups as the processes of a site make and restore them: the server by itself, and the commands beside it. */

// However busy the machine is, only what never comes fails.
vi.setConfig({ testTimeout: 400_000, expect: { poll: { timeout: 90_000 } } })

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

/** The server on this data, with its owner signed in; without its pages unless they are asked for. */
async function serve(env: Environment, entry: Parameters<typeof serverEntry>[0] = 'calls-server') {
  const server = await startServer(env, serverEntry(entry))
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const send = (method: string, path: string, headers: Environment, body?: BodyInit) =>
    fetchInTime(`${server.url}/api/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
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
      (await call('POST', `${project.key}/create`, completeValues(project, { name }))).status,
    names: async () =>
      ((await (await call('GET', project.key)).json()) as { readonly name: string }[]).map(
        ({ name }) => name,
      ),
    authorization,
    async upload(picture: Picture, type: string = project.images.type, name = 'New/project_1') {
      const { buffer, mimeType } = picture
      const headers = { 'content-type': mimeType, authorization }
      const path = `${ownerCalls.image}/${type}?name=${name}`
      const answer = await send('PUT', path, headers, new Uint8Array(buffer))
      const { url } = (await answer.json()) as { readonly url: string }
      return { status: answer.status, url }
    },
  }
}

/** Runs a command to its end, whichever it is. */
async function run(env: Environment, ...words: readonly string[]) {
  const child = spawn(process.execPath, [serverEntry('cli'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    // What hangs is ended by another signal than those that die on purpose.
    timeout: 90_000,
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
      /^[^\n]*(?:Otro proceso ya sirve|El sitio está en marcha)[^\n]*\n$/,
    )
    expect(await site.names()).toContain('Después de la copia')
    expect(await site.create('Y aún más')).toBe(201)
    expect(await site.server.stop()).toBe(0)
    expect((await run(env, 'restore', file)).code).toBe(0)
    expect(await (await serve(env)).names()).not.toContain('Después de la copia')
  })

  test('from the file alone a fresh site shows every visitor the same, pictures too, and knows no session of before', async () => {
    /** A site of one public address, wherever the site runs. */
    const newSite = async () => {
      const target = await freshTarget(engine)
      const more = { PUBLIC_URL: 'https://lucia.example', LIMIT_READS: '9999/1' }
      const database = target.engine === 'postgres' ? { DATABASE_URL: target.url } : {}
      return { ...(await freshEnv()), ...more, ...database }
    }
    const env = await newSite()
    const site = await serve(env, 'site-server')
    await fillEverything(site)
    const made = await site.call('POST', ownerCalls.backups)
    const { name } = (await made.json()) as { readonly name: string }
    const taken = await site.call('GET', `${ownerCalls.backups}/${name}`)
    const file = join(await freshFolder(), 'copia.zip')
    await writeFile(file, new Uint8Array(await taken.arrayBuffer()))
    const before = await shownBy(site.server.url, join(env.DATA_DIR, 'media'))
    expect(Object.keys(before.pictures)).toHaveLength(4)
    expect(before.pages['/projects']).toContain('Mesa de roble')
    await site.server.stop()

    const elsewhere = await newSite()
    expect((await run(elsewhere, 'restore', file)).code).toBe(0)
    const restored = await startServer(elsewhere, serverEntry('site-server'))
    onTestFinished(async () => void (await restored.stop('SIGKILL')))
    expect(await shownBy(restored.url, join(elsewhere.DATA_DIR, 'media'))).toEqual(before)
    const headers = { authorization: site.authorization }
    const refused = await fetchInTime(`${restored.url}/api/${ownerCalls.messages}`, { headers })
    expect(refused.status).toBe(401)
  })
})

test('a restore of a file that was killed is said by doctor and by the next start, which takes away what it left', async () => {
  const env = await freshEnv()
  const site = await serve(env)
  expect((await site.upload(await colourSquare('#369'))).status).toBe(201)
  expect((await site.call('POST', ownerCalls.backups)).status).toBe(201)
  const [name = ''] = await backupsIn(env)
  const backup = join(env.BACKUP_DIR, name)
  expect(await site.create('Después de la copia')).toBe(201)
  await site.server.stop()
  const file = join(env.DATA_DIR, 'tintero.sqlite.restoring')
  const left = async () =>
    (await readdir(env.DATA_DIR)).filter((one) => one.includes('.restoring')).toSorted()
  await rm(join(env.DATA_DIR, 'media'), { recursive: true })
  const step: Step = { call: 'rename', about: '/media/tmp/', side: 'after' }
  const killed = await run({ ...env, ...dieAtEnv(step) }, 'restore', backup)
  expect(killed.signal).toBe('SIGKILL')
  const made = ['', '.lock', '.lock-journal'].map((ending) => `tintero.sqlite.restoring${ending}`)
  expect(await left()).toEqual(made)
  // Killed a little earlier it leaves these as well.
  const beside = ['-journal', '-shm', '-wal', '.used']
  for (const ending of beside) await writeFile(file + ending, '')

  const { brokenOffFile, brokenOffRemoved } = backupTexts
  const examined = await run(env, 'doctor')
  expect(examined.code).toBe(1)
  expect(examined.said).toContain(`✗ ${fill(brokenOffFile, { file })}\n`)
  expect(await left()).toHaveLength(made.length + beside.length)

  const next = await serve(env)
  expect(await left()).toEqual([])
  expect(next.server.logs()).toContain(`${fill(brokenOffRemoved, { file })}\n`)
  expect(next.server.logs()).toContain(`"event":"restore-broken-off","file":"${file}"`)
  expect(await next.names()).toContain('Después de la copia')
  await next.server.stop()
  const quiet = await serve(env)
  expect(quiet.server.logs()).not.toContain('restore-broken-off')
  await quiet.server.stop()
  expect((await run(env, 'doctor')).said).not.toContain('restauración')

  await rm(join(env.DATA_DIR, 'media'), { recursive: true })
  await run({ ...env, ...dieAtEnv(step) }, 'restore', backup)
  for (const ending of beside) await writeFile(file + ending, '')
  expect((await run(env, 'restore', backup)).code).toBe(0)
  expect(await left()).toEqual([])
  expect(await (await serve(env)).names()).not.toContain('Después de la copia')
})

test('what a killed restore has left and cannot be removed holds up no start, and is said', async () => {
  const env = await freshEnv()
  const file = join(env.DATA_DIR, 'tintero.sqlite.restoring')
  await mkdir(file, { recursive: true })
  const { server, names } = await serve(env)
  const [said = ''] = backupTexts.brokenOffStays.split('{file}')
  expect(server.logs()).toContain(`${said}${file}`)
  expect(server.logs()).toContain('"event":"restore-left"')
  expect(await names()).not.toEqual([])
  // That the site is served is no restore that runs.
  const examined = await run({ ...env, PORT: new URL(server.url).port }, 'doctor')
  expect(examined.said).toContain(`✗ ${fill(backupTexts.brokenOffFile, { file })}\n`)
  expect(examined.said).not.toContain(doctorTexts.restoring)
})

test('what a running restore has made stays: doctor says that it runs, and a start beside it is refused', async () => {
  const env = await freshEnv()
  const site = await serve(env)
  expect((await site.upload(await colourSquare('#369'))).status).toBe(201)
  expect((await site.call('POST', ownerCalls.backups)).status).toBe(201)
  const [name = ''] = await backupsIn(env)
  await site.server.stop()
  const folder = join(env.DATA_DIR, 'media')
  await rm(folder, { recursive: true })
  const media = openFolder(folder)
  const said: unknown[] = []
  const watched: typeof media = {
    ...media,
    async write(files) {
      said.push((await run(env, 'doctor')).said)
      said.push(await startServer(env, serverEntry('calls-server')).catch(String))
      await media.write(files)
    },
  }
  const database = { engine: 'sqlite', file: join(env.DATA_DIR, 'tintero.sqlite') } as const
  const now = new Date()
  await restoreBackup(join(env.BACKUP_DIR, name), { database, media: watched, now })
  expect(said.slice(0, 2)).toEqual([
    expect.stringContaining(`! ${doctorTexts.restoring}\n`),
    expect.stringContaining(fill(cliTexts.served, { file: database.file })),
  ])
  expect(said[0]).not.toContain('interrumpió')
  const restored = await serve(env)
  expect(restored.server.logs()).not.toContain('restore-broken-off')
})

describe.each(engines)('a start on %s that finds tables of an older version', (engine) => {
  const last = '0014-history'

  /** A site as that version left it: one project, one message. */
  async function leaveOldSite() {
    const env = await freshEnv()
    const target: DbTarget =
      engine === 'sqlite'
        ? { engine, file: join(env.DATA_DIR, 'tintero.sqlite') }
        : await freshTarget(engine)
    await mkdir(env.DATA_DIR)
    const old = await openOld<Tables & Record<typeof project.key, EntryRow>>(target, last)
    await old.schema
      .createTable(project.key)
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    const entry = { id: '1', position: 1, version: 1, name: 'Radio' }
    await old.insertInto(project.key).values(entry).execute()
    await old.insertInto('site').values({ key: 'sample', value: 'dropped' }).execute()
    const message = { id: 'm1', name: 'Eva', email: 'eva@example.com', message: 'Hola' }
    const state = {
      received_at: '2030-01-01T00:00:00.000Z',
      spam: 0,
      spam_reason: '',
      read_at: null,
    }
    await old
      .insertInto('contact_message')
      .values({ ...message, ...state, rung: 1, digest: '' })
      .execute()
    await old.destroy()
    return {
      target,
      env: { ...env, ...(target.engine === 'postgres' && { DATABASE_URL: target.url }) },
    }
  }

  async function migrationsOf(target: DbTarget): Promise<readonly string[]> {
    const db = await openAsItIs(target)
    const names = await appliedMigrations(db)
    await db.destroy()
    return names
  }

  test('makes a backup before it changes them, which brings that site back', async () => {
    const { env } = await leaveOldSite()
    const site = await serve(env)
    const [name = ''] = await backupsIn(env)
    expect(name).toMatch(/-update\.zip$/)
    const file = join(env.BACKUP_DIR, name)
    expect(await verifyBackup(file)).toMatchObject({
      migration: last,
      tables: { [project.key]: 1, contact_message: 1 },
    })
    expect(await site.names()).toEqual(['Radio'])
    expect((await site.call('DELETE', `${project.key}/delete/1`)).status).toBe(200)
    expect(await site.create('Después')).toBe(201)
    expect(await site.server.stop()).toBe(0)
    expect((await run(env, 'restore', file)).code).toBe(0)
    const again = await serve(env)
    expect(await again.names()).toEqual(['Radio'])
    const messages: unknown = await (await again.call('GET', ownerCalls.messages)).json()
    expect(parseMessageList(messages).messages).toMatchObject([{ id: 'm1', message: 'Hola' }])
  })

  test('leaves them as they are where no backup can be made', async () => {
    const { env, target } = await leaveOldSite()
    await writeFile(env.BACKUP_DIR, 'in the way')
    const before = await migrationsOf(target)
    await expect(startServer(env, serverEntry('calls-server'))).rejects.toThrow(
      /The server stopped \(1\)[^\n]*\n[^\n]*copias/,
    )
    expect(await migrationsOf(target)).toEqual(before)
    await rm(env.BACKUP_DIR)
    expect(await (await serve(env)).names()).toEqual(['Radio'])
    expect(await migrationsOf(target)).not.toEqual(before)
  })
})

/** Something in every section that has a page, with pictures; a hidden entry, and one that was deleted. */
async function fillEverything(site: Awaited<ReturnType<typeof serve>>): Promise<void> {
  const settings = { ...everySection, age_text: 'Cumple con cada estación' }
  expect((await site.call('PUT', calls.config, settings)).status).toBe(200)
  const portrait = await site.upload(await photograph(1200, 900), 'Person', 'perfil_1')
  const person = { name: 'Lucía', title: 'Carpintera', image: portrait.url, alt: 'Lucía, de pie' }
  expect((await site.call('PUT', personPath(calls.personUpdate), person)).status).toBe(200)
  for (const section of sections) {
    const image = Object.entries(section.fields).find(([, { kind }]) => kind === 'image')?.[0]
    const picture = await site.upload(await colourSquare('#369'), section.images?.type ?? 'Person')
    const shown = image === undefined ? {} : { [image]: picture.url, alt: 'Un cuadrado azul' }
    const create = (fields: FieldValues) =>
      site.call('POST', `${section.key}/create`, completeValues(section, { ...shown, ...fields }))
    expect((await create({ [firstField(section)]: 'Mesa de roble' })).status).toBe(201)
    expect((await create({ hidden: 'true' })).status).toBe(201)
    const gone = (await (await create({})).json()) as { readonly id: string }
    expect((await site.call('DELETE', `${section.key}/delete/${gone.id}`)).status).toBe(200)
  }
}

const firstField = ({ fields }: Section) => Object.keys(fields)[0] ?? ''

/** Every address of a site that a visitor may ask for, with what is answered, but for the versions that begin anew; and every picture. */
async function shownBy(url: string, media: string) {
  const read = async (path: string) => {
    const answer = await fetchInTime(url + path)
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    return `${answer.status} ${answer.headers.get('content-type')} ${text}`
  }
  const readAll = async (paths: readonly string[]) =>
    Object.fromEntries<string>(
      await Promise.all(paths.map(async (path) => [path, await read(path)] as const)),
    )
  const lists = [personPath(calls.personDetail), calls.config, ...sections.map(({ key }) => key)]
  const paths = [
    ...openPaths,
    sitemapPath,
    '/robots.txt',
    '/manifest.webmanifest',
    resumePath,
    ...lists.map((call) => `/api/${call}`),
  ]
  const shown = Object.entries(await readAll(paths))
  const files = (await readdir(media)).filter((name) => !['tmp', 'listed-by'].includes(name))
  return {
    pages: Object.fromEntries(
      shown.map(([path, text]) => [path, text.replaceAll(/("version":)\d+/g, '$10')]),
    ),
    pictures: await readAll(files.map((name) => `/media/${name}`)),
  }
}

/** A site to be started at one night after the other, with a push service that takes everything. */
async function openNights(engine: Engine = 'sqlite') {
  const service = await openMoodyPushService()
  service.calmDown()
  const target = await freshTarget(engine)
  const database = target.engine === 'postgres' ? { DATABASE_URL: target.url } : {}
  const env = { ...(await freshEnv()), ...database }
  return {
    env,
    service,
    /** The site as its clock has moved on. */
    on: async (aheadMs: number) => {
      const [hurried, rerouted] = [hurriedEnv(aheadMs), rerouteEnv({ [pushOrigin]: service.url })]
      const options = `${hurried['NODE_OPTIONS']} ${rerouted['NODE_OPTIONS']}`
      return serve({ ...env, ...hurried, ...rerouted, NODE_OPTIONS: options })
    },
    /** What rang the owner's devices. */
    rung: () => [...service.got.values()].flat(),
  }
}

test('a running site makes a backup each night, and rings its owner’s device for a night without one', async () => {
  const { env, service, on, rung } = await openNights()
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

test.each(engines)(
  'a running site on %s rings for a backup that the disk has changed, and for one that lacks a picture, and once for each',
  async (engine) => {
    const { env, service, on, rung } = await openNights(engine)
    const troubleOf = async ({ call }: Awaited<ReturnType<typeof serve>>) =>
      ((await (await call('GET', ownerCalls.backupStatus)).json()) as BackupStatus).trouble
    const first = await on(0)
    const picture = await first.upload(await colourSquare('#369'))
    const shown = { image: picture.url, alt: 'Un cuadrado azul' }
    expect((await first.call('PUT', personPath(calls.personUpdate), shown)).status).toBe(200)
    const device = { address: service.newDevice(), label: 'Teléfono' }
    expect((await first.call('POST', ownerCalls.devices, device)).status).toBe(201)
    await expect.poll(() => backupsIn(env)).toHaveLength(1)
    expect(await troubleOf(first)).toBe(null)
    await first.server.stop()

    const [changed = ''] = await backupsIn(env)
    const bytes = await readFile(join(env.BACKUP_DIR, changed))
    await writeFile(join(env.BACKUP_DIR, changed), bytes.subarray(0, bytes.length / 2))
    const second = await on(dayMs)
    const { damaged, incomplete } = backupTexts.alarms
    await expect.poll(rung).toEqual([expect.objectContaining({ title: damaged.title })])
    await expect.poll(() => backupsIn(env)).toHaveLength(2)
    await second.server.stop()

    await rm(join(env.DATA_DIR, picture.url))
    const third = await on(2 * dayMs)
    await expect
      .poll(rung)
      .toEqual(
        [damaged, incomplete].map(({ title }) => expect.objectContaining({ title }) as unknown),
      )
    expect(await troubleOf(third)).toEqual({ is: 'incomplete', lacking: 1 })
    await third.server.stop()

    // Started anew it finds both again, and what it rings for is the next one.
    const fourth = await on(3 * dayMs)
    await expect.poll(() => backupsIn(env)).toHaveLength(4)
    await fourth.server.stop()
    await truncate(join(env.BACKUP_DIR, (await backupsIn(env)).at(-1) ?? ''), 100)
    const fifth = await on(4 * dayMs)
    await expect
      .poll(rung)
      .toEqual(
        [damaged, incomplete, damaged].map(
          ({ title }) => expect.objectContaining({ title }) as unknown,
        ),
      )
    await fifth.server.stop()
  },
)

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
  expect((await site.upload(await colourSquare('#369'))).status).toBe(201)
  expect((await site.call('POST', ownerCalls.backups)).status).toBe(201)
  await site.server.stop()
  const [made = ''] = await backupsIn(env)
  const kept = join(await freshFolder(), made)
  await cp(join(env.BACKUP_DIR, made), kept)
  // Two of one day that is over: the older one goes when the next is made.
  const over = new Date(Date.now() - 4 * dayMs).toISOString().slice(0, 10)
  const [older, beside] = ['T000000Z', 'T120000Z'].map((hour) =>
    made.replace(/\d{8}T\d+Z/, `${over.replaceAll('-', '')}${hour}`),
  ) as [string, string]
  for (const step of steps) {
    await rm(env.BACKUP_DIR, { recursive: true })
    await mkdir(env.BACKUP_DIR)
    for (const name of [older, beside]) await cp(kept, join(env.BACKUP_DIR, name))
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
      good: 1 + Number(!isOldGone) + Number(isNamed),
      unfinished: Number(!isNamed),
    })
    if (step !== steps[0] && step !== steps.at(-1)) continue
    const said = isNamed
      ? fill(doctorTexts.backups, { n: 2, date: new Date().toISOString().slice(0, 10) })
      : fill(doctorTexts.oldBackup, { date: over })
    expect((await run(env, 'doctor')).said).toContain(said)
    expect((await run(env, 'backup')).code).toBe(0)
    expect(await backupsIn(env)).not.toContain(older)
  }
})
