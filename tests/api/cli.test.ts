import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { cliTexts } from '#contract/texts-cli.ts'
import { fill } from '#contract/text.ts'
import { createAuth, type Auth } from '#server/auth/auth.ts'
import { join } from 'node:path'
import { freshFolder, openForTest } from '#tests/support/database.ts'
import { defaultLimits, refusalOf } from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

// Each test starts a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const publicUrl = 'https://lucia.example'

/** Runs the command as `npm run owner` does, with nothing of the machine's environment but the path. */
function runOwner(dataDir: string, words: readonly string[] = [], env = {}) {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['--no-install', 'node', 'src/server/cli.ts', ...words],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: dataDir,
        PUBLIC_URL: publicUrl,
        npm_config_loglevel: 'error',
        ...env,
      },
    },
  )
  return { status, out: stdout.trimEnd().split('\n'), err: stderr.trimEnd().split('\n') }
}

/** The access as the running server has it, beside the command. */
async function openServer(dataDir: string): Promise<Auth> {
  const target = { engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') } as const
  const { db } = await openForTest(target)
  return createAuth({ db, now: () => new Date(), log: () => {}, limits: defaultLimits })
}

test('alone it prints a set-up link that the running server takes', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  const { status, out } = runOwner(folder)
  expect(status).toBe(0)
  expect(out[0]).toBe(fill(cliTexts.setup, { minutes: 60 }))
  expect(out[1]).toMatch(/^https:\/\/lucia\.example\/configurar#[\w-]{43}$/)
  expect(out).toHaveLength(2)
  const token = out[1]?.split('#')[1] ?? ''
  await auth.redeemLink({ ...owner, token, keepSample: true })
  expect(await auth.ownerName()).toBe(owner.userName)
})

test('once there is an owner it says so and prints no link', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  await auth.createOwner(owner)
  const { status, out } = runOwner(folder)
  expect(status).toBe(0)
  expect(out).toEqual([fill(cliTexts.hasOwner, { name: owner.userName }), cliTexts.resetHint])
})

test('reset-password prints a link that gives the owner a new password', async () => {
  const folder = await freshFolder()
  const auth = await openServer(folder)
  await auth.createOwner(owner)
  const { status, out } = runOwner(folder, ['reset-password'])
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
  const { status, out, err } = runOwner(await freshFolder(), ['reset-password'])
  expect(status).toBe(1)
  expect(out).toEqual([''])
  expect(err).toEqual([cliTexts.noOwner])
})

test('an unknown word is answered with the usage, and touches no data', async () => {
  const { status, err } = runOwner('/dev/null/nowhere', ['reset'])
  expect(status).toBe(1)
  expect(err).toEqual([cliTexts.usage])
})

test('a wrong configuration is named', async () => {
  const { status, err } = runOwner(await freshFolder(), [], { TRUST_PROXY: 'yes' })
  expect(status).toBe(1)
  expect(err.join('\n')).toContain('TRUST_PROXY')
})
