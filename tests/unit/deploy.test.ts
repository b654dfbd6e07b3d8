import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { cliTexts } from '#contract/texts/cli.ts'
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

/** A service of the compose file, of which only what is judged here. */
interface Service {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface Compose {
  readonly services: Readonly<Record<'site' | 'caddy', Service>>
  readonly volumes: Readonly<Record<string, null>>
}

const compose = parse(read('compose.yaml')) as Compose
const { port } = readConfig({})

/** The lines of the unit, by their names; one that stands more than once has all its values. */
function unitLines(name: string): readonly string[] {
  return [...read('tintero.service').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(
    ([, value = '']) => value.split(' '),
  )
}

test('the containers find each other, the site where it listens, and the data where it is kept', () => {
  const { site, caddy: front } = compose.services
  const dockerfile = read('Dockerfile')
  expect(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]).toBe(`${port}`)
  expect(dockerfile).toContain(`process.env.PORT ?? ${port}}`)
  expect(front.environment['TINTERO']).toBe(`site:${port}`)
  expect(Object.keys(front.depends_on ?? {})).toEqual(['site'])
  expect(Object.keys(compose.services)).toEqual(['site', 'caddy'])
  // One that starts by `condition: service_healthy` never would without a check.
  expect(dockerfile).toContain('HEALTHCHECK')
  const [, folder = ''] = /^ENV .*DATA_DIR=(\S+)/m.exec(dockerfile) ?? []
  expect(/^VOLUME (\S+)$/m.exec(dockerfile)?.[1]).toBe(folder)
  const mounts = site.volumes.map((volume) => volume.split(':'))
  expect(mounts.map(([, place]) => place)).toEqual([folder])
  const all = [...site.volumes, ...front.volumes].map((volume) => volume.split(':')[0] ?? '')
  const files = all.filter((name) => name.startsWith('.'))
  expect(files.filter((file) => !existsSync(join('src/deploy', file)))).toEqual([])
  expect(all.filter((name) => !name.startsWith('.')).toSorted()).toEqual(
    Object.keys(compose.volumes).toSorted(),
  )
})

test('what Caddy asks its environment for is what its container gets, and else the port on this machine', () => {
  const text = read('Caddyfile')
  const asked = [...text.matchAll(/\{\$(\w+)(?::(\S+?))?\}/g)].map(([, name, usual]) => [
    name,
    usual,
  ])
  expect(asked).toEqual([
    ['SITE', 'localhost'],
    ['TINTERO', `127.0.0.1:${port}`],
  ])
  expect(Object.keys(compose.services.caddy.environment)).toEqual(asked.map(([name]) => name))
})

test('other proxies too look for the site where it listens', () => {
  expect(read('nginx.conf')).toContain(`server 127.0.0.1:${port};`)
  expect(/\.port = "(\d+)"/.exec(read('varnish.vcl'))?.[1]).toBe(`${port}`)
})

test('the unit keeps the data in the folder that systemd makes, and may write nowhere else', () => {
  const [state = ''] = unitLines('StateDirectory')
  const folder = `/var/lib/${state}`
  const variables = Object.fromEntries(
    unitLines('Environment').map((pair) => /^(\w+)=(.*)$/.exec(pair)?.slice(1) ?? [pair, '']),
  ) as Readonly<Record<string, string>>
  const config = readConfig(variables)
  expect(config).toMatchObject({ dataDir: folder, host: '127.0.0.1', port })
  expect(config.backupDir.startsWith(`${folder}/`)).toBe(true)
  expect(unitLines('WorkingDirectory')).toEqual([folder])
  expect(unitLines('ProtectSystem')).toEqual(['strict'])
})

const manual =
  /^## Run it on a server$(.*?)^## /ms.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
const [entry = ''] = Object.values(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly bin: Record<string, string> })
    .bin,
)

test('the commands for containers that the README shows are ones that these files understand', () => {
  const commands = [...manual.matchAll(/`((?:\w+=\S+ )?docker [^`]+)`/g)].map(([, one = '']) => one)
  expect(commands.length).toBeGreaterThan(3)
  const files = commands.map((command) => / -f (\S+)/.exec(command)?.[1] ?? '')
  expect(files.filter((file) => !existsSync(file))).toEqual([])
  const [, tag = ''] = / -t (\S+)/.exec(commands[0] ?? '') ?? []
  expect(compose.services.site.image).toBe(`\${TINTERO_IMAGE:-${tag}:latest}`)
  // Compose refuses every command, `logs` and `exec` too, where a variable is missing that has no other value.
  const needed = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(needed).toEqual(['SITE'])
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect(new Set(asked)).toEqual(new Set([...needed, 'TINTERO_IMAGE']))
  const beside = 'echo SITE=lucia.example > src/deploy/.env'
  const up = 'docker compose -f src/deploy/compose.yaml up -d'
  expect(manual).toContain(`\`${beside}\`, and \`${up}\``)
  expect(read('compose.yaml')).toContain(`#   ${beside}\n#   ${up}\n`)
  expect(new Set(files.map((file) => dirname(file)))).toEqual(new Set([dirname('src/deploy/.env')]))
  const inside = commands.flatMap((command) => / (?:logs|exec) (.+)$/.exec(command)?.[1] ?? [])
  expect(inside).toEqual(['site', `site node ${entry} doctor`])
  expect(cliTexts.help).toMatch(/^ {2}doctor /m)
  expect(read('Dockerfile')).toContain(`ENTRYPOINT ["node", "${entry}"]`)
})

test('the steps for systemd that the README shows make what the unit asks for', () => {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string }
  const steps = [...manual.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one)
  expect(steps).toContain(`useradd --system ${unitLines('User').join(' ')}`)
  const [, prefix = ''] =
    /npm install --prefix (\S+)/.exec(steps.find((step) => step.startsWith('npm install')) ?? '') ??
    []
  expect(unitLines('ExecStart')).toEqual([
    '/usr/bin/node',
    `${prefix}/node_modules/${name}/${entry}`,
    'start',
  ])
  const settings = unitLines('EnvironmentFile').join('').replace('-', '')
  expect(dirname(settings)).toBe('/etc')
  expect(steps).toContain(settings)
  expect(steps).toContain('PUBLIC_URL=https://…')
  expect(steps).toContain('/etc/systemd/system')
  expect(steps).toContain(`systemctl enable --now ${name}`)
  expect(existsSync(`src/deploy/${name}.service`)).toBe(true)
  const command = steps.find((step) => step.startsWith('runuser')) ?? ''
  expect(command).toMatch(new RegExp(`^runuser -u ${unitLines('User').join('')} -- env `))
  expect(command).toMatch(new RegExp(` ${prefix}/node_modules/\\.bin/${name} doctor$`))
  const [, environment = ''] = / env (.+) \S+ doctor$/.exec(command) ?? []
  for (const variable of ['DATA_DIR', 'TRUST_PROXY']) {
    const set = unitLines('Environment').find((one) => one.startsWith(`${variable}=`))
    expect(environment.split(' ')).toContain(set)
  }
  // Without it the unit could not be enabled.
  expect(unitLines('WantedBy')).toEqual(['multi-user.target'])
})

const caddy = onPath(['caddy'])
if (caddy.length === 0)
  process.stderr.write('SKIPPED: the Caddyfile is not checked, there is no caddy.\n')

test.runIf(caddy.length > 0)('Caddy finds no fault in its file', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'src/deploy/Caddyfile']
  const env = { PATH: process.env['PATH'], HOME: '/tmp', SITE: 'lucia.example' }
  expect(spawnSync('caddy', args, { env, encoding: 'utf8' }).status).toBe(0)
})
