import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { calls, idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { pages } from '#contract/pages.ts'
import { project } from '#contract/sections/project.ts'
import { completeValues } from '../support/complete-values.ts'
import { freePort } from '../support/free-port.ts'
import { colourSquare } from '../support/pictures.ts'
import { owner } from '../support/site.ts'
import { start } from './start.ts'
import { readUsage } from './usage.ts'

/*
 * `node tests/bench/soak.ts --minutes 10` (after `npm run build`): one process on SQLite under everything that people do at
 * once, and what it holds meanwhile. What grows from row to row without an end is a leak; an answer of 5xx ends it with 1.
 */

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0')
const rows = 10

const dataDir = mkdtempSync(join(tmpdir(), 'tintero-soak-'))
const server = await start('dist/server/main.js', [], {
  PORT: String(await freePort()),
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  OWNER_EMAIL: owner.userName,
  OWNER_PASSWORD: owner.password,
  ...Object.fromEntries(
    ['READS', 'WRITES', 'POSTS', 'UPLOADS', 'CONTACT', 'CONTACT_TOTAL', 'LOGIN', 'ACCOUNT'].map(
      (name) => [`LIMIT_${name}`, '9999999/1'],
    ),
  ),
})
const base = `http://127.0.0.1:${server.port}`
const end = performance.now() + minutes * 60_000
const counts = { answers: 0, refused: 0, failed: 0 }

const json = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, more: Readonly<Record<string, string>> = {}) =>
  ask(path, { method: 'POST', headers: { ...json, ...more }, body: JSON.stringify(body) })
const signIn = async () =>
  ((await post(ownerCalls.login, owner)) as { readonly token: string }).token
const token = await signIn()
const authorization = `Bearer${token}`
await ask(ownerCalls.backups, { method: 'POST', headers: { authorization } })

async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  // A connection of its own for each: one that is kept may be closed in the moment it is used again.
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  const url = path.startsWith('/') ? base + path : `${base}/api/${path}`
  const answer = await fetch(url, { ...init, headers })
  const text = await answer.text()
  counts.answers++
  if (answer.status >= 500) counts.failed++
  else if (answer.status >= 400) counts.refused++
  return /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

async function again(pauseMs: number, act: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; performance.now() < end; round++) {
    await act(round)
    await wait(pauseMs)
  }
}

const read = pages.filter(({ kind }) => kind === undefined).map(({ path }) => path)
const visitors = again(0, (round) => ask(read[round % read.length] ?? '/'))
const readers = again(5, () => ask(project.key))
const writer = again(20, async () => {
  const key = { authorization, [idempotencyHeader]: randomUUID() }
  const made = await post(`${project.key}/create`, completeValues(project, {}), key)
  const { id } = made as { readonly id: string }
  await ask(`${project.key}/delete/${id}`, { method: 'DELETE', headers: { authorization } })
})
const painter = again(500, async (round) => {
  const colour = `#${(round % 4096).toString(16).padStart(3, '0')}`
  await ask(`${ownerCalls.image}/${project.images.type}?name=New/project_${round}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'image/png' },
    body: (await colourSquare(colour)).buffer as BodyInit,
  })
})
const sender = again(200, async () => {
  await post(calls.contact, { name: 'Ana', email: 'ana@example.com', message: randomUUID() })
  const listed = await ask(`${ownerCalls.messages}?tray=inbox`, { headers: { authorization } })
  const { messages = [] } = listed as { readonly messages?: readonly { readonly id: string }[] }
  for (const { id } of messages.slice(20)) {
    await ask(`${ownerCalls.messages}/delete/${id}`, {
      method: 'DELETE',
      headers: { authorization },
    })
  }
})
const comer = again(1000, async () => {
  const fresh = `Bearer${await signIn()}`
  await ask(ownerCalls.logout, { method: 'POST', headers: { authorization: fresh } })
})
const keeper = again(20_000, () =>
  ask(ownerCalls.backups, { method: 'POST', headers: { authorization } }),
)

const table: Record<string, number | string>[] = []
const watcher = (async () => {
  for (let row = 0; row <= rows; row++) {
    const due = end - minutes * 60_000 * (1 - row / rows)
    await wait(Math.max(0, due - performance.now()))
    table.push(await lookAt())
  }
})()

async function lookAt() {
  const { rssBytes } = await readUsage(server.child)
  const elapsed = minutes - (end - performance.now()) / 60_000
  return {
    minute: elapsed.toFixed(1),
    answers: counts.answers,
    'answered 5xx': counts.failed,
    'memory MB': Math.round(rssBytes / 1e6),
    descriptors: descriptors(server.child.pid),
    'WAL MB': megabytes('tintero.sqlite-wal'),
    'database MB': megabytes('tintero.sqlite'),
    backups: readdirSync(join(dataDir, 'backups'), { withFileTypes: true }).length,
  }
}

function megabytes(name: string): number {
  return Number(
    ((statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0) / 1e6).toFixed(1),
  )
}

/** How many files and sockets the process has open; only Linux tells. */
function descriptors(pid: number | undefined): number | string {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return '?'
  }
}

try {
  await Promise.all([visitors, readers, writer, painter, sender, comer, keeper, watcher])
  console.table(table)
  if (counts.refused > 0) console.log(`refused with 4xx: ${counts.refused}`)
  if (counts.failed > 0) {
    console.error(`answered with 5xx: ${counts.failed}`)
    process.exitCode = 1
  }
} finally {
  server.child.kill('SIGTERM')
  // It writes until it has stopped.
  await once(server.child, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}
