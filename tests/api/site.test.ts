import { describe, expect, test } from 'vitest'
import { ownerCalls } from '#contract/owner-calls.ts'
import { sections } from '#contract/sections/index.ts'
import type { Render } from '#server/pages/document.ts'
import { openApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { startSite, startSites } from '#tests/support/listener.ts'
import { sendRaw } from '#tests/support/raw-http.ts'
import { everySection } from '#tests/support/site-data.ts'

/** Draws everything the site says, so that any change shows on every page. */
const render: Render = async ({ data }) => ({
  status: 200,
  app: JSON.stringify(data).replaceAll('<', '&lt;'),
  state: '',
})

async function openSite() {
  const app = await openApp()
  const { token } = app
  const next = await startSites(app, render)
  const read = async (path: string) => (await fetch(next() + path)).text()
  const asOwner = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${next()}/api/${path}`, {
      method,
      headers: { authorization: `Bearer${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  return { next, read, asOwner }
}

describe.each(sections)('$path', (section) => {
  test('shows each change of the owner to the very next reader', async () => {
    const { read, asOwner } = await openSite()
    await asOwner('PUT', 'config', everySection)
    await read(section.path)
    const made = await asOwner(
      'POST',
      `${section.key}/create`,
      completeValues(section, { name: 'Una' }),
    )
    expect(made.status).toBe(201)
    expect(await read(section.path)).toContain('"Una"')
    const { id } = made.json
    await asOwner('PUT', `${section.key}/update/${String(id)}`, { name: 'Otra' })
    expect(await read(section.path)).toContain('"Otra"')
    await asOwner('DELETE', `${section.key}/delete/${String(id)}`)
    expect(await read(section.path)).not.toContain('"Otra"')
  })
})

test.each(['health', 'ready', 'person', 'messages'])(
  'who asks by HTTP/1.0 need not name the site: %s',
  async (call) => {
    const app = await openApp()
    const { port, url } = await startSite(app.services, render)
    const named = await fetch(`${url}/api/${call}`)
    const answer = await sendRaw(port, `GET /api/${call} HTTP/1.0\r\n\r\n`)
    expect(answer).toContain(`HTTP/1.1 ${named.status} `)
    expect(answer).toContain('content-type: application/')
  },
)

test.each(['GET', 'POST', 'DELETE'])(
  'a call whose address has an encoded slash is as unknown as any: %s',
  async (method) => {
    const { port } = await startSite((await openApp()).services, render)
    for (const path of ['/api%2fperson', '/api%2Fperson', '/%61pi%2fperson/detail/1', '/api%2f']) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      const answer = await sendRaw(port, head)
      expect(answer).toContain('HTTP/1.1 404 ')
      expect(answer).toContain('content-type: application/problem+json')
      expect(answer).toContain('"code":"no-encontrado"')
    }
  },
)

test('TRACE is refused with what the call allows', async () => {
  const { port } = await startSite((await openApp()).services, render)
  const head = 'Host: a\r\nConnection: close\r\nX-Secret: nothing comes back\r\n\r\n'
  const answer = await sendRaw(port, `TRACE /api/${ownerCalls.login} HTTP/1.1\r\n${head}`)
  expect(answer).toContain('HTTP/1.1 405 ')
  expect(answer).toContain('\r\nallow: POST, OPTIONS\r\n')
  expect(answer).not.toContain('nothing comes back')
})

test('a change of profile or settings is in the head of the next page', async () => {
  const { read, asOwner } = await openSite()
  await read('/')
  await asOwner('PUT', 'person/update/1', { name: 'Noelia', lastname: 'Nueva' })
  expect(await read('/')).toContain('<title>Inicio · Noelia Nueva</title>')
  await asOwner('PUT', 'config', { default_theme: 'light' })
  expect(await read('/')).toContain('<html lang="es" data-theme="light"')
})

test('a change while a page is being read is not lost', async () => {
  const { read, asOwner } = await openSite()
  const names = Array.from({ length: 20 }, (_, i) => `Nombre${i}`)
  for (const name of names) {
    const readers = [read('/'), read('/about')]
    await asOwner('PUT', 'person/update/1', { name })
    await Promise.all(readers)
    expect(await read('/')).toContain(name)
  }
})

test('calls answer through the same door, with the id of the request', async () => {
  const { next } = await openSite()
  const answer = await fetch(`${next()}/api/person`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-request-id')).toMatch(/^\w+-\w+$/)
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; frame/)
  const page = await fetch(next())
  expect(page.headers.get('x-request-id')).toMatch(/^\w+-\w+$/)
})

test('a picture that is not there is an inert 404', async () => {
  const { next } = await openSite()
  const answer = await fetch(`${next()}/media/nada.webp`)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
})
