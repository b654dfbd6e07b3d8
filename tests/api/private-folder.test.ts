import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keepPrivate } from '#server/disk/private-folder.ts'
import { freshFolder } from '#tests/support/database.ts'
import { owner } from '#tests/support/site.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'

const entry = serverEntry('calls-server')

// Each test starts a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The permissions of a folder and of all in it, by name. */
async function modesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = ['', ...(await readdir(folder, { recursive: true }))]
  const modes = names.map(async (name) => {
    const { mode } = await stat(join(folder, name))
    return [name, (mode & 0o777).toString(8)] as const
  })
  return Object.fromEntries(await Promise.all(modes))
}

/** Starts the server, stores a picture, and tells what is not its user's alone. */
async function openIn(dataDir: string): Promise<readonly string[]> {
  const env = { DATA_DIR: dataDir, OWNER_EMAIL: owner.userName, OWNER_PASSWORD: owner.password }
  const server = await startServer(env, entry)
  const post = async (path: string, init: RequestInit) => fetch(`${server.url}/api/${path}`, init)
  const login = await post('auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  })
  const { token } = (await login.json()) as { token: string }
  const picture = await post('image/Person?name=New/perfil_1', {
    method: 'PUT',
    headers: { authorization: `Bearer${token}`, 'content-type': 'image/png' },
    body: pixel,
  })
  expect(picture.status).toBe(201)
  const modes = await modesIn(dataDir)
  expect(Object.keys(modes)).toEqual(expect.arrayContaining(['tintero.sqlite']))
  expect(Object.keys(modes).some((name) => name.endsWith('.webp'))).toBe(true)
  await server.stop()
  const open = Object.entries(modes).filter(([, mode]) => !mode.endsWith('00'))
  return open.map(([name, mode]) => `${name} ${mode}`)
}

test('everything the server makes in its data folder is its user’s alone', async () => {
  expect(await openIn(join(await freshFolder(), 'data'))).toEqual([])
})

test('so is a folder that a link stands for', async () => {
  const folder = await freshFolder()
  const [dataDir, link] = [join(folder, 'data'), join(folder, 'link')]
  await mkdir(dataDir, { mode: 0o755 })
  await writeFile(join(dataDir, 'note'), 'x', { mode: 0o644 })
  await symlink(dataDir, link)
  expect(await openIn(link)).toEqual([])
})

test('so is what was there before, and what a link leads to stays as it is', async () => {
  const folder = await freshFolder()
  const dataDir = join(folder, 'data')
  await mkdir(join(dataDir, 'media'), { recursive: true, mode: 0o755 })
  const outside = join(folder, 'outside')
  for (const file of [outside, join(dataDir, 'media', 'old.webp'), join(dataDir, 'note')]) {
    await writeFile(file, 'x')
    await chmod(file, 0o644)
  }
  await chmod(dataDir, 0o755)
  expect(await openIn(dataDir)).toEqual([])
  await symlink(outside, join(dataDir, 'link'))
  const server = await startServer({ DATA_DIR: dataDir }, entry)
  expect((await stat(outside)).mode & 0o777).toBe(0o644)
  await server.stop()
})

test('what another process removes meanwhile keeps nobody from starting', async () => {
  const dataDir = await freshFolder()
  const files = Array.from({ length: 300 }, (_, i) => join(dataDir, `picture-${i + 100}`))
  for (const file of files) await writeFile(file, 'x')
  const kept = keepPrivate(dataDir, () => undefined)
  for (const file of files.toReversed()) await rm(file)
  await expect(kept).resolves.toBeUndefined()
})
