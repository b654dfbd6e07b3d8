import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createPurge } from '#server/edge/purge.ts'
import type { PurgeCall } from '#server/edge/purge-call.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/* What a shared cache is told of changes: by a real call, to a server that notes it. */

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A cache that answers with these statuses, the last of them from then on. */
async function openCache(...statuses: number[]) {
  const heard: string[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => (body += String(chunk)))
    req.on('end', () => {
      heard.push([req.method, req.url, req.headers['x-key'] ?? '', body].join(' ').trim())
      res.writeHead(statuses.length > 1 ? (statuses.shift() ?? 200) : (statuses[0] ?? 200)).end()
    })
  })
  const port = await listenOnLoopback(server)
  closing.push(() => server.close())
  const call: PurgeCall = { method: 'PURGE', url: `http://127.0.0.1:${port}/all`, headers: {} }
  return { heard, call }
}

function follow(call: PurgeCall) {
  const site = { revision: 1 }
  const lines: string[] = []
  const reading = Promise.withResolvers<void>()
  const look = createPurge({
    call,
    readRevision: async () => {
      reading.resolve()
      return site.revision
    },
    log: (event) => lines.push(event),
    firstPauseMs: 1,
  })
  return { site, lines, look, waitForRead: () => reading.promise }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a cache is told at the start and of each change, and of nothing twice', async () => {
  const { heard, call } = await openCache()
  const { site, lines, look } = follow(call)
  await expect.poll(() => heard).toEqual(['PURGE /all'])
  look()
  await settled()
  expect(heard).toHaveLength(1)
  site.revision = 2
  look()
  look()
  await expect.poll(() => heard).toHaveLength(2)
  await settled()
  expect(heard).toHaveLength(2)
  expect(lines).toEqual([])
})

test('one that refuses is told again until it takes it, and the log says so', async () => {
  const { heard, call } = await openCache(503, 401, 200)
  const { lines } = follow(call)
  await expect.poll(() => heard).toHaveLength(3)
  await settled()
  expect(heard).toHaveLength(3)
  expect(lines).toEqual(['purge-failed', 'purge-failed'])
})

test('a change while it is told of another one is told too', async () => {
  const { heard, call } = await openCache()
  const { site, look, waitForRead } = follow(call)
  // The revision of the start is read, and the cache not told of it yet.
  await waitForRead()
  site.revision = 2
  look()
  await expect.poll(() => heard).toHaveLength(2)
})

test('method, header and body are those that were set', async () => {
  const { heard, call } = await openCache()
  follow({ ...call, method: 'POST', headers: { 'X-Key': 'k' }, body: '{"all":true}' })
  await expect.poll(() => heard).toEqual(['POST /all k {"all":true}'])
})
