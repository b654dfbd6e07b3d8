import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { freePort } from '../support/free-port.ts'
import { startNginx } from '../support/nginx.ts'
import { createDatabase, startOwnPostgres } from '../support/postgres.ts'
import { owner } from '../support/site.ts'
import { median } from './median.ts'
import { load } from './load.ts'
import { start, type Server } from './start.ts'
import { readUsage } from './usage.ts'

/*
 * `node tests/bench/outgrown.ts` (after `npm run build`, with nginx and PostgreSQL): what one process serves, what two on
 * one PostgreSQL add, and what a caching proxy takes away. The ways are measured in turns, because only ratios within a run
 * mean anything; processor time of the site's own processes is what another machine could take over.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
const sampleMs = 1000
const connections = 16
const path = `/api/${project.key}`

interface Way {
  readonly name: string
  readonly servers: readonly Server[]
  /** Where its visitors come in. */
  readonly port: number
  readonly token: string
}

interface Sample {
  readonly perSecond: number
  readonly micros: number
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  // As durable as SQLite is here.
  const postgres = await startOwnPostgres({ fsync: 'on', full_page_writes: 'on' })
  if (!postgres) throw new Error('PostgreSQL is missing')
  ends.push(() => postgres.stop())
  const database = await createDatabase(postgres.url)
  const sqlite = await serve('sqlite')
  const shared = await serve('shared', { SHARED_CACHE: '10', TRUST_PROXY: '1' })
  const one = await serve('postgres', { DATABASE_URL: database, TRUST_PROXY: '1' })
  const two = await serve('postgres', { DATABASE_URL: database, TRUST_PROXY: '1' })
  const ways = [
    await way('one process, SQLite', [sqlite], sqlite.port),
    await way('one process, PostgreSQL', [one], one.port),
    await way('two processes, PostgreSQL, behind nginx', [one, two]),
    await way('one process, SQLite, behind a caching nginx', [shared]),
  ]
  for (const [what, measure] of [
    ['home page', (each: Way) => reads(each, '/')],
    ['list', (each: Way) => reads(each, path)],
    ['change', writes],
  ] as const) {
    console.log(what)
    console.table(await compare(ways, measure))
  }
} finally {
  for (const end of ends.toReversed()) await end()
}

async function serve(name: string, env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const server = await start('dist/server/main.js', [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, name),
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
    LIMIT_READS: '9999999/1',
    LIMIT_WRITES: '9999999/1',
    ...env,
  })
  ends.push(() => server.child.kill('SIGTERM'))
  return server
}

async function way(name: string, servers: readonly Server[], direct?: number): Promise<Way> {
  let port = direct
  if (port === undefined) {
    const proxy = await startNginx(servers.map((server) => `http://127.0.0.1:${server.port}`))
    ends.push(() => proxy.close())
    port = Number(new URL(proxy.url).port)
  }
  const answer = await fetch(`http://127.0.0.1:${port}/api/${ownerCalls.login}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  })
  const { token } = (await answer.json()) as { readonly token: string }
  return { name, servers, port, token }
}

async function reads({ port }: Way, address: string): Promise<number> {
  return load({ port, path: address, connections, until: { ms: sampleMs } })
}

/** Changes of the profile by one owner on four connections; how many were answered. */
async function writes({ port, token }: Way): Promise<number> {
  const end = performance.now() + sampleMs
  let answers = 0
  const one = async (writer: number) => {
    while (performance.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/${calls.personUpdate}/1`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer${token}` },
        body: JSON.stringify({ name: `Lucía ${writer} ${answers}` }),
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a change was answered ${answer.status}`)
      answers++
    }
  }
  await Promise.all([0, 1, 2, 3].map(one))
  return answers
}

async function sample(each: Way, run: (each: Way) => Promise<number>): Promise<Sample> {
  const used = async () => {
    const all = await Promise.all(each.servers.map(({ child }) => readUsage(child)))
    return all.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0)
  }
  const [before, begun] = [await used(), performance.now()]
  const answers = await run(each)
  const seconds = (performance.now() - begun) / 1000
  return { perSecond: answers / seconds, micros: ((await used()) - before) / answers }
}

async function compare(ways: readonly Way[], run: (each: Way) => Promise<number>) {
  const samples = new Map<Way, Sample[]>(ways.map((each) => [each, []]))
  for (const each of ways) await sample(each, run)
  for (let round = 0; round < rounds; round++) {
    for (const each of ways) samples.get(each)?.push(await sample(each, run))
  }
  const over = (each: Way, read: (one: Sample) => number) =>
    median((samples.get(each) ?? []).map(read))
  const [first] = ways as [Way]
  return ways.map((each) => {
    const micros = over(each, (one) => one.micros)
    return {
      way: each.name,
      'answers/s': Math.round(over(each, (one) => one.perSecond)),
      "µs CPU of the site's": Number(micros.toFixed(1)),
      'of one process': Number((micros / over(first, (one) => one.micros)).toFixed(2)),
    }
  })
}
