import { brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings/defaults.ts'
import {
  titleLimits,
  typedTitleQuery,
  typedTitleSize,
  typedTitleUrl,
  wrapTitle,
  type TitleVariant,
} from '#contract/typed-title.ts'
import type { AppEnv } from '#server/api/env.ts'
import { Problem, problemResponse } from '#server/problem.ts'
import { typingRoutes } from '#server/typed-title/routes.ts'
import { parseDrawing } from '#server/typed-title/parse-drawing.ts'
import { openApp } from '#tests/support/app.ts'

const variants: readonly TitleVariant[] = ['wide', 'narrow']
const short = 'Desarrolladora full stack'
const long =
  'Diseñadora y desarrolladora de productos digitales accesibles, rápidos y claros para todas'

async function openTyping(env: Readonly<Record<string, string>> = {}) {
  const { services, asOwner } = await openApp({ env })
  const app = new Hono<AppEnv>()
  app.route('/api', typingRoutes(services))
  app.onError((error) => {
    if (error instanceof Problem) return problemResponse(error, 'test')
    throw error
  })
  const get = async (query: string, headers = {}) =>
    app.request(`/api/typing?${query}`, { headers })
  return { app, get, asOwner, svg: async (query: string) => (await get(query)).text() }
}

/** What a drawing shows, line by line, as its reader unescapes it. */
function linesIn(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
}

/** When the second line begins to be typed. */
const startOf = (svg: string) => /\.l1\{animation:t \S+ \S+ ([\d.]+)s/.exec(svg)?.[1]

const fontIn = (svg: string) => /base64,([^)]+)\)/.exec(svg)?.[1] ?? ''

