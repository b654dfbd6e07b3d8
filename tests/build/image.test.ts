import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { linkRunTimePackages } from '#tests/support/run-time-packages.ts'
import { startServer } from '#tests/support/server-process.ts'

/*
 * The container's image without a container: its files are copied as the Dockerfile says and nothing beside them, its commands
 * run, and what it would keep of that starts by itself. Only the packages are those that are here.
 */

const dockerfile = readFileSync('src/deploy/Dockerfile', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tintero-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What each line of a stage that copies names, the place it goes to last. */
const copies = (stage: string, pattern: RegExp) =>
  [...stage.matchAll(pattern)].map(([, names = '']) => names.split(' '))

/** Copies what is named from one folder into the other, where the packages that are kept are linked. */
function copyInto(to: string, from: string, lines: readonly (readonly string[])[]): void {
  for (const names of lines) {
    const place = names.at(-1) ?? ''
    for (const name of names.slice(0, -1)) {
      const target = join(to, place.endsWith('/') ? name : place)
      if (name === 'node_modules') linkRunTimePackages(to)
      else cpSync(resolve(from, name), target, { recursive: true })
    }
  }
}

test('what the image copies is enough to build the product, and what it keeps of that to run it', async () => {
  const [build = '', app = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  const source = join(folder, 'src')
  copyInto(source, '.', copies(build, /^COPY (?!--from)(.+)$/gm))
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'))
  expect(build).toContain('RUN npm ci')
  const [, command = ''] = /^RUN (npm run build) && npm prune --omit=dev$/m.exec(build) ?? []
  const env = { ...process.env, NODE_ENV: 'production' }
  const built = spawnSync(command, { cwd: source, shell: true, env, encoding: 'utf8' })
  expect({ status: built.status, said: built.status === 0 ? '' : built.stderr }).toEqual({
    status: 0,
    said: '',
  })
  const kept = join(folder, 'app')
  copyInto(kept, '.', copies(app, /^COPY (?!--from)(.+)$/gm))
  const fromBuild = copies(app, /^COPY --from=build (.+)$/gm)
  const inBuild = ([from = '', to = '']: readonly string[]) => [from.replace('/src/', ''), to]
  copyInto(kept, source, fromBuild.map(inBuild))
  const [, words = ''] = /^ENTRYPOINT (.*)$/m.exec(app) ?? []
  const [program, entry = ''] = JSON.parse(words) as readonly string[]
  expect(program).toBe('node')
  const server = await startServer({ DATA_DIR: join(folder, 'data') }, join(kept, entry), kept)
  onTestFinished(async () => void (await server.stop()))
  const page = await fetch(server.url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<h1')
  expect((await fetch(`${server.url}/cv.pdf`)).status).toBe(200)
  const [, check = ''] = /CMD (\["node", "-e".*\])$/m.exec(app) ?? []
  const [, , script = ''] = JSON.parse(check) as readonly string[]
  const asked = { PATH: process.env['PATH'], PORT: new URL(server.url).port }
  expect(spawnSync(process.execPath, ['-e', script], { env: asked }).status).toBe(0)
  expect(await server.stop()).toBe(0)
})
