/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  copyFile,
  cp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { calls } from '#contract/api.ts'
import { parseMessageList } from '#contract/messages/messages.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupList } from '#contract/backups.ts'
import { binCall, type BinnedEntry } from '#contract/entries/bin.ts'
import { project } from '#contract/sections/project.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { fill } from '#contract/text.ts'
import { freshFolder } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { noise, type Picture } from '#tests/support/pictures.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'
import { canMount, openSmallDisk } from '#tests/support/small-disk.ts'

/* What lies in the data folder, and what the start says when something is wrong with it. */

vi.setConfig({ testTimeout: 90_000 })

const callsServer = serverEntry('calls-server')

async function start(dataDir: string) {
  const env = { DATA_DIR: dataDir, OWNER_EMAIL: owner.userName, OWNER_PASSWORD: owner.password }
  const server = await startServer({ ...env, LIMIT_WRITES: '9999/1' }, callsServer)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  let token = ''
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Bearer${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: (text && JSON.parse(text)) as unknown }
  }
  return {
    server,
    call,
    async signIn() {
      const { status, json } = await call('POST', ownerCalls.login, owner)
      ;({ token } = json as { token: string })
      return status
    },
    create: (name: string, image = '') =>
      call('POST', `${project.key}/create`, completeValues(project, { name, image })),
    async upload({ buffer, mimeType }: Picture) {
      const name = `${project.images.newName}${randomUUID()}`
      const answer = await fetch(
        `${server.url}/api/${ownerCalls.image}/${project.images.type}?name=${name}`,
        {
          method: 'PUT',
          headers: { 'content-type': mimeType, authorization: `Bearer${token}` },
          body: new Uint8Array(buffer),
        },
      )
      return ((await answer.json()) as { readonly url: string }).url
    },
    list: async () =>
      (await call('GET', project.key)).json as readonly {
        id: string
        name: string
        version: number
      }[],
  }
}

type Started = Awaited<ReturnType<typeof start>>

const said = async (dataDir: string): Promise<string> =>
  start(dataDir).then(
    () => 'started',
    (error: unknown) => String(error),
  )

test('a second process on the same SQLite folder is refused with a sentence', async () => {
  const dataDir = await freshFolder()
  const { server, list } = await start(dataDir)
  expect(await said(dataDir)).toMatch(/Otro proceso ya sirve .*tintero\.sqlite.*PostgreSQL/)
  expect((await list()).length).toBeGreaterThan(0)
  // One that was killed holds nothing.
  await server.stop('SIGKILL')
  expect(await said(dataDir)).toBe('started')
})

test('a folder that the system lets nobody make is named in one sentence', async () => {
  const message = "ENOENT: no such file or directory, mkdir '/proc/datos'"
  expect(await said('/proc/datos/tintero')).toContain(fill(cliTexts.readOnly, { message }))
})

test('a place where no backups can be put is said by the start, and the site is served', async () => {
  const below = join(await freshFolder(), 'archivo')
  await writeFile(below, '')
  const startWith = async (BACKUP_DIR: string) => {
    const server = await startServer({ DATA_DIR: await freshFolder(), BACKUP_DIR }, callsServer)
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    return server
  }
  const variable = 'BACKUP_DIR'
  for (const [folder, why] of [
    ['/dev/null', doctorTexts.notAFolder],
    [join(below, 'copias'), doctorTexts.notWritable],
  ] as const) {
    const { url, logs } = await startWith(folder)
    const trouble = fill(why, { folder, variable })
    await expect.poll(logs).toContain(fill(cliTexts.noBackups, { trouble }))
    expect(logs()).toContain(`"event":"backup-folder-unusable","folder":"${folder}"`)
    expect((await fetch(`${url}/api/${ownerCalls.ready}`)).status).toBe(200)
  }
  const sound = await startWith(join(await freshFolder(), 'copias'))
  expect((await fetch(`${sound.url}/api/${ownerCalls.ready}`)).status).toBe(200)
  expect(sound.logs()).not.toContain('backup-folder-unusable')
})

test('an orderly stop leaves everything in the one file', async () => {
  const dataDir = await freshFolder()
  const site = await start(dataDir)
  await site.signIn()
  await site.create('Última')
  expect(await site.server.stop()).toBe(0)
  expect(existsSync(join(dataDir, 'tintero.sqlite-wal'))).toBe(false)
  const alone = await freshFolder()
  await copyFile(join(dataDir, 'tintero.sqlite'), join(alone, 'tintero.sqlite'))
  const second = await start(alone)
  const [last] = (await second.list()).toReversed()
  expect(last?.name).toBe('Última')
  // Put there by hand: its versions are none that the lost one may have given out.
  const first = (await readFile(join(dataDir, 'tintero.sqlite.used'), 'utf8')).trim()
  expect(JSON.parse(first)).toMatchObject({ messages: 0 })
})

