import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { builtWithFile, hostsOf, type BuiltWith } from '#contract/firebase.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { buildWith, firebaseBuild } from '#tests/support/builds.ts'
import { filesOf, gzipped, readBuilt, readManifest, sum } from '#tests/support/built-client.ts'
import { accountFile } from '#tests/doubles/google/account.ts'
import { openSite } from '#tests/support/site.ts'

const kB = 1000
const embedded = 'dist/client'
const build = firebaseBuild('BPbQ')
afterAll(() => build.remove())

const assetsOf = (folder: string) =>
  readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
const visitorScripts = (folder: string) => {
  const manifest = readManifest(folder)
  const roots = ['index.html', 'src/client/main.tsx', 'src/client/offline/start.ts']
  return [...new Set(roots.flatMap((root) => filesOf(manifest, root)))]
}
/** Hosts and packages; the site's own words may well speak of Firebase. */
const traces = /googleapis|@firebase|initializeApp|fcm_sdk_version/

test('a build without Firebase has nothing of it', () => {
  const files = [...assetsOf(embedded).map((name) => `assets/${name}`), 'sw.js', 'index.html']
  expect(files.filter((file) => traces.test(readBuilt(file)))).toEqual([])
  expect(files.filter((file) => file.includes('firebase'))).toEqual([])
  const told = JSON.parse(readBuilt(builtWithFile)) as BuiltWith
  expect(told).toEqual({ services: [], hosts: [] })
})

test('with Firebase, what a visitor runs has none of its code and is no larger', () => {
  const { client } = build
  const scripts = visitorScripts(client)
  expect(scripts.filter((file) => traces.test(readBuilt(file, client)))).toEqual([])
  const first = [...new Set(filesOf(readManifest(client), 'src/client/main.tsx'))]
  const sizes = [...filesOf(readManifest(client), 'index.html'), ...first]
  const total = sum([...new Set(sizes)].map((file) => gzipped(readBuilt(file, client))))
  expect(total).toBeLessThanOrEqual(125 * kB)
})

test('its code comes in parts of their own, which the worker does not fetch ahead', () => {
  const { client } = build
  const parts = assetsOf(client).filter((name) => traces.test(readBuilt(`assets/${name}`, client)))
  expect(parts.length).toBeGreaterThanOrEqual(4)
  expect(parts.filter((name) => !name.startsWith('online-'))).toEqual([])
  const worker = readFileSync(join(client, 'sw.js'), 'utf8')
  expect(parts.filter((name) => worker.includes(name))).toEqual([])
  expect(worker).not.toMatch(traces)
})

test('half of the values stops the build with the names that are missing', () => {
  const variables = { VITE_FIREBASE_STORAGE_BUCKET: 'demo', VITE_FIREBASE_API_KEY: 'key' }
  expect(() => buildWith(variables)).toThrow('VITE_FIREBASE_PROJECT_ID, VITE_FIREBASE_APP_ID')
})

/** The policy's hosts, and what the start said, with and without the service account. */
async function start(env: Readonly<Record<string, string>>, entry?: string) {
  const site = await openSite({ env, ...(entry !== undefined && { entry }) })
  onTestFinished(() => site.close())
  const policy = (await fetch(site.url)).headers.get('content-security-policy') ?? ''
  return { connect: /connect-src ([^;]*)/.exec(policy)?.[1], said: site.logs() }
}

test('the policy allows exactly the hosts that the build calls', async () => {
  const account = { FIREBASE_SERVICE_ACCOUNT: JSON.stringify(accountFile) }
  const told = await start(account, build.entry)
  expect(told.connect).toBe(`'self' ${hostsOf(['push', 'images', 'config']).join(' ')}`)
  expect(told.said).not.toContain(cliTexts.noFirebaseAccount)
  expect((await start(account)).connect).toBe("'self'")
})

test('a start without the account that the build needs says so, and serves visitors', async () => {
  const { connect, said } = await start({}, build.entry)
  expect(said).toContain(cliTexts.noFirebaseAccount)
  expect(connect).toContain("'self'")
  expect((await start({})).said).not.toContain(cliTexts.noFirebaseAccount)
})

test('a start with the account of another project names both', async () => {
  const other = JSON.stringify({ ...accountFile, project_id: 'otro-sitio' })
  const { said } = await start({ FIREBASE_SERVICE_ACCOUNT: other }, build.entry)
  const projects = { account: 'otro-sitio', pages: accountFile.project_id }
  expect(said).toContain(fill(pushTexts.otherProject, projects))
  expect(said).toContain('firebase-other-project')
})

test('a broken account stops the start', async () => {
  const broken = openSite({ env: { FIREBASE_SERVICE_ACCOUNT: '{' }, entry: build.entry })
  await expect(broken).rejects.toThrow('FIREBASE_SERVICE_ACCOUNT no es JSON')
})
