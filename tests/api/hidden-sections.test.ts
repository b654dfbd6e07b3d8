import { describe, expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { drawAll, startSite } from '#tests/support/listener.ts'
import { publicPaths } from '#tests/support/page-paths.ts'

const secret = 'Nadie debe leer esto'

/** What visitors may ask for beside the pages that search engines are offered. */
const otherPaths = ['/cv', '/card', '/resume.json', '/sitemap.xml', '/index.html', '/nada']
const files = ['/manifest.webmanifest', '/api/config', '/api/person/detail/1']

/** A site with one entry in a section that is then hidden. */
async function hide(app: TestApp, section: Section): Promise<string> {
  const body = completeValues(section, { name: secret.slice(0, 20) })
  const created = await app.asOwner('POST', `${section.key}/create`, { body })
  await app.asOwner('PUT', 'config', { body: { sections_hidden: section.key } })
  return String(membersOf(created)['id'])
}

describe.each(engines)('on %s', (engine) => {
  test.each(sections)('$key is nowhere for visitors while it is hidden', async (section) => {
    const app = await openApp({ engine, everySection: true })
    const before = await app.call('GET', section.key)
    const id = await hide(app, section)
    const list = await app.call('GET', section.key, {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    })
    expect([list.status, list.json]).toEqual([200, []])
    const bad = { headers: { authorization: `Bearer${'x'.repeat(43)}` } }
    expect((await app.call('GET', section.key, bad)).json).toEqual([])
    expect((await app.call('GET', `${section.key}/detail/${id}`)).status).toBe(404)
    const tag = list.headers.get('etag') ?? ''
    await app.asOwner('PUT', 'config', { body: { sections_hidden: '' } })
    const again = await app.call('GET', section.key, { headers: { 'if-none-match': tag } })
    expect([again.status, (again.json as unknown[]).length]).toEqual([200, 1])
  })
})

test.each(sections)(
  'its owner reads and edits $key, and no cache keeps what she reads',
  async (section) => {
    const app = await openApp({ everySection: true })
    const id = await hide(app, section)
    for (const path of [section.key, `${section.key}/detail/${id}`]) {
      const answer = await app.asOwner('GET', path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, no-store',
      ])
      expect(JSON.stringify(answer.json)).toContain(secret.slice(0, 20))
    }
    const change = { body: { name: 'Otro nombre' } }
    expect((await app.asOwner('PUT', `${section.key}/update/${id}`, change)).status).toBe(200)
  },
)

test.each(sections)(
  'no page, file or data of one names $key while it is hidden',
  async (section) => {
    const app = await openApp({ everySection: true })
    const { url } = await startSite(app.services, drawAll)
    await hide(app, section)
    const own = await fetch(url + section.path)
    expect(own.status).toBe(404)
    const html = await own.text()
    expect(html).toContain('<main>/404</main>')
    expect(html).toContain('noindex')
    expect(html).toContain('data-start="now"')
    for (const path of [section.path, ...publicPaths, ...otherPaths, ...files]) {
      const text = await (await fetch(url + path)).text()
      expect(text).not.toContain(secret.slice(0, 20))
      expect(text.replace('/404', '')).not.toContain(`lucia.example${section.path}`)
    }
    // Through the server, which then draws anew.
    const unhidden = await fetch(`${url}/api/config`, {
      method: 'PUT',
      headers: { authorization: `Bearer${app.token}`, 'content-type': 'application/json' },
      body: '{"sections_hidden":""}',
    })
    expect(unhidden.status).toBe(200)
    const shown = await fetch(url + section.path)
    expect([shown.status, (await shown.text()).includes(secret.slice(0, 20))]).toEqual([200, true])
  },
)
