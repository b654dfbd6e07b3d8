import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { onPath } from '#tests/support/on-path.ts'

/* What is handed out for running the site elsewhere, held to the product's own names; it is run only by hand. */

const read = (name: string) => readFileSync(`src/deploy/${name}`, 'utf8')

test('what the image is built from is there, and it starts and watches what the package has', () => {
  const text = read('Dockerfile')
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(copied.length).toBeGreaterThan(6)
  expect(copied.filter((name) => !existsSync(name))).toEqual([])
  expect(text).toContain('ENTRYPOINT ["node", "dist/server/cli.js"]')
  const [, check = ''] = /CMD (\["node", "-e".*\])$/m.exec(text) ?? []
  const [, , script = ''] = JSON.parse(check) as string[]
  // Nothing answers there: the check must say so.
  const env = { PATH: process.env['PATH'], PORT: '9' }
  expect(spawnSync(process.execPath, ['-e', script], { env }).status).toBe(1)
  expect(text).toMatch(/^USER node$/m)
})

test.each(['compose.yaml', 'tintero.service'])('every variable that %s sets is one', (name) => {
  const text = read(name)
  const set = [...text.matchAll(/(?:^Environment=| {6})?\b([A-Z][A-Z_]+)(?:=|: )(\S+)/gm)]
    .map(([, variable = '', value = '']) => [variable, value.replace(/['"]/g, '')] as const)
    .filter(([variable]) => !['SITE', 'TINTERO', 'TINTERO_IMAGE', 'NODE_ENV'].includes(variable))
    .map(([variable, value]) => [variable, value.replace(/\$\{SITE.*$/, 'a.example')] as const)
  const known = readFileSync('README.md', 'utf8')
  for (const [variable] of set) expect(known).toContain(`\`${variable}\``)
  expect(set.map(([variable]) => variable)).toContain('TRUST_PROXY')
  expect(readConfig(Object.fromEntries(set)).trustProxy).toBe(1)
})

test.runIf(onPath(['systemd-analyze']).length > 0)('systemd finds no fault in the unit', () => {
  const { stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', 'src/deploy/tintero.service'],
    {
      encoding: 'utf8',
    },
  )
  // The program is not installed here, and that alone it may say.
  const said = (stdout + stderr).split('\n').filter((line) => line.includes('tintero.service'))
  expect(said.filter((line) => !/is not executable|No such file/.test(line))).toEqual([])
})

test('the version that the package has is the one that its files tell of', () => {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly name: string
    readonly version: string
  }
  const [, changes = ''] =
    /^## Changelog$(.*?)^## /ms.exec(readFileSync('src/README.md', 'utf8')) ?? []
  expect(/^### (.+)$/m.exec(changes)?.[1]).toBe(version)
  const packed = readFileSync('README.md', 'utf8').matchAll(/[\w-]+-[\d.]+\.tgz/g)
  expect([...new Set([...packed].map(([file]) => file))]).toEqual([`${name}-${version}.tgz`])
})

const caddy = onPath(['caddy'])
if (caddy.length === 0)
  process.stderr.write('SKIPPED: the Caddyfile is not checked, there is no caddy.\n')

test.runIf(caddy.length > 0)('Caddy finds no fault in its file', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'src/deploy/Caddyfile']
  const env = { PATH: process.env['PATH'], HOME: '/tmp', SITE: 'lucia.example' }
  expect(spawnSync('caddy', args, { env, encoding: 'utf8' }).status).toBe(0)
})
