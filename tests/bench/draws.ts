import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sections } from '#contract/sections/index.ts'
import { createEntry } from '#server/db/entries.ts'
import { updatePerson } from '#server/db/person.ts'
import { openDb, type OpenedDb } from '#server/db/open.ts'
import { transact } from '#server/db/transact.ts'
import { completeValues } from '../support/complete-values.ts'
import { freePort } from '../support/free-port.ts'
import { median } from './median.ts'
import { start, type Server } from './start.ts'
import { readUsage } from './usage.ts'
import { within } from '#tests/support/within.ts'

/*
 * `npm run bench` (after `npm run build`), fourth part: what drawing a page after an edit costs, with so many entries in each
 * section, in milliseconds of the process's time. From a hundred on no page shows more of them, so drawing it must not cost
 * more up to a thousand. All take turns, because only ratios within a run mean anything. `BENCH_BEFORE` names the folder of another build,
 * measured in the same turns.
 */

/** With so many entries every page shows as many as it ever does. */
const full = 100
/** So many times the drawing with a full page at most, with up to so many entries; beyond, nothing may break. */
const limit = 1.2
const flatTo = 1000
const counts = [10, full, 1000, 5000]
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15)
const paths = ['/', '/about', '/contact', '/projects', '/cv']
const builds = ['dist', ...[process.env['BENCH_BEFORE'] ?? []].flat()]

interface Drawn {
  readonly count: number
  readonly build: string
  readonly server: Server
  readonly db: OpenedDb
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-draws-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const all: Drawn[] = []
  for (const count of counts) for (const build of builds) all.push(await open(build, count))
  const rows = []
  for (const path of paths) rows.push(...(await compare(all, path)))
  console.table(rows)
  const over = rows.filter((row) => row.isOver)
  for (const { page, entries } of over) {
    console.error(`${page} with ${entries} entries in each section is over its limit`)
  }
  if (over.length > 0) process.exitCode = 1
} finally {
  for (const end of ends.toReversed()) await end()
}

async function open(build: string, count: number): Promise<Drawn> {
  const dataDir = join(folder, `${count} ${builds.indexOf(build)}`)
  const server = await start(`${build}/server/main.js`, [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LIMIT_READS: '9999999/1',
  })
  // Its folder goes with it, so nothing is worth waiting for.
  ends.push(() => server.child.kill('SIGKILL'))
  const db = await openDb({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  ends.push(() => db.close())
  const filling = transact(db.db, async (t) => {
    for (const section of sections) {
      for (let i = 0; i < count; i++) {
        await createEntry(t, section, { values: completeValues(section) })
      }
    }
  })
  await within(120, `making ${count} entries in each section`, filling)
  return { count, build, server, db }
}

async function compare(all: readonly Drawn[], path: string) {
  const samples = new Map(all.map((one): [Drawn, number[]] => [one, []]))
  for (let round = 0; round < rounds; round++) {
    await Promise.all(all.map(edit))
    // Another process's edit shows when what is known of the revision is older than a second: one wait for all, else it is
    // nearly all that a run takes.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    for (const [one, times] of samples) times.push(await drawOnce(one, path))
  }
  const ms = (count: number, build: string) => {
    const one = all.find((each) => each.count === count && each.build === build)
    return Number(median((one && samples.get(one)?.slice(1)) ?? []).toFixed(1))
  }
  return counts.map((count) => {
    const ratio = Number((ms(count, 'dist') / ms(full, 'dist')).toFixed(2))
    return {
      page: path,
      entries: count,
      ms: ms(count, 'dist'),
      ...(builds[1] !== undefined && { 'ms before': ms(count, builds[1]) }),
      [`to ${full} entries`]: ratio,
      'at most': limit,
      // What is no number is no proof either.
      isOver: count <= flatTo && !(ratio <= limit),
    }
  })
}

async function edit({ db: { db }, count }: Drawn): Promise<void> {
  const editing = updatePerson(db, { patch: { name: `Lucía ${Math.random()}` } })
  await within(30, `an edit beside ${count} entries in each section`, editing)
}

async function drawOnce({ server, count }: Drawn, path: string): Promise<number> {
  const before = await readUsage(server.child)
  const drawing = fetch(`http://127.0.0.1:${server.port}${path}`).then(async (answer) => {
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.text()
  })
  await within(30, `${path} with ${count} entries in each section`, drawing)
  return ((await readUsage(server.child)).cpuMicroseconds - before.cpuMicroseconds) / 1000
}
