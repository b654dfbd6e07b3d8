import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { fill } from '#contract/text.ts'
import { createAuth, type Auth } from '#server/access/auth.ts'
import { failureSentence } from '#server/failure-sentence.ts'
import { writeCopy } from '#server/export/copy-folder.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb } from '#server/db/open.ts'
import { dirname, join } from 'node:path'
import { engines, freshFolder, freshTarget, openForTest, openOld } from '#tests/support/database.ts'
import { freePort } from '#tests/support/free-port.ts'
import { defaultLimits, refusalOf } from '#tests/support/owner-access.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { owner } from '#tests/support/site.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

// Each test starts a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const publicUrl = 'https://lucia.example'

/** Runs the command with nothing of the machine's environment but the path. */
function run(dataDir: string, words: readonly string[], env = {}) {
  const { status, stdout, stderr } = runToEnd(process.execPath, [serverEntry('cli'), ...words], {
    encoding: 'utf8',
    // One that never ends is a failure too, and leaves nothing behind.
    timeout: 50_000,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      ...env,
    },
  })
  return { status, out: stdout.trimEnd().split('\n'), err: stderr.trimEnd().split('\n') }
}

/** The access as the running server has it, beside the command. */
async function openServer(dataDir: string): Promise<Auth> {
  const target = { engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') } as const
  const { db } = await openForTest(target)
  return createAuth({ db, now: () => new Date(), log: () => {}, limits: defaultLimits })
}

test('`owner` alone prints a set-up link that the running server takes', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  const { status, out } = run(folder, ['owner'])
  expect(status).toBe(0)
  expect(out[0]).toBe(fill(cliTexts.setup, { minutes: 60 }))
  expect(out[1]).toMatch(/^https:\/\/lucia\.example\/configurar#[\w-]{43}$/)
  expect(out).toHaveLength(2)
  const token = out[1]?.split('#')[1] ?? ''
  await auth.redeemLink({ ...owner, token, keepSample: true })
  expect(await auth.ownerName()).toBe(owner.userName)
})

test.each(engines)('a database without tables is no site yet: %s', async (engine) => {
  const folder = await freshFolder()
  const target = await freshTarget(engine)
  const env = target.engine === 'postgres' ? { DATABASE_URL: target.url } : {}
  await writeFile(join(folder, 'tintero.sqlite'), '')
  for (const words of [['backup'], ['export', 'copia']]) {
    const { status, err } = run(folder, words, env)
    expect([status, ...err]).toEqual([1, cliTexts.noSite])
  }
})

test('a command that finds no site, or no folder to find one in, says what to do', async () => {
  const folder = await freshFolder()
  const saidOf = (dataDir: string, ...words: readonly string[]) => {
    const { status, err } = run(dataDir, words)
    return [status, ...err]
  }
  expect(saidOf(folder, 'backup')).toEqual([1, cliTexts.noSite])
  const file = join(folder, 'tintero.sqlite')
  const mark = `${file}.used`
  await writeFile(mark, '')
  expect(saidOf(folder, 'export', 'copia')).toEqual([1, fill(cliTexts.vanished, { file, mark })])
  expect(saidOf(mark, 'owner')).toEqual([
    1,
    fill(cliTexts.notAFolder, { message: `EEXIST: file already exists, mkdir '${mark}'` }),
  ])
  expect(saidOf(folder, 'restore', folder)).toEqual([
    1,
    fill(cliTexts.noFile, { file: folder, message: cliTexts.system.EISDIR }),
  ])
})

test.each([
  ['EACCES', {}, cliTexts.readOnly],
  ['EROFS', {}, cliTexts.readOnly],
  ['ENOENT', { syscall: 'mkdir' }, cliTexts.readOnly],
  ['ERR_SQLITE_ERROR', { errcode: 14 }, cliTexts.readOnly],
  ['ENOSPC', {}, cliTexts.diskFull],
  ['ERR_SQLITE_ERROR', { errcode: 4874 }, cliTexts.diskFull],
  ['ERR_SQLITE_ERROR', { errcode: 5 }, cliTexts.locked],
  ['ERR_SQLITE_ERROR', { errcode: 26 }, cliTexts.unusable],
  ['ENOTDIR', {}, cliTexts.notAFolder],
  ['28P01', {}, cliTexts.postgresRefuses],
  ['3D000', {}, cliTexts.postgresRefuses],
  ['ERR_INVALID_URL', {}, cliTexts.noPostgresAddress],
  ['ERR_MODULE_NOT_FOUND', {}, cliTexts.incomplete],
])('what fails with %s %j is said in one sentence with its remedy', (code, more, text) => {
  const error = Object.assign(new Error('in its own words\nand in more'), { code, ...more })
  expect(failureSentence(error)).toBe(fill(text, { message: 'in its own words' }))
})

test('before it changes the tables of an older version it makes a backup', async () => {
  const folder = await freshFolder()
  const target = { engine: 'sqlite', file: join(folder, 'tintero.sqlite') } as const
  const versions = Object.keys(allMigrations('sqlite'))
  await (await openOld(target, versions.at(-2) ?? '')).destroy()
  expect(run(folder, ['owner']).status).toBe(0)
  expect(await readdir(join(folder, 'backups'))).toEqual([expect.stringMatching(/-update\.zip$/)])
})

test('once there is an owner it says so and prints no link', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  await auth.createOwner(owner)
  const { status, out } = run(folder, ['owner'])
  expect(status).toBe(0)
  expect(out).toEqual([fill(cliTexts.hasOwner, { name: owner.userName }), cliTexts.resetHint])
})