describe.each(variants)('the %s drawing', (variant) => {
  test.each([
    short,
    long,
    'Una',
    'a; b',
    'Ingeniera <de> "datos" & café',
    'x'.repeat(90),
    'palabra '.repeat(60),
    'Música 🎵 y código',
  ])('of %s is as large as the page was told', async (title) => {
    const { app } = await openTyping()
    const answer = await app.request(
      typedTitleUrl(title, defaultSettings.typing_color_dark, variant),
    )
    expect(answer.status).toBe(200)
    const svg = await answer.text()
    const { width, height } = typedTitleSize(title, variant)
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`)
    expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({ format: 'svg', width, height })
  })

  test('has the lines the page counted on, whatever their length', () => {
    for (let letters = 1; letters <= 60; letters++) {
      const title = `${'a'.repeat(letters)} bb ${'c'.repeat(letters)}`
      const drawing = parseDrawing(new URLSearchParams(typedTitleQuery(title, '002540', variant)))
      expect(drawing.lines).toEqual(wrapTitle(title, variant === 'wide' ? 44 : 26))
    }
  })
})

test('one line weighs under 3 kB and three lines under 4.5 kB, font included', async () => {
  const { svg } = await openTyping()
  expect(Buffer.byteLength(await svg(typedTitleQuery(short, '002540', 'wide')))).toBeLessThan(3000)
  expect(Buffer.byteLength(await svg(typedTitleQuery(long, '002540', 'wide')))).toBeLessThan(4500)
})

test('the font is a subset, the same for every size and colour', async () => {
  const { svg } = await openTyping()
  const fonts = await Promise.all([
    svg(typedTitleQuery(short, defaultSettings.typing_color_dark, 'wide')).then(fontIn),
    svg(typedTitleQuery(short, defaultSettings.typing_color_light, 'narrow')).then(fontIn),
    svg('lines=otra').then(fontIn),
  ])
  expect(fonts[0]).toBe(fonts[1])
  expect(fonts[2]).not.toBe(fonts[0])
  expect(Buffer.from(fonts[0] ?? '', 'base64').toString('latin1', 0, 4)).toBe('wOF2')
})

test('lines alone are enough, in ink', async () => {
  const { svg } = await openTyping()
  const drawn = await svg('lines=Hola')
  expect(linesIn(drawn)).toEqual(['Hola'])
  expect(drawn).toContain('fill:#002540')
  expect(drawn).toContain('font:500 36px')
})

test('the text is text, never markup', async () => {
  const { svg } = await openTyping()
  const title = '</text><script>alert("1")</script>&'
  const drawn = await svg(`lines=${encodeURIComponent(title)}`)
  expect(drawn).not.toMatch(/<script|&(?!\w+;|#)/)
  expect(linesIn(drawn)).toEqual([
    '&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;',
  ])
  expect(drawn).toContain('aria-label="&lt;/text&gt;')
})

test('nothing in a drawing runs, moves by itself or is fetched', async () => {
  const { svg } = await openTyping()
  const drawn = await svg(typedTitleQuery(long, '002540', 'narrow'))
  expect(drawn).not.toMatch(/<(?!\/?(?:svg|style|text|rect)\b)/)
  expect(drawn.match(/url\([^,]*/g)).toEqual(['url(data:font/woff2;base64'])
  expect(drawn).toContain(
    '@media(prefers-reduced-motion:reduce){text,.c{animation:none!important}}',
  )
})

test('the lines of the service are parted by a semicolon or by what the query names', async () => {
  const { svg } = await openTyping()
  expect(linesIn(await svg('lines=uno;dos;;%20;tres'))).toEqual(['uno', 'dos', 'tres'])
  expect(linesIn(await svg('lines=a;b|c&separator=|'))).toEqual(['a;b', 'c'])
})

test('a line wider than the picture is broken', async () => {
  const { svg } = await openTyping()
  expect(linesIn(await svg('lines=uno+dos+tres&size=10&width=60'))).toEqual(['uno dos', 'tres'])
})

test('size, width, height, center and pause are followed, other names of the service ignored', async () => {
  const { svg } = await openTyping()
  const query = 'lines=abc;de&color=E8F3F1&size=20&width=400&height=100'
  const drawn = await svg(`${query}&font=Fira+Code&weight=600&repeat=true&background=red&x=1`)
  expect(drawn).toContain('viewBox="0 0 400 100"')
  expect(drawn).toContain('fill:#e8f3f1')
  expect(drawn).toContain('font:500 20px')
  expect(drawn).not.toMatch(/<text[^>]* x=|Fira|red[;}"]/)
  expect(await svg(`${query}&center=true`)).toMatch(/<text class="l0" x="174.5"/)
  const paused = await svg(`${query}&pause=1000`)
  expect(Number(startOf(paused)) - Number(startOf(drawn))).toBeCloseTo(1)
})

describe('what cannot be drawn is refused, in words', () => {
  const { characters } = titleLimits
  test.each([
    ['lines', ''],
    ['lines', 'lines=%20;%20'],
    ['lines', 'lines=a%00b'],
    ['lines', 'lines=a%01b'],
    ['lines', 'lines=a%EF%BF%BFb'],
    ['lines', `lines=${'a'.repeat(characters + 1)}`],
    ['lines', `lines=${'a;'.repeat(25)}`],
    ['lines', `lines=${'a'.repeat(100_000)}`],
    ['color', 'lines=a&color=red'],
    ['color', 'lines=a&color=002540}</style><script>'],
    ['color', 'lines=a&color=%23002540'],
    ['size', 'lines=a&size=7'],
    ['size', 'lines=a&size=1e3'],
    ['size', 'lines=a&size=-20'],
    ['width', 'lines=a&width=2001'],
    ['width', 'lines=a&width=NaN'],
    ['height', 'lines=a&height=9'],
    ['pause', 'lines=a&pause=10001'],
  ])('%s in %.40s', async (name, query) => {
    const answer = await (await openTyping()).get(query)
    const { code, errors } = (await answer.json()) as {
      code: string
      errors: readonly { pointer: string; mensaje: string }[]
    }
    expect([answer.status, code]).toEqual([422, 'datos-no-validos'])
    expect(errors).toEqual([{ pointer: `/${name}`, mensaje: expect.any(String) as string }])
  })

  test(`a text of ${characters} letters is drawn`, async () => {
    expect((await (await openTyping()).get(`lines=${'a'.repeat(characters)}`)).status).toBe(200)
  })
})

test('a browser keeps the drawing and asks again by its tag', async () => {
  const { get } = await openTyping()
  const first = await get('lines=Hola')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[0-9a-f]{20}"$/)
  expect(first.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(first.headers.get('cache-control')).toBe('public, max-age=2592000')
  for (const known of [etag, etag.slice(2), `"x", ${etag}`]) {
    const again = await get('lines=Hola', { 'if-none-match': known })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  }
  expect((await get('lines=Adiós', { 'if-none-match': etag })).status).toBe(200)
})

test('a drawing comes compressed to whoever takes that', async () => {
  const { get, svg } = await openTyping()
  const answer = await get('lines=Hola', { 'accept-encoding': 'br' })
  const { headers } = answer
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['br', 'Accept-Encoding'])
  const body = Buffer.from(await answer.bytes())
  expect(String(brotliDecompressSync(body))).toBe(await svg('lines=Hola'))
})

test('opened by itself a drawing is inert', async () => {
  const { headers } = await (await openTyping()).get('lines=Hola')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('one address has few new drawings, and all that were made before', async () => {
  const { get, asOwner } = await openTyping({ LIMIT_DRAWINGS: '2/60' })
  await asOwner('PUT', 'person/update/1', { body: { title: short } })
  for (const lines of ['uno', 'dos']) expect((await get(`lines=${lines}`)).status).toBe(200)
  const refused = await get('lines=tres')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await get('lines=uno')).status).toBe(200)
  const own = await get(typedTitleQuery(short, '002540', 'wide'))
  expect(own.status).toBe(200)
})

test('a crowd’s wishes are refused, the site’s own title is drawn', async () => {
  const { get, asOwner } = await openTyping({ LIMIT_DRAWINGS: '1000/60' })
  await asOwner('PUT', 'person/update/1', { body: { title: short } })
  const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST')
  const crowd = letters.map((letter) => get(`lines=${letter}`))
  const own = get(typedTitleQuery(short, '002540', 'narrow'))
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await own).status).toBe(200)
})

test('letters are cut out of the font beside the server’s own thread', async () => {
  const { get } = await openTyping()
  await get('lines=start')
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  for (const letter of 'bcdefghijklmnop') await get(`lines=${letter}xyz`)
  const { user, system } = process.threadCpuUsage(thread)
  const total = process.cpuUsage(all)
  expect(user + system).toBeLessThan((total.user + total.system) / 2)
})
