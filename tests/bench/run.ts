import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from '#contract/sections/project.ts'
import { freePort } from '../support/free-port.ts'
import { load } from './load.ts'
import { readUsage, reportingUsage } from './usage.ts'

/*
 * `npm run bench` (after `npm run build`), first half: CPU per request of the built product beside a bare node:http server that gives
 * the same answers. Both are measured in turns in one run, because only ratios within a run mean anything.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10)
const sampleMs = 1000
const connections = 16
const memoryRequests = 10_000

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

interface Case {
  readonly name: string
  readonly rawPath: string
  readonly path: string
}

interface Sample {
  readonly perSecond: number
  readonly cpuPerRequest: number
}

async function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const port = Number(env['PORT'] ?? args[0])
  const child = spawn(process.execPath, [...reportingUsage, script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(`:${port}`)) resolve()
    })
  })
  return { child, port } satisfies Server
}

async function measure({ child, port }: Server, path: string): Promise<Sample> {
  const [before, begun] = [await readUsage(child), performance.now()]
  const answers = await load({ port, path, connections, until: { ms: sampleMs } })
  const seconds = (performance.now() - begun) / 1000
  const { cpuMicroseconds } = await readUsage(child)
  const cpuPerRequest = (cpuMicroseconds - before.cpuMicroseconds) / answers
  return { perSecond: answers / seconds, cpuPerRequest }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function compare(product: Server, raw: Server, { name, rawPath, path }: Case) {
  const samples: { readonly product: Sample; readonly raw: Sample }[] = []
  await measure(raw, rawPath)
  await measure(product, path)
  for (let round = 0; round < rounds; round++) {
    samples.push({ raw: await measure(raw, rawPath), product: await measure(product, path) })
  }
  const over = (read: (sample: (typeof samples)[number]) => number) => median(samples.map(read))
  return {
    answer: name,
    'raw req/s': Math.round(over((s) => s.raw.perSecond)),
    'req/s': Math.round(over((s) => s.product.perSecond)),
    'raw µs CPU': Number(over((s) => s.raw.cpuPerRequest).toFixed(1)),
    'µs CPU': Number(over((s) => s.product.cpuPerRequest).toFixed(1)),
    ratio: Number(over((s) => s.product.cpuPerRequest / s.raw.cpuPerRequest).toFixed(2)),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
const started: Server[] = []
try {
  const product = await start('dist/server/main.js', [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LIMIT_READS: '9999999/1',
  })
  started.push(product)
  const base = `http://127.0.0.1:${product.port}`
  const [entry] = (await (await fetch(`${base}/api/${project.key}`)).json()) as { id: string }[]
  const id = entry?.id ?? ''
  const page = join(folder, 'page.br')
  writeFileSync(page, await readCompressed(product.port))
  const database = join(folder, 'tintero.sqlite')
  const rawArgs = [String(await freePort()), database, page, project.key, id]
  const raw = await start('tests/bench/raw-server.ts', rawArgs)
  started.push(raw)
  const cases: readonly Case[] = [
    { name: 'home page', rawPath: '/', path: '/' },
    { name: 'list', rawPath: '/list', path: `/api/${project.key}` },
    { name: 'detail', rawPath: '/detail', path: `/api/${project.key}/detail/${id}` },
  ]
  const rows = []
  for (const one of cases) rows.push(await compare(product, raw, one))
  console.table(rows)
  await reportMemory(cases.map(({ path }) => path))
} finally {
  for (const { child } of started) child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

/** The page's bytes as the product sends them: fetch would unpack them. */
async function readCompressed(port: number): Promise<Buffer> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    const options = { port, path: '/', headers: { 'accept-encoding': 'br' } }
    get(options, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}

/** Memory of a server that has just started, and after many requests. */
async function reportMemory(paths: readonly string[]): Promise<void> {
  const fresh = await start('dist/server/main.js', [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'fresh'),
    LIMIT_READS: '9999999/1',
  })
  started.push(fresh)
  const megabytes = async () => Math.round((await readUsage(fresh.child)).rssBytes / 1e6)
  const before = await megabytes()
  for (const path of paths) {
    const until = { answers: memoryRequests / paths.length }
    await load({ port: fresh.port, path, connections, until })
  }
  console.log(
    `memory: ${before} MB at start, ${await megabytes()} MB after ${memoryRequests} requests`,
  )
}
