import { randomUUID } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { doctorTexts } from '#contract/texts/doctor.ts'
import { examine } from '#server/cli/doctor.ts'
import { readConfig } from '#server/config.ts'
import { freshFolder } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { noise } from '#tests/support/pictures.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'

/* A data folder whose pictures did not come along, or not all their files. */

vi.setConfig({ testTimeout: 90_000 })

async function start(dataDir: string) {
  const env = { DATA_DIR: dataDir, OWNER_EMAIL: owner.userName, OWNER_PASSWORD: owner.password }
  const server = await startServer(env, serverEntry('site-server'))
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}

/** A folder with one entry that shows one picture, and where that is. */
async function folderWithPicture() {
  const dataDir = await freshFolder()
  const server = await start(dataDir)
  const api = `${server.url}/api`
  const json = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, headers: object, body: string | Uint8Array) => {
    const init = { method, headers: { ...headers }, body: body as BodyInit }
    const answer = await fetch(`${api}/${path}`, init)
    expect(answer.ok).toBe(true)
    return (await answer.json()) as { readonly token: string; readonly url: string }
  }
  const { token } = await send('POST', ownerCalls.login, json, JSON.stringify(owner))
  const authorization = `Bearer${token}`
  const { buffer, mimeType } = await noise()
  const type = { 'content-type': mimeType, authorization }
  const { images, key } = project
  const name = `${images.newName}${randomUUID()}`
  const put = `${ownerCalls.image}/${images.type}?name=${name}`
  const { url } = await send('PUT', put, type, new Uint8Array(buffer))
  const values = completeValues(project, { name: 'Con su foto', image: url })
  await send('POST', `${key}/create`, { ...json, authorization }, JSON.stringify(values))
  expect(await server.stop()).toBe(0)
  return { dataDir, url }
}

const doctorOf = async (dataDir: string) =>
  (await examine(() => readConfig({ DATA_DIR: dataDir, PORT: '1' }), { version: '24', now })).lines

const now = new Date()

test('pictures that did not come along are told by the start, the log, each call and doctor, and the rest is served', async () => {
  const { dataDir, url } = await folderWithPicture()
  const folder = join(dataDir, 'media')
  await rename(folder, `${folder}-elsewhere`)
  const site = await start(dataDir)
  const lacking = { missing: 1, all: 1, folder }
  await expect.poll(site.logs).toContain('"event":"pictures-missing","missing":1,"all":1')
  await expect.poll(site.logs).toContain(fill(cliTexts.noPictures, lacking))
  const picture = await fetch(site.url + url)
  expect([picture.status, picture.headers.get('retry-after')]).toEqual([503, '5'])
  expect(picture.headers.get('cache-control')).toBe('no-store')
  await expect.poll(site.logs).toContain('"event":"picture-missing"')
  const page = await fetch(`${site.url}/projects`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Con su foto')])
  // Neither another start nor another process would bring them.
  for (const call of [ownerCalls.health, ownerCalls.ready]) {
    expect((await fetch(`${site.url}/api/${call}`)).status).toBe(200)
  }
  expect(await doctorOf(dataDir)).toContain(`✗ ${fill(doctorTexts.noPictures, lacking)}`)
  expect(await site.stop()).toBe(0)
  // Where they lie again nothing is said.
  await rename(`${folder}-elsewhere`, folder)
  const whole = await start(dataDir)
  expect((await fetch(whole.url + url)).status).toBe(200)
  expect(await whole.stop()).toBe(0)
  expect(whole.logs()).not.toContain('pictures-missing')
  expect(await doctorOf(dataDir)).toContain(`✓ ${fill(doctorTexts.pictures, { all: 1 })}`)
})

test('a picture that lacks one of its sizes is missing, too', async () => {
  const { dataDir } = await folderWithPicture()
  const folder = join(dataDir, 'media')
  const [smaller = ''] = (await readdir(folder)).filter((name) => /-\d+\.webp$/.test(name))
  await rename(join(folder, smaller), join(dataDir, smaller))
  const lacking = { missing: 1, all: 1, folder }
  expect(await doctorOf(dataDir)).toContain(`✗ ${fill(doctorTexts.noPictures, lacking)}`)
  const site = await start(dataDir)
  await expect.poll(site.logs).toContain(fill(cliTexts.noPictures, lacking))
})
