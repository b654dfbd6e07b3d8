import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publicPaths } from '#tests/support/page-paths.ts'
import { ownHeader } from '#contract/api.ts'
import { loginTexts } from '#contract/access/login.ts'
import { pages as table } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { texts } from '#contract/texts/site.ts'
import { Problem } from '#server/problem.ts'
import { everySection } from '#tests/support/site-data.ts'
import { emptySiteData, startListener } from '#tests/support/listener.ts'
import { pageTemplate } from '#tests/support/page-template.ts'
import { sendRaw } from '#tests/support/raw-http.ts'

const lucia = {
  name: 'Lucía',
  lastname: 'Ejemplo',
  title: 'Diseñadora',
  description: 'Hago «cosas» & más.',
}

const read = async (address: string) => (await fetch(address)).text()

test.each(publicPaths)('%s names its page for search engines and shared links', async (path) => {
  const { url } = await startListener({ readSite: async () => emptySiteData(lucia) })
  const html = await read(url + path)
  const address = `https://lucia.example${path}`
  expect(html).toMatch(/<title>[^<]+ · Lucía Ejemplo<\/title>/)
  expect(html).toContain(`<link rel="canonical" href="${address}">`)
  expect(html).toContain(`<meta property="og:url" content="${address}">`)
  expect(html).toContain('<meta property="og:image" content="https://lucia.example/og.png">')
  expect(html).toMatch(/<meta name="description" content="[^"]+">/)
  expect(html).not.toContain('noindex')
})

test('every page has a title of its own', async () => {
  const { url } = await startListener({ readSite: async () => emptySiteData(lucia) })
  const pages = await Promise.all(publicPaths.map((path) => read(url + path)))
  const titles = pages.map((html) => /<title>(.*?)<\/title>/.exec(html)?.[1])
  expect(new Set(titles).size).toBe(publicPaths.length)
})

test.each(['/login', '/configurar', '/cv', '/settings', '/addProj', '/editPer/1', '/index.html'])(
  '%s stays out of search engines',
  async (path) => {
    const { url } = await startListener()
    const answer = await fetch(url + path)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toContain('canonical')
  },
)

test('a page says that it is the site’s own where devices may keep it, and where it is gone', async () => {
  const { url } = await startListener()
  const kept = [...publicPaths, '/cv', '/card', '/nothing']
  const others = ['/login', '/settings', '/index.html', '/contact?enviado=1']
  const says = await Promise.all(
    [...kept, ...others].map(async (path) => (await fetch(url + path)).headers.has(ownHeader)),
  )
  expect(says).toEqual([...kept.map(() => true), ...others.map(() => false)])
})

test('forms of no use without the application start it once they are painted', async () => {
  const { url } = await startListener()
  for (const path of ['/login', '/configurar']) {
    const html = await read(url + path)
    expect(html).toContain('<html lang="es" data-theme="dark" data-start="painted">')
    expect(html).toContain(`<main>${path}</main>`)
  }
})

test('the page after a login form that was not taken says so, and keeps nothing else of the query', async () => {
  const { url } = await startListener({
    render: async ({ url: path, posted }) => ({
      status: 200,
      app: `<main>${path} ${posted?.notice}</main>`,
      state: '{}',
    }),
  })
  expect(await read(`${url}/login?sin-enviar=1`)).toContain(`<main>/login ${loginTexts.unsent}<`)
  for (const query of ['sin-enviar=2', 'password=secreta', 'enviado=1', 'toString']) {
    expect(await read(`${url}/login?${query}`)).toContain('<main>/login undefined<')
  }
})

test("the owner's pages and the bare page are drawn by the browser", async () => {
  const { url } = await startListener()
  for (const path of ['/index.html', '/settings', ...sections.map(({ addPath }) => addPath)]) {
    const html = await read(url + path)
    expect(html).toContain('<html lang="es" data-theme="dark" data-start="now">')
    expect(html).toContain('<div id="app"></div>')
    expect(html).not.toContain('id="state"')
  }
  expect(await read(url)).toContain('<html lang="es" data-theme="dark"><head>')
})