test('content that went with a lost write-ahead log is missed, not passed over in silence', async () => {
  const dataDir = await freshFolder()
  const site = await start(dataDir)
  await site.signIn()
  for (let i = 0; i < 40; i++) await site.create(`Entrada ${i}`)
  const mark = join(dataDir, 'tintero.sqlite.used')
  const noted = async () =>
    (JSON.parse(await readFile(mark, 'utf8')) as { entries: number }).entries
  const before = (await site.list()).length
  await expect.poll(noted).toBeGreaterThan(before)
  await site.server.stop('SIGKILL')
  const wal = join(dataDir, 'tintero.sqlite-wal')
  await copyFile(wal, `${wal}.elsewhere`)
  await rm(wal)
  const refusal = await said(dataDir)
  expect(refusal).toMatch(/Falta contenido en .*: tenía \d+ entradas y 0 mensajes/)
  expect(refusal).toContain(`perdiera ${join(dataDir, 'tintero.sqlite-wal')}`)
  // Put back, everything is there again.
  await rm(wal, { force: true })
  await copyFile(`${wal}.elsewhere`, wal)
  expect((await (await start(dataDir)).list()).length).toBe(before)
})

/** Where a push service would take notifications for a device. */
const newDevice = () => ({ kind: 'fcm', fid: randomUUID().replaceAll('-', '').slice(0, 22) })

async function firstMessage({ call }: Started): Promise<string> {
  const { json } = await call('GET', ownerCalls.messages)
  return parseMessageList(json).messages[0]?.id ?? ''
}

test.each([
  [
    'a password',
    (site: Started) => {
      const body = { currentPassword: owner.password, newPassword: 'otra frase larga y propia' }
      return site.call('POST', ownerCalls.password, body)
    },
  ],
  [
    'a message',
    (site: Started) => {
      const body = { name: 'Eva', email: 'eva@example.com', message: 'Hola' }
      return site.call('POST', calls.contact, body)
    },
  ],
  [
    'that a message was read',
    async (site: Started) =>
      site.call('PUT', `${ownerCalls.messages}/update/${await firstMessage(site)}`, { read: true }),
  ],
  ['that all were', (site: Started) => site.call('POST', `${ownerCalls.messages}/read`)],
  [
    'that a message was deleted',
    async (site: Started) =>
      site.call('DELETE', `${ownerCalls.messages}/delete/${await firstMessage(site)}`),
  ],
  [
    'a device to be rung',
    (site: Started) =>
      site.call('POST', ownerCalls.devices, { address: newDevice(), label: 'Otro' }),
  ],
  [
    'that a device is rung no more',
    async (site: Started) => {
      const { json } = await site.call('GET', ownerCalls.devices)
      const [device] = json as readonly { readonly id: string }[]
      return site.call('DELETE', `${ownerCalls.devices}/${device?.id}`)
    },
  ],
  ['that she signed out', (site: Started) => site.call('POST', ownerCalls.logout)],
  ['that she did elsewhere', (site: Started) => site.call('POST', ownerCalls.logoutOthers)],
] as const)('%s alone that went with the log is missed too', async (_, write) => {
  const dataDir = await freshFolder()
  // What the first start makes lies in the file by itself.
  const first = await start(dataDir)
  await first.signIn()
  const message = { name: 'Ana', email: 'ana@example.com', message: 'Buenas' }
  expect((await first.call('POST', calls.contact, message)).status).toBe(201)
  const device = { address: newDevice(), label: 'Teléfono' }
  expect((await first.call('POST', ownerCalls.devices, device)).status).toBe(201)
  await first.server.stop()
  const site = await start(dataDir)
  await site.signIn()
  const noted = async () => {
    const text = await readFile(join(dataDir, 'tintero.sqlite.used'), 'utf8')
    return (JSON.parse(text) as { changes: number }).changes
  }
  const before = await noted()
  expect((await write(site)).status).toBeLessThan(300)
  await expect.poll(noted).toBeGreaterThan(before)
  await site.server.stop('SIGKILL')
  await rm(join(dataDir, 'tintero.sqlite-wal'))
  expect(await said(dataDir)).toMatch(/Falta contenido en /)
})

