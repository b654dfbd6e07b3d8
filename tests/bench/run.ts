import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from '#contract/sections/project.ts'
import { freePort } from '../support/free-port.ts'
import { median } from './median.ts'
import { load } from './load.ts'
import { start, type Server } from './start.ts'
import { readUsage } from './usage.ts'

/*
 * `npm run bench` (after `npm run build`), first half: CPU per request of the built product beside a bare node:http server that gives
 * the same answers. Both are measured in turns in one run, because only ratios within a run mean anything.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10)
const sampleMs = 1000
const connections = 16
const memoryRequests = 10_000

interface Case {
  readonly name: string
  readonly rawPath: string
  readonly path: string
  /** So many times the bare server's CPU at most. */
  readonly limit: number
}

interface Servers {
  readonly raw: Server
  readonly product: Server
  /** Another build, measured in the same turns: `BENCH_BEFORE` names its folder. */
  readonly before: Server | undefined
}

interface Sample {
  readonly perSecond: number
  readonly cpuPerRequest: number
}

async function measure({ child, port }: Server, path: string): Promise<Sample> {
  const [before, begun] = [await readUsage(child), performance.now()]
  const answers = await load({ port, path, connections, until: { ms: sampleMs } })
  const seconds = (performance.now() - begun) / 1000
  const { cpuMicroseconds } = await readUsage(child)
  const cpuPerRequest = (cpuMicroseconds - before.cpuMicroseconds) / answers
  return { perSecond: answers / seconds, cpuPerRequest }
}

async function compare(servers: Servers, { name, rawPath, path, limit }: Case) {
  const { raw, product, before } = servers
  const ways = [
    ['raw', raw, rawPath],
    ['product', product, path],
    ...(before ? ([['before', before, path]] as const) : []),
  ] as const
  for (const [, server, at] of ways) await measure(server, at)
  const samples: Readonly<Record<string, Sample>>[] = []
  for (let round = 0; round < rounds; round++) {
    const sample: Record<string, Sample> = {}
    for (const [way, server, at] of ways) sample[way] = await measure(server, at)
    samples.push(sample)
  }
  const cpu = (way: string) => (sample: (typeof samples)[number]) =>
    sample[way]?.cpuPerRequest ?? Number.NaN
  const over = (read: (sample: (typeof samples)[number]) => number) => median(samples.map(read))
  const ratio = (way: string) =>
    Number(over((sample) => cpu(way)(sample) / cpu('raw')(sample)).toFixed(2))
  return {
    answer: name,
    'raw req/s': Math.round(over((sample) => sample['raw']?.perSecond ?? Number.NaN)),
    'req/s': Math.round(over((sample) => sample['product']?.perSecond ?? Number.NaN)),
    'raw µs CPU': Number(over(cpu('raw')).toFixed(1)),
    'µs CPU': Number(over(cpu('product')).toFixed(1)),
    ...(before && { 'ratio before': ratio('before') }),
    ratio: ratio('product'),
    'at most': limit,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
const started: Server[] = []
try {
  const product = await startProduct('dist', folder)
  const earlier = process.env['BENCH_BEFORE']
  const before = earlier ? await startProduct(earlier, join(folder, 'before')) : undefined
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
    { name: 'home page', rawPath: '/', path: '/', limit: 1.6 },
    { name: 'contact page', rawPath: '/', path: '/contact', limit: 1.6 },
    { name: 'list', rawPath: '/list', path: `/api/${project.key}`, limit: 1.5 },
    { name: 'detail', rawPath: '/detail', path: `/api/${project.key}/detail/${id}`, limit: 1.5 },
  ]
  const rows = []
  for (const one of cases) rows.push(await compare({ raw, product, before }, one))
  console.table(rows)
  const broken = rows.filter((row) => row.ratio > row['at most'])
  for (const { answer } of broken) console.error(`${answer} is over its limit`)
  if (broken.length > 0) process.exitCode = 1
  await reportMemory(cases.map(({ path }) => path))
} finally {
  for (const { child } of started) child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function startProduct(build: string, dataDir: string): Promise<Server> {
  const server = await start(`${build}/server/main.js`, [], {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LIMIT_READS: '9999999/1',
  })
  started.push(server)
  return server
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
  const fresh = await startProduct('dist', join(folder, 'fresh'))
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