test.each(['/nada', '/projects/x', '/editProj', '/Projects', '/editProj/1/2', '/contact/x'])(
  '%s is not found, and says so to machines too',
  async (path) => {
    const { url } = await startListener({ readSite: async () => emptySiteData(lucia) })
    const answer = await fetch(url + path)
    expect(answer.status).toBe(404)
    const html = await answer.text()
    expect(html).toContain(texts.notFound)
    expect(html).toContain('noindex')
    expect(html).not.toContain(path)
  },
)

test('addresses that do not exist share one kept page', async () => {
  const drawn: string[] = []
  const { url } = await startListener({
    render: async (request) => {
      drawn.push(request.url)
      return { status: 404, app: '', state: '' }
    },
  })
  for (const path of ['/a', '/b', '/c?d']) await read(url + path)
  expect(drawn).toEqual(['/404'])
})

test('a page is drawn once, whatever the query, until the content changes', async () => {
  let revision = 1
  const drawn: string[] = []
  const { url } = await startListener({
    readRevision: async () => revision,
    render: async (request) => {
      drawn.push(request.url)
      return { status: 200, app: `revision ${revision}`, state: '' }
    },
    app: (_, res) => {
      revision++
      res.end()
    },
  })
  expect(await read(`${url}/about?a=1`)).toContain('revision 1')
  expect(await read(`${url}/about`)).toContain('revision 1')
  await fetch(`${url}/api/person/update/1`, { method: 'PUT' })
  expect(await read(`${url}/about`)).toContain('revision 2')
  expect(drawn).toEqual(['/about', '/about'])
})

test('readers who come together cause one drawing', async () => {
  let drawings = 0
  let readers = 0
  const { promise: together, resolve } = Promise.withResolvers<number>()
  const { url } = await startListener({
    readRevision: () => {
      if (++readers === 3) resolve(1)
      return together
    },
    render: async () => {
      drawings++
      return { status: 200, app: 'drawn', state: '' }
    },
  })
  for (const html of await Promise.all([read(url), read(url), read(url)])) {
    expect(html).toContain('drawn')
  }
  expect(drawings).toBe(1)
})

test('after a change the revision is asked for once, not by every reader', async () => {
  let readings = 0
  const { url } = await startListener({ readRevision: async () => ++readings && 1 })
  await fetch(`${url}/api/skill/create`, { method: 'POST' })
  for (const path of ['/', '/about', '/contact']) await read(url + path)
  expect(readings).toBe(1)
})

test('a reader with the current page is told so, and gets the new one after a change', async () => {
  let app = 'one'
  let revision = 1
  const { url } = await startListener({
    readRevision: async () => revision,
    render: async () => ({ status: 200, app, state: '' }),
  })
  const first = await fetch(url)
  const held = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect((await fetch(url, held)).status).toBe(304)
  app = 'two'
  revision = 2
  await fetch(`${url}/api/skill/create`, { method: 'POST' })
  expect((await fetch(url, held)).status).toBe(200)
})

test('the contact page says by its tag that only its mark is another, and is given with it', async () => {
  let marks = 0
  const { url } = await startListener({
    now: () => new Date(Date.UTC(2031, 2, 1, 12, 0, 10 * marks)),
    newMark: () => `marca-${++marks}`,
    render: async () => ({ status: 200, app: '<form action="/contact"></form>', state: '' }),
  })
  const first = await fetch(`${url}/contact`)
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(`${url}/contact`, { headers: { 'if-none-match': tag } })
  expect([again.status, again.headers.get('etag')]).toEqual([200, tag])
  expect(await first.text()).toContain('=marca-1"')
  expect(await again.text()).toContain('=marca-2"')
})

test("the site's theme is on the document before any code runs", async () => {
  const settings = { ...defaultSettings, default_theme: 'light' }
  const { url } = await startListener({ readSite: async () => emptySiteData({}, { settings }) })
  expect(await read(url)).toContain('<html lang="es" data-theme="light">')
})

test('a kept page is drawn anew once its notice is over', async () => {
  const settings = { ...defaultSettings, banner_text: 'Feria', banner_until: '2031-03-01' }
  let time = Date.parse('2031-03-02T11:58:59Z')
  let drawings = 0
  const { url } = await startListener({
    readSite: async () => emptySiteData({}, { settings }),
    render: async () => ({ status: 200, app: `<main>${++drawings}</main>`, state: '{}' }),
    now: () => new Date(time),
  })
  const drawing = async () => /<main>(\d)/.exec(await read(url))?.[1]
  expect([await drawing(), await drawing()]).toEqual(['1', '1'])
  time += 1000
  expect([await drawing(), await drawing()]).toEqual(['2', '2'])
})