test('reset-password prints a link that gives the owner a new password', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  await auth.createOwner(owner)
  const { status, out } = run(folder, ['owner', 'reset-password'])
  expect(status).toBe(0)
  expect(out[0]).toBe(fill(cliTexts.reset, { name: owner.userName, minutes: 30 }))
  const token = out[1]?.split('#')[1] ?? ''
  expect(await auth.linkPurpose(token)).toBe('reset')
  const password = 'recordada otra vez, por fin'
  await auth.redeemLink({ token, password, userName: '', keepSample: true })
  await auth.login({ ...owner, password, address: 'a' })
  expect((await refusalOf(auth.login({ ...owner, address: 'a' }))).status).toBe(401)
})

test('without an owner there is no password to reset', async () => {
  const { status, out, err } = run(await freshFolder(), ['owner', 'reset-password'])
  expect(status).toBe(1)
  expect(out).toEqual([''])
  expect(err).toEqual([cliTexts.noOwner])
})

test.each([
  [['reset']],
  [['owner', 'reset']],
  [['restore', 'one', 'two']],
  [['restore', '', '']],
  [['backup', 'now']],
  [['toString']],
  [['--force']],
])('%j is answered with the help and 2, and touches no data', async (words) => {
  const { status, out, err } = run('/dev/null/nowhere', words)
  expect(status).toBe(2)
  expect(out).toEqual([''])
  expect(err.join('\n')).toContain(cliTexts.help)
})

test.each(['restore', 'export', 'import'] as const)(
  '`%s` alone, or with an empty word, is told what it lacks, with the help and 2',
  (name) => {
    for (const rest of [[], ['']]) {
      const { status, out, err } = run('/dev/null/nowhere', [name, ...rest])
      expect(status).toBe(2)
      expect(out).toEqual([''])
      expect(err[0]).toBe(cliTexts.lacks[name])
      expect(err.join('\n')).toContain(cliTexts.help)
    }
  },
)

test('rows that refer to none are told by a backup with what removes them, and that does', async () => {
  const folder = await freshFolder()
  const database = join(folder, 'tintero.sqlite')
  await (await openDb({ engine: 'sqlite', file: database })).close()
  // As a program leaves it that does not ask SQLite to look after them.
  const db = new DatabaseSync(database, { enableForeignKeyConstraints: false })
  const alias = db.prepare('insert into image_alias (name, hash) values (?, ?)')
  for (const name of ['Project/a', 'Project/b']) alias.run(name, 'f'.repeat(40))
  db.close()
  const { status, out } = run(folder, ['backup'])
  const [name = ''] = await readdir(join(folder, 'backups'))
  const file = join(folder, 'backups', name)
  expect(status).toBe(0)
  expect(out).toEqual([
    fill(backupTexts.written, { file }),
    fill(backupTexts.writtenLoose, { file, n: 2 }),
  ])
  const [, remedy = ''] = /«tintero (restore [^»]+)»/.exec(out[1] ?? '') ?? []
  expect(run(folder, remedy.split(' ')).status).toBe(0)
  expect(run(folder, ['backup']).out).toEqual([expect.not.stringContaining('sueltas')])
})

