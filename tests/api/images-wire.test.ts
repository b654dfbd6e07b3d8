import { createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { maxImageBytes } from '#contract/limits.ts'
import { openGallery, type Gallery } from '#tests/support/gallery.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { photograph } from '#tests/support/pictures.ts'

// Shrinking photographs is real work: on a busy machine it takes its time.
vi.setConfig({ testTimeout: 60_000 })

/** The gallery behind a real socket. */
async function listen({ app }: Gallery): Promise<number> {
  const answer = getRequestListener(app.fetch)
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing)
  })
  onTestFinished(() => server.close().closeAllConnections())
  return listenOnLoopback(server)
}

/** Sends the body without waiting for an answer, as a browser does, and tells the status or the fault it ends in. */
async function send(port: number, body: Uint8Array, headers: Record<string, string>) {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'PUT',
    path: '/api/image/Project?name=New/project_1',
    headers: { ...headers, 'content-length': String(body.length) },
  })
  return new Promise<number | string>((resolve) => {
    sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', (error) => resolve(error.message))
    sent.end(body)
  })
}

test('a refusal reaches a sender who is still sending', async () => {
  const gallery = await openGallery()
  const port = await listen(gallery)
  const largest = new Uint8Array(maxImageBytes)
  expect(await send(port, largest, {})).toBe(401)
  expect(await send(port, new Uint8Array(maxImageBytes + 5_000_000), gallery.session)).toBe(413)
  expect(await send(port, largest, gallery.session)).toBe(415)
})

test('a photograph comes whole through a socket', async () => {
  const gallery = await openGallery()
  const { buffer } = await photograph(1600, 1200)
  expect(await send(await listen(gallery), buffer, gallery.session)).toBe(201)
  expect(await gallery.files()).toHaveLength(4)
})