test('what the owner wrote is text wherever the head repeats it', async () => {
  const hostile = `</title><script>alert(1)</script>"' onload="x\u2028`
  const fields = { name: hostile, lastname: hostile, title: hostile, description: hostile }
  const { url } = await startListener({ readSite: async () => emptySiteData(fields) })
  for (const path of publicPaths) {
    const html = await read(url + path)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;/title&gt;&lt;script&gt;alert(1)')
    expect(html).not.toMatch(/content="[^"]*" onload/)
  }
  expect(linkedDataOf(await read(url))[1]).toMatchObject({ givenName: hostile })
})

test('a page carries the common sheet and its own, not those of other pages', async () => {
  const sheets = '<style data-page="home">h{}</style><style data-page="about">a{}</style></head>'
  const { url } = await startListener({ template: pageTemplate.replace('</head>', sheets) })
  const styles = async (path: string) => (await read(url + path)).match(/<style.*?<\/style>/g)
  const common = '<style>body{margin:0}</style>'
  expect(await styles('/')).toEqual([common, '<style data-page="home">h{}</style>'])
  expect(await styles('/about')).toEqual([common, '<style data-page="about">a{}</style>'])
  expect(await styles('/settings')).toEqual([common])
})

test('text that looks like a replacement pattern stays as it is', async () => {
  const { url } = await startListener({
    readSite: async () => emptySiteData({ ...lucia, title: "$& $' $1" }),
    render: async () => ({ status: 200, app: "$& $' <!--state-->", state: '{"a":"$&"}' }),
  })
  const html = await read(url)
  expect(html).toContain(`<div id="app">$& $' <!--state--></div>`)
  expect(html).toContain('<script id="state" type="application/json">{"a":"$&"}</script>')
})

test('the home page says in machine words who the person is', async () => {
  const settings = {
    ...defaultSettings,
    github_url: 'github.com/lucia',
    linkedin_url: 'javascript:x',
  }
  const data = emptySiteData({ ...lucia, image: '/media/a.640x800.webp' }, { settings })
  const { url } = await startListener({ readSite: async () => data })
  const html = await read(url)
  expect(html.indexOf('ld+json')).toBeGreaterThan(html.indexOf('</main>'))
  const graph = linkedDataOf(html)
  expect(graph).toContainEqual(expect.objectContaining({ '@type': 'WebSite', inLanguage: 'es' }))
  expect(graph).toContainEqual({
    '@type': 'Person',
    '@id': 'https://lucia.example/#person',
    name: 'Lucía Ejemplo',
    givenName: 'Lucía',
    familyName: 'Ejemplo',
    jobTitle: 'Diseñadora',
    image: 'https://lucia.example/media/a.640x800.webp',
    url: 'https://lucia.example/',
    sameAs: ['https://github.com/lucia'],
  })
  expect(linkedDataOf(await read(`${url}/about`))[0]).toMatchObject({ '@type': 'ProfilePage' })
})

test.each(sections)('$path lists its entries in the order of the page', async (section) => {
  const entries = ['Uno', 'Dos'].map((name, i) => ({
    id: String(i + 1),
    version: 1,
    fields: { name },
  }))
  const data = emptySiteData(lucia, {
    settings: { ...defaultSettings, ...everySection },
    entries: { [section.key]: entries },
  })
  const { url } = await startListener({ readSite: async () => data })
  const [list] = linkedDataOf(await read(url + section.path))
  expect(list).toMatchObject({ '@type': 'ItemList', name: section.title, numberOfItems: 2 })
  const first = section.order === 'newest-first' ? 'Dos' : 'Uno'
  expect(JSON.stringify(list)).toMatch(new RegExp(`"position":1,[^}]*"name":"${first}"`))
})

test('the site map names the public pages, without sections that are hidden', async () => {
  const settings = { ...defaultSettings, sections_hidden: 'skill' }
  const { url } = await startListener({ readSite: async () => emptySiteData({}, { settings }) })
  const xml = await read(`${url}/sitemap.xml`)
  const named = [...xml.matchAll(/<loc>https:\/\/lucia\.example(.*?)<\/loc>/g)].map(
    ([, path]) => path,
  )
  expect(named).toEqual(publicPaths.filter((path) => path !== '/skills'))
  expect(await read(`${url}/robots.txt`)).toContain('Sitemap: https://lucia.example/sitemap.xml')
})