test('what cannot be noted is logged, and the site goes on with what is there', async () => {
  const dataDir = await freshFolder()
  const site = await start(dataDir)
  await site.signIn()
  const mark = join(dataDir, 'tintero.sqlite.used')
  // A folder in its place, put there at once: between two steps it might be written anew.
  await symlink(dataDir, `${mark}.folder`)
  await rename(`${mark}.folder`, mark)
  await site.create('Sin anotar')
  const noted = () => site.server.logs().split('"event":"note-failed"').length - 1
  await expect.poll(noted).toBe(1)
  expect((await site.list()).at(-1)?.name).toBe('Sin anotar')
  expect(await site.server.stop()).toBe(0)
  expect(noted()).toBe(1)
})

test('whoever goes on with less gets versions that were never given out', async () => {
  const dataDir = await freshFolder()
  const site = await start(dataDir)
  await site.server.stop()
  const first = Math.max(...(await versionsIn(dataDir)))
  await rm(join(dataDir, 'tintero.sqlite.used'))
  expect(Math.min(...(await versionsIn(dataDir)))).toBeGreaterThan(first)
})

test.each(['in its place', 'over it'])(
  'a data folder that was copied and is put back %s gets versions that were never given out',
  async (where) => {
    const dataDir = await freshFolder()
    await (await start(dataDir)).server.stop()
    const kept = await freshFolder()
    await cp(dataDir, kept, { recursive: true, preserveTimestamps: true })
    // As if an hour had gone by since.
    const mark = join(kept, 'tintero.sqlite.used')
    const note = JSON.parse(await readFile(mark, 'utf8')) as { readonly at: number }
    await writeFile(mark, JSON.stringify({ ...note, at: note.at - 3_600_000 }))
    const first = Math.max(...(await versionsIn(dataDir)))
    if (where === 'in its place') await rm(dataDir, { recursive: true })
    await cp(kept, dataDir, { recursive: true, preserveTimestamps: true })
    const second = await versionsIn(dataDir)
    expect(Math.min(...second)).toBeGreaterThan(first)
    // From then on it is its own again.
    expect(await versionsIn(dataDir)).toEqual(second)
  },
)

async function versionsIn(dataDir: string): Promise<readonly number[]> {
  const { server, list } = await start(dataDir)
  const versions = (await list()).map(({ version }) => version)
  await server.stop()
  return versions
}

