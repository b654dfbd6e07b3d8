import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { createApp } from '#server/api/app.ts'
import { byName, securityHeaders } from '#server/edge/security-headers.ts'
import { mediaRoutes } from '#server/images/media.ts'
import { openApp } from '#tests/support/app.ts'
import { openGallery } from '#tests/support/gallery.ts'
import { photograph, scriptedLogo } from '#tests/support/pictures.ts'

const inert = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

test('a picture may be kept for ever and can do nothing but be seen', async () => {
  const { app, add } = await openGallery()
  for (const picture of [scriptedLogo(), await photograph(400, 300)]) {
    const answer = await app.request(await add(picture))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': inert,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('what governs documents beside their policy is taken from a picture alone', async () => {
  const { app, add } = await openGallery()
  const removed: string[] = []
  const outgoing = { removeHeader: (name: string) => removed.push(name) }
  await app.request('/media/nada', {}, { outgoing })
  expect(removed).toEqual([])
  await app.request(await add(scriptedLogo()), {}, { outgoing })
  expect(removed).toEqual(['Referrer-Policy', 'Permissions-Policy', 'Cross-Origin-Opener-Policy'])
})

test('a part of a picture is answered with all of it', async () => {
  const { app, add } = await openGallery()
  const url = await add(await photograph(400, 300))
  const whole = await (await app.request(url)).arrayBuffer()
  const part = await app.request(url, { headers: { range: 'bytes=0-9' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([200, null])
  expect(Buffer.from(await part.arrayBuffer()).equals(Buffer.from(whole))).toBe(true)
})

test('HEAD tells the same without the picture', async () => {
  const { app, add } = await openGallery()
  const answer = await app.request(await add(scriptedLogo()), { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
})

describe('nothing else in the folder or outside it is served', () => {
  test.each([
    '/media/',
    '/media/nada',
    '/media/secreto.txt',
    '/media/tmp/secreto.txt',
    '/media/../secreto.txt',
    '/media/..%2fsecreto.txt',
    '/media/%2e%2e%2fsecreto.txt',
    '/media/%252e%252e%252fsecreto.txt',
    '/media/..%5csecreto.txt',
    '/media/Project/..%2f..%2fsecreto.txt',
    '/media/%00',
    '/media/Project/a%00b',
    `/media/${'0'.repeat(40)}.1x1.webp`,
    `/media/${'0'.repeat(40)}.1x1.webp%00.txt`,
    `/media/${'a'.repeat(4000)}`,
    '/media/Project/New/project_9',
    '/media/Project/%ff',
  ])('%s', async (path) => {
    const { app, add, dir } = await openGallery()
    await add(scriptedLogo())
    await writeFile(join(dir, 'secreto.txt'), 'secreto')
    await writeFile(join(dir, '..', 'secreto.txt'), 'secreto')
    const answer = await app.request(path)
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })
})

test('the file on disk is what is sent', async () => {
  const { app, add, dir } = await openGallery()
  const url = await add(await photograph(400, 300))
  const onDisk = await readFile(join(dir, url.replace('/media/', '')))
  const sent = await (await app.request(url)).arrayBuffer()
  expect(Buffer.from(sent).equals(onDisk)).toBe(true)
})

test.each([
  ['', 'same-origin'],
  ['https://otra.example', 'cross-origin'],
])('of the origins “%s” that may call, pages show pictures: %s', async (allowed, reach) => {
  const { services } = await openApp({ env: { ALLOWED_ORIGINS: allowed } })
  const title = await createApp(services).request(`/api/${calls.typing}?lines=Carpintera`)
  expect(title.status).toBe(200)
  const uploaded = await mediaRoutes(services).request('/media/nada')
  const ofSample = new Headers(byName(securityHeaders(services.config).picture))
  for (const headers of [title.headers, uploaded.headers, ofSample]) {
    expect(headers.get('cross-origin-resource-policy')).toBe(reach)
  }
  const script = byName(securityHeaders(services.config).part)
  expect(script['Cross-Origin-Resource-Policy']).toBe('same-origin')
})