test('links come from the configuration, never from what a request says of its host', async () => {
  const { url } = await startListener()
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const html = await (await fetch(url, { headers })).text()
  expect(html).not.toMatch(/evil|127\.0\.0\.1/)
})

test('a final slash leads to the page, never to another host', async () => {
  const { url } = await startListener()
  const moved = await fetch(`${url}/projects/?a=1`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/projects?a=1'])
  const other = await fetch(`${url}//evil.example/`, { redirect: 'manual' })
  expect([other.status, other.headers.get('location')]).toEqual([404, null])
  // An address that begins with two slashes is another host's.
  const slashes = await fetch(`${url}///?a=1`, { redirect: 'manual' })
  expect([slashes.status, slashes.headers.get('location')]).toEqual([308, '/?a=1'])
})

test('a final slash leads to the page as it was spelled, whatever the address holds', async () => {
  const { port } = await startListener()
  const get = (target: string) =>
    sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  const path = fc
    .tuple(
      fc.constantFrom(...table.map((page) => page.path)),
      fc.string({ unit: 'binary', minLength: 1 }),
    )
    .filter(([pattern, id]) => pattern !== '/' && !id.includes('/'))
    .map(([pattern, id]) => pattern.replace('$id', () => encodeURIComponent(id)))
  const slash = fc.constantFrom('/', '%2F', '%2f')
  const query = fc.constantFrom('', '?', '?a=%0d%0a/', '?/')
  await fc.assert(
    fc.asyncProperty(path, slash, query, async (bare, final, asked) => {
      const answer = await get(`${bare}${final}${asked}`)
      expect(answer).toMatch(/^HTTP\/1\.1 308 /)
      expect(/^Location: (.*)\r$/m.exec(answer)?.[1]).toBe(`${bare}${asked}`)
    }),
    { examples: [['/editExp/%0a', '/', '']] },
  )
})

test('a page that cannot be drawn is a Spanish page, and the reason is only in the log', async () => {
  const lines: unknown[] = []
  const { url } = await startListener({
    render: () => Promise.reject(new Error('a secret reason')),
    log: (event, facts) => lines.push({ event, ...facts }),
  })
  const answer = await fetch(`${url}/about`)
  expect(answer.status).toBe(500)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const html = await answer.text()
  expect(html).toContain(`<h1>${texts.broken}</h1>`)
  expect(html).toContain('<style>body{margin:0}</style>')
  expect(html).not.toMatch(/secret|<script/)
  expect(lines).toMatchObject([{ event: 'page-failed', path: '/about' }])
  expect(JSON.stringify(lines)).toContain('a secret reason')
})

test('however many pages cannot be drawn, a line of each reason tells of them', async () => {
  const lines: unknown[] = []
  const busy = new Problem('no-disponible')
  const failures = [busy, new Error('broken'), busy, busy, new Error('broken')]
  const { url } = await startListener({
    readRevision: () => Promise.reject(failures.shift() ?? busy),
    log: (event, facts) => lines.push({ event, ...facts }),
  })
  for (const status of [503, 500, 503, 503, 500]) expect((await fetch(url)).status).toBe(status)
  expect(lines).toMatchObject([{ code: 'no-disponible' }, { code: 'error-interno' }])
  // Of what the server itself turns away a stack would tell nothing.
  expect(lines[0]).not.toHaveProperty('error')
  expect(lines[1]).toHaveProperty('error', expect.stringContaining('broken'))
})

test('a database that is busy asks the reader to come back, and the page is drawn then', async () => {
  const busy = new Problem('no-disponible', { headers: { 'retry-after': '2' } })
  const revisions = [() => Promise.reject(busy), () => Promise.resolve(1)]
  const readRevision = () => (revisions.shift() ?? (() => Promise.resolve(1)))()
  const { url } = await startListener({ readRevision })
  const refused = await fetch(url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await fetch(url)).status).toBe(200)
})

function linkedDataOf(html: string): readonly unknown[] {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1]
  if (json === undefined) return []
  const { '@graph': graph } = JSON.parse(json) as { '@graph': readonly unknown[] }
  return graph
}