describe.skipIf(!canMount)('on a small disk', () => {
  test('a read-only folder is named in one sentence', async () => {
    const disk = openSmallDisk(64, onTestFinished)
    await (await start(disk.folder)).server.stop()
    disk.makeReadOnly()
    expect(await said(disk.folder)).toMatch(
      /En la carpeta de datos no se puede escribir .*DATA_DIR/,
    )
  })

  test('while it is full signing in and deleting work, the rest is refused, and a restart too serves what is there', async () => {
    const disk = openSmallDisk(64, onTestFinished)
    const site = await start(disk.folder)
    await site.signIn()
    expect((await stat(join(disk.folder, 'reserve'))).size).toBeGreaterThan(1_000_000)
    await site.create('Antes')
    const message = { name: 'Eva', email: 'eva@example.com', message: 'Hola' }
    disk.fill()
    await expect.poll(async () => (await site.create('Sobra')).status).toBe(507)
    expect((await site.call('POST', calls.contact, message)).status).toBe(507)
    expect(await site.signIn()).toBe(200)
    const entries = await site.list()
    const removed = await site.call('DELETE', `${project.key}/delete/${entries.at(-1)?.id}`)
    expect(removed.status).toBe(200)
    disk.fill()
    await site.server.stop()
    disk.fill()
    const again = await start(disk.folder)
    expect((await again.list()).map(({ id }) => id)).toEqual(
      entries.slice(0, -1).map(({ id }) => id),
    )
    expect(again.server.logs()).toContain('"event":"disk-full"')
    await disk.empty()
    await again.signIn()
    await expect.poll(async () => (await again.create('Después')).status).toBe(201)
    expect(again.server.logs()).toContain('"event":"disk-has-room"')
    expect(await again.server.stop()).toBe(0)
  })

  test('however often it is started anew on a full disk it serves what is there', async () => {
    const disk = openSmallDisk(64, onTestFinished)
    const first = await start(disk.folder)
    await first.signIn()
    await first.create('Antes')
    const entries = await first.list()
    await first.server.stop()
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      disk.fill()
      const site = await start(disk.folder)
      // What the start was left is gone, too.
      disk.fill()
      expect(await site.list()).toEqual(entries)
      await site.server.stop(signal)
    }
    await disk.empty()
    const last = await start(disk.folder)
    await last.signIn()
    await expect.poll(async () => (await last.create('Después')).status).toBe(201)
  })

  test('a start that finds no room at all says so in one sentence, and the next one has everything', async () => {
    const disk = openSmallDisk(64, onTestFinished)
    const site = await start(disk.folder)
    const entries = await site.list()
    await site.server.stop()
    await rm(join(disk.folder, 'reserve'))
    disk.fill()
    for (let again = 0; again < 2; again++) {
      const lines = (await said(disk.folder)).trim().split('\n')
      expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
        expect.stringContaining('before it listened'),
        expect.stringMatching(/^El disco de la carpeta de datos está lleno .*Libera espacio/),
      ])
    }
    await disk.empty()
    expect(await (await start(disk.folder)).list()).toEqual(entries)
  })

  test('when it is full the owner makes room by deleting a backup or what is in the bin, and may store again', async () => {
    const disk = openSmallDisk(96, onTestFinished)
    const site = await start(disk.folder)
    const { call, create } = site
    await site.signIn()
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      const { json } = await create(`Con imagen ${i}`, await site.upload(await noise()))
      ids.push((json as { readonly id: string }).id)
    }
    expect((await call('POST', ownerCalls.backups)).status).toBe(201)
    // As of another night: of one day only the last stays.
    const copies = join(disk.folder, 'backups')
    const older = 'tintero-20260101T031000Z-night.zip'
    const [newest = ''] = await readdir(copies)
    await copyFile(join(copies, newest), join(copies, older))
    const diskIs = async () =>
      ((await call('GET', ownerCalls.ready)).json as { readonly disk: string }).disk
    const listed = async () => (await call('GET', ownerCalls.backups)).json as BackupList
    /** Fills the disk, and makes room by `act`, which answers how many bytes that was said to free. */
    const fillAndFree = async (act: () => Promise<number>, name: string) => {
      disk.fill()
      expect((await create('Sobra')).status).toBe(507)
      expect(await diskIs()).toBe('full')
      expect((await call('POST', ownerCalls.logout)).status).toBe(204)
      expect(await site.signIn()).toBe(200)
      expect((await call('POST', `${ownerCalls.backups}/${newest}/link`)).status).toBe(201)
      const { trouble } = (await listed()).status
      const toFree = trouble?.is === 'full' ? trouble.toFree : 0
      expect(toFree).toBeGreaterThan(0)
      // What was said to be freed is what it needed, and more.
      expect(await act()).toBeGreaterThan(toFree)
      expect((await create(name)).status).toBe(201)
      expect((await listed()).status.trouble).toBe(null)
      expect(await diskIs()).toBe('ok')
    }
    await fillAndFree(async () => {
      const bytes = (await listed()).backups.find(({ name }) => name === older)?.bytes
      expect((await call('DELETE', `${ownerCalls.backups}/${older}`)).status).toBe(200)
      expect(await readdir(copies)).not.toContain(older)
      return bytes ?? 0
    }, 'Tras la copia')
    await fillAndFree(async () => {
      for (const id of ids) await call('DELETE', `${project.key}/delete/${id}`)
      const bin = (await call('GET', binCall)).json as readonly BinnedEntry[]
      expect(new Set(bin.map(({ entry }) => entry['id']))).toEqual(new Set(ids))
      // In the bin they take as much as before.
      expect((await create('Sobra')).status).toBe(507)
      for (const { section, entry } of bin) {
        await call('DELETE', `${binCall}/${section}/${String(entry['id'])}`)
      }
      expect(await readdir(join(disk.folder, 'media'))).toEqual(['tmp'])
      return bin.reduce((sum, { bytes }) => sum + bytes, 0)
    }, 'Tras la papelera')
    await site.server.stop('SIGKILL')
    expect((await (await start(disk.folder)).list()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Tras la copia', 'Tras la papelera']),
    )
  })
})

test('a stop that cannot put everything in order says so and ends all the same', async () => {
  const folder = await freshFolder()
  const site = await start(folder)
  await site.signIn()
  await rm(folder, { recursive: true, force: true })
  expect(await site.server.stop()).toBe(1)
  expect(site.server.logs()).toContain('"stop-failed"')
  expect(site.server.logs()).not.toContain('unhandled')
})
