import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sections } from '#contract/sections/index.ts'
import { createEntry, updatePerson } from '#server/db/content.ts'
import { openDb, type OpenedDb } from '#server/db/open.ts'
import { transact } from '#server/db/transact.ts'
import { draftFor } from '../support/entry-drafts.ts'
import { freePort } from '../support/free-port.ts'
import { start, type Server } from './start.ts'
import { readUsage } from './usage.ts'

/*
 * `node tests/bench/draws.ts` (after `npm run build`): what drawing a page after an edit costs, with so many entries in each
 * section, in milliseconds of the process's time. `BENCH_BEFORE` names the folder of another build, measured in turns.
 */

const counts = [10, 100, 1000, 5000]
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15)
const paths = ['/', '/about', '/contact', '/projects', '/cv']
const builds = ['dist', ...[process.env['BENCH_BEFORE'] ?? []].flat()]

interface Drawn {
  readonly server: Server
  readonly db: OpenedDb
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-draws-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  for (const count of counts) {
    const all: Drawn[] = []
    for (const [i, build] of builds.entries()) all.push(await open(build, `${count}-${i}`, count))
    const rows = []
    for (const path of paths) rows.push(await compare(all, path))
    console.log(`${count} entries in each section`)
    console.table(rows)
  }
} finally {
  for (const end of ends.toReversed()) await end()
}

async function open(build: string, name: string, count: number): Promise<Drawn> {
  const dataDir = join(folder, name)
  const server = await start(`${build}/server/main.js`, [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LIMIT_READS: '9999999/1',
  })
  ends.push(() => server.child.kill('SIGTERM'))
  const db = await openDb({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  ends.push(() => db.close())
  await transact(db.db, async (t) => {
    for (const section of sections) {
      for (let i = 0; i < count; i++) await createEntry(t, section, { draft: draftFor(section) })
    }
  })
  return { server, db }
}

async function compare(all: readonly Drawn[], path: string) {
  const samples = all.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, one] of all.entries()) samples[i]?.push(await drawOnce(one, path))
  }
  const [now, before] = samples.map((each) => Number(median(each.slice(1)).toFixed(1)))
  return { page: path, ms: now, ...(before !== undefined && { before }) }
}

/** Another process's edit shows when what is known of the revision is older than a second. */
async function drawOnce({ server, db: { db } }: Drawn, path: string): Promise<number> {
  await updatePerson(db, { patch: { name: `Lucía ${Math.random()}` } })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const before = await readUsage(server.child)
  await (await fetch(`http://127.0.0.1:${server.port}${path}`)).arrayBuffer()
  return ((await readUsage(server.child)).cpuMicroseconds - before.cpuMicroseconds) / 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
