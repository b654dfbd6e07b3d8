import { createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '#server/api/app.ts'
import { openApp } from '#tests/support/app.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/** All calls behind a real socket; resolves to how to send a body without waiting for the answer, as a browser does. */
async function listen() {
  const { services } = await openApp()
  const listener = getRequestListener(createApp(services).fetch)
  const server = createServer((req, res) => void listener(req, res))
  const port = await listenOnLoopback(server)
  onTestFinished(() => server.close().closeAllConnections())
  return (path: string, size: number, headers: Readonly<Record<string, string | number>>) =>
    new Promise<number | string>((resolve) => {
      const method = path === 'contact' ? 'POST' : 'PUT'
      const type = { 'content-type': 'application/json' }
      const options = { port, host: '127.0.0.1', method, path: `/api/${path}` }
      const sent = request({ ...options, headers: { ...type, ...headers } })
      sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      sent.on('error', (error) => resolve(error.message))
      sent.end('x'.repeat(size))
    })
}

test('a refusal reaches a sender who is still sending', async () => {
  const send = await listen()
  const size = 5_000_000
  const chunked = { 'transfer-encoding': 'chunked' }
  const stated = { 'content-length': size }
  for (const headers of [stated, chunked]) {
    expect(await send('config', size, headers)).toBe(401)
    expect(await send('person/update/1', size, headers)).toBe(401)
    expect(await send('nothing', size, headers)).toBe(404)
  }
  expect(await send('contact', size, stated)).toBe(413)
  expect(await send('contact', 900_000, chunked)).toBe(413)
  expect(await send('contact', size, { ...stated, 'content-encoding': 'gzip' })).toBe(415)
})
