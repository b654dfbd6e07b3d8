import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '#server/db/open.ts'
import { updatePerson } from '#server/db/person.ts'
import { compress } from '#server/edge/compression.ts'
import { freePort } from '../support/free-port.ts'
import { median } from './median.ts'
import { start, type Server } from './start.ts'
import { readUsage } from './usage.ts'

/*
 * `npm run bench` (after `npm run build`), fifth part: the processor time of what is done seldom and is dear. A start on a
 * folder that is there, up to the first page, beside Node's own; and drawing the CV as a file, with the thread and the
 * fonts at hand, beside compressing the same bytes as well as can be. Each takes turns with what it is held against,
 * because only ratios within a run mean anything.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15)
/** So many times what it is held against at most. */
const limits = { start: 16, cv: 1.4 }
/** The first drawings start the thread, read the fonts and are compiled. */
const warmups = 3

const dataDir = mkdtempSync(join(tmpdir(), 'tintero-rare-'))
try {
  const rows = [
    await compare('start', { act: startProduct, beside: startNode, limit: limits.start }),
    await withCv((acts) => compare('cv.pdf', { ...acts, limit: limits.cv })),
  ]
  console.table(rows)
  // What is no number is no proof either.
  const over = rows.filter((row) => !(row.ratio <= row['at most']))
  for (const { what } of over) console.error(`${what} is over its limit`)
  if (over.length > 0) process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

interface Acts {
  /** Each resolves to the milliseconds of processor time that it took. */
  act(): Promise<number>
  beside(): Promise<number>
}

async function compare(what: string, { act, beside, limit }: Acts & { readonly limit: number }) {
  const times: (readonly [number, number])[] = []
  for (let round = 0; round < warmups + rounds; round++) {
    times.push([await beside(), await act()])
  }
  const counted = times.slice(warmups)
  return {
    what,
    'beside, ms CPU': Number(median(counted.map(([ms]) => ms)).toFixed(1)),
    'ms CPU': Number(median(counted.map(([, ms]) => ms)).toFixed(1)),
    ratio: Number(median(counted.map(([other, own]) => own / other)).toFixed(2)),
    'at most': limit,
  }
}

async function openProduct(): Promise<Server> {
  return start('dist/server/main.js', [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LIMIT_READS: '9999999/1',
  })
}

async function startProduct(): Promise<number> {
  const server = await openProduct()
  await read(server, '/')
  return end(server)
}

/** Node with an empty program, asked in the same way. */
async function startNode(): Promise<number> {
  const port = await freePort()
  // It says what a server says, and stays until it is ended.
  const program = `console.log(':${port}');setInterval(()=>0,1e6)`
  return end(await start('-e', [program], { PORT: String(port) }))
}

/** Ends the process; what it used until then, in milliseconds. */
async function end({ child }: Server): Promise<number> {
  const { cpuMicroseconds } = await readUsage(child)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return cpuMicroseconds / 1000
}

async function withCv<T>(measure: (acts: Acts) => Promise<T>): Promise<T> {
  const server = await openProduct()
  const db = await openDb({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  try {
    let drawn = await read(server, '/cv.pdf')
    return await measure({
      async act() {
        await updatePerson(db.db, { patch: { name: `Lucía ${Math.random()}` } })
        // Another process's edit shows when what is known of the revision is older than a second.
        await new Promise((resolve) => setTimeout(resolve, 1100))
        const before = await readUsage(server.child)
        const bytes = await read(server, '/cv.pdf')
        const { cpuMicroseconds } = await readUsage(server.child)
        if (bytes.equals(drawn)) throw new Error('the CV was not drawn anew')
        drawn = bytes
        return (cpuMicroseconds - before.cpuMicroseconds) / 1000
      },
      async beside() {
        const before = process.cpuUsage()
        await compress(drawn, 'br', 'best')
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1000
      },
    })
  } finally {
    await db.close()
    await end(server)
  }
}

async function read({ port }: Server, path: string): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
