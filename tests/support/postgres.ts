import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openDb } from '#server/db/open.ts'
import { freePort } from './free-port.ts'
import { signalAll } from './processes.ts'
import { installSystemPackage } from './system-package.ts'
import { within } from './within.ts'

/*
 * A throw-away PostgreSQL for one run of the tests: no set-up by hand, nothing kept. Durability is switched off, since
 * what is tested is the product's SQL. Started by Vitest before the first test file; `TINTERO_POSTGRES` names a server
 * to use instead.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's address, or the empty string where there is no PostgreSQL. */
    postgresUrl: string
    /** The name of a database on it that the product has made and nobody has used. */
    postgresTemplate: string
  }
}

const missing =
  'PostgreSQL is missing, so its tests are skipped: install it (apt-get install postgresql, brew install postgresql) or name a server in TINTERO_POSTGRES.'

/** Vitest's global set-up: provides `postgresUrl` to every test file and returns how to stop the server. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const named = process.env['TINTERO_POSTGRES']
  if (named !== undefined) {
    provide('postgresUrl', named)
    provide('postgresTemplate', await makeTemplate(named))
    return undefined
  }
  const folder = binaries() ?? installPackage()
  if (folder === undefined) {
    if (process.env['CI']) throw new Error(missing)
    process.stdout.write(`${missing}\n`)
    provide('postgresUrl', '')
    provide('postgresTemplate', '')
    return undefined
  }
  // Its workers would go round the hundreds of databases for as long as the tests run, and none lives long enough to need it.
  const server = await startPostgres(folder, { autovacuum: 'off' })
  provide('postgresUrl', server.url)
  provide('postgresTemplate', await makeTemplate(server.url))
  return server.stop
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl)
  await (await openDb({ engine: 'postgres', url }, 0)).close()
  return new URL(url).pathname.slice(1)
}

/** A database of its own on the server, empty or a copy of another, so that test files never meet; resolves to its address. */
export async function createDatabase(serverUrl: string, template = 'template1'): Promise<string> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Debian keeps the programs in one folder per version, outside PATH; elsewhere they are on it. */
function binaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  if (newest !== undefined) return join(root, newest, 'bin')
  return spawnSync('initdb', ['--version']).status === 0 ? '' : undefined
}

function installPackage(): string | undefined {
  installSystemPackage('postgresql')
  return binaries()
}

/** A server of a test's own, which it may stop, end and freeze; what it has committed outlasts that. Undefined where there is no PostgreSQL. */
export async function startOwnPostgres(
  more: Readonly<Record<string, string>> = {},
): Promise<OwnPostgres | undefined> {
  const folder = binaries()
  const settings = { synchronous_commit: 'on', ...more }
  return folder === undefined ? undefined : startPostgres(folder, settings)
}

export interface OwnPostgres {
  readonly url: string
  /** Ends every connection and starts again on the same data. */
  restart(): Promise<void>
  /** The process to kill, with those that it has started, as if the machine were lost; and the start after that. */
  pid(): number
  startAgain(): Promise<void>
  /** Lets all its processes stand still, or go on. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

async function startPostgres(folder: string, more = {}): Promise<OwnPostgres> {
  const data = mkdtempSync(join(tmpdir(), 'tintero-postgres-'))
  const user = unprivilegedUser()
  if (user) chownSync(data, user.uid, user.gid)
  const options = { ...user, cwd: data, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  const init = ['-D', data, '-U', 'tintero', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  const made = spawnSync(join(folder, 'initdb'), init, { ...options, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: 200,
    ...more,
  }
  const named = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = async () => {
    const child = spawn(join(folder, 'postgres'), ['-D', data, ...named], options)
    await isReady(child)
    return child
  }
  const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
  const end = (child: ChildProcess) => {
    if (hasEnded(child)) return undefined
    const closed = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGINT')
    return within(90, 'the end of PostgreSQL', closed)
  }
  let server = await start()
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => signalAll(server.pid ?? 0, name)
  return {
    url: `postgres://tintero@127.0.0.1:${port}/postgres`,
    restart: async () => {
      await end(server)
      server = await start()
    },
    pid: () => server.pid ?? 0,
    startAgain: async () => {
      if (!hasEnded(server)) await within(90, 'the end of PostgreSQL', once(server, 'exit'))
      server = await start()
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      await end(server)
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root; undefined where we are not root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const uid = Number.parseInt(idOf('-u', name), 10)
    const gid = Number.parseInt(idOf('-g', name), 10)
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.',
  )
}

function idOf(flag: string, name: string): string {
  return spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout
}

function isReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('ready to accept connections')) resolve()
    })
    child.on('close', (code) => reject(new Error(`PostgreSQL stopped (${code}): ${said}`)))
  })
}