test.runIf(process.getuid?.() === 0)(
  'root leaves nothing in a folder of another user, who could not read it',
  async () => {
    const folder = await freshFolder()
    await (await openDb({ engine: 'sqlite', file: join(folder, 'tintero.sqlite') })).close()
    expect(run(folder, ['backup']).status).toBe(0)
    const [name = ''] = await readdir(join(folder, 'backups'))
    const copy = join(await freshFolder(), name)
    await copyFile(join(folder, 'backups', name), copy)
    const resume = join(dirname(copy), 'resume.json')
    await writeFile(resume, '{"basics":{"name":"Lucía"}}')
    const uid = 65_534
    spawnSync('chown', ['-R', `${uid}`, folder])
    const before = await readdir(folder, { recursive: true })
    const said = fill(cliTexts.notForRoot, { folder, uid })
    for (const words of [
      ['start'],
      ['owner'],
      ['backup'],
      ['restore', copy],
      ['import', resume],
      ['export', join(dirname(copy), 'site')],
    ]) {
      const { status, err } = run(folder, words, { PORT: `${await freePort()}` })
      expect([words, status, ...err]).toEqual([words, 1, said])
    }
    expect(run(folder, ['doctor']).err).toContain(`✗ ${said}`)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
    const owners = before.map((path) => statSync(join(folder, path)).uid)
    expect(new Set(owners)).toEqual(new Set([uid]))
  },
)

test('a backup without a folder to lie in names the variable of that folder', async () => {
  const folder = await freshFolder()
  await openServer(folder)
  const place = join(folder, 'in-the-way')
  await writeFile(place, '')
  const { status, err } = run(folder, ['backup'], { BACKUP_DIR: place })
  const said = fill(doctorTexts.notAFolder, { folder: place, variable: 'BACKUP_DIR' })
  expect([status, ...err]).toEqual([1, said])
})

test('a backup that is not there is named', async () => {
  const folder = await freshFolder()
  const { status, err } = run(folder, ['restore', '/nowhere/copia.zip'])
  expect(status).toBe(1)
  const [before = '', after = ''] = fill(cliTexts.noFile, { file: '/nowhere/copia.zip' }).split(
    '{message}',
  )
  expect(err.join('\n').startsWith(before)).toBe(true)
  expect(err.join('\n').endsWith(after)).toBe(true)
})

test('a file that is no backup is refused in words, and nothing is changed', async () => {
  const folder = await freshFolder()
  const file = join(await freshFolder(), 'foto.zip')
  await writeFile(file, 'no es una copia')
  const { status, err } = run(folder, ['restore', file])
  expect(status).toBe(1)
  const [before = '', after = ''] = fill(cliTexts.notUsable, { file }).split('{message}')
  expect(err.join('\n').startsWith(before)).toBe(true)
  expect(err.join('\n').endsWith(after)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test.each(['/dev/null', '/dev/null/copia'])(
  'a copy of the site that cannot be in %s is refused in words',
  async (place) => {
    const folder = await freshFolder()
    await openServer(folder)
    const { status, err } = run(folder, ['export', place])
    expect(status).toBe(1)
    const [before = ''] = fill(cliTexts.notWritten, { folder: place }).split('{message}')
    expect(err.join('\n')).toContain(before)
  },
)

test('where the system lets no folder be made, writing the copy ends', async () => {
  await expect(writeCopy('/proc/copia', [])).rejects.toThrow('ENOENT')
})

test.each([[['help']], [['--help']], [['-h', 'backup']]])('%j prints the help', async (words) => {
  const { status, out } = run('/dev/null/nowhere', words)
  expect(status).toBe(0)
  expect(out.join('\n')).toBe(cliTexts.help)
})

test('--version prints the version', async () => {
  const { out } = run('/dev/null/nowhere', ['--version'])
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(out).toEqual([version])
})

test('doctor ends with 1 where something is wrong, on the error stream', async () => {
  const { status, err } = run('/dev/null', ['doctor'], { PORT: String(await freePort()) })
  expect(status).toBe(1)
  expect(err).toContain(
    `✗ ${fill(doctorTexts.notAFolder, { folder: '/dev/null', variable: 'DATA_DIR' })}`,
  )
})

test('an older Node is told what it needs', () => {
  const { status, stderr } = runToEnd(
    process.execPath,
    [
      '--import',
      'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.1.0" } })',
      serverEntry('cli'),
    ],
    { encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toContain(fill(cliTexts.oldNode, { version: '20.1.0' }))
})

test('a wrong configuration is named', async () => {
  const { status, err } = run(await freshFolder(), ['owner'], { TRUST_PROXY: 'yes' })
  expect(status).toBe(1)
  expect(err.join('\n')).toContain('TRUST_PROXY')
})
