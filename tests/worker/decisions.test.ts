import { describe, expect, test, vi } from 'vitest'
import { pictureVariants } from '#contract/images/picture-widths.ts'
import { ownHeader } from '#contract/api.ts'
import { kindReadAt, parseToWorker, share } from '#contract/offline/offline.ts'
import { publicKinds } from '#contract/offline/public-kinds.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import { asSavedCopy, markSavedCopy, isKeepable, tellOfNews } from '#sw/api.ts'
import { isFile, isKeptImage } from '#sw/images.ts'
import { isFromElsewhere, readForm, readShared } from '#sw/share.ts'
import { isPage } from '#sw/pages.ts'
import { isAnyoneLooking } from '#sw/tell-pages.ts'
import { fewAtATime, isSavingData } from '#sw/warm.ts'

const site = new URL('https://portafolio.test')
const apiBase = new URL('/api/', site).href
const kindOf = (path: string) => kindReadAt(apiBase + path, { base: apiBase, kinds: publicKinds })
const answerWith = ({ status = 200, type = 'application/json', cache = 'no-cache' }) =>
  new Response('[]', {
    status,
    headers: { 'Content-Type': type, 'Cache-Control': cache, [ownHeader]: '1' },
  })
const pagesOf = (...states: DocumentVisibilityState[]) => ({
  matchAll: async () => states.map((visibilityState) => ({ visibilityState })) as never,
})

describe.each(sections)('reads of $key', ({ key }) => {
  test('the list and one entry may be kept', () => {
    expect(kindOf(key)).toBe(key)
    expect(kindOf(`${key}/detail/1`)).toBe(key)
    expect(kindOf(`${key}?desde=/create`)).toBe(key)
  })

  test('calls that write, and addresses near by, may not', () => {
    const calls = ['/create', '/update/1', '/delete/1', '/detail/', '/detail/1/2', 's']
    expect(calls.filter((call) => kindOf(key + call) !== undefined)).toEqual([])
  })
})

test.each([
  'auth/login',
  'auth/setup/check',
  'contact',
  'message',
  'push/key',
  'health',
  'image',
  '',
])('an answer of %s is never kept', (path) => {
  expect(kindOf(path)).toBeUndefined()
})

test('the profile and the parameters may be kept, at the build’s API base only', () => {
  expect(kindOf('person/detail/1')).toBe('person')
  expect(kindOf('config')).toBe('config')
  const elsewhere = { base: 'https://api.test/v1/', kinds: publicKinds }
  expect(kindReadAt('https://api.test/v1/skill', elsewhere)).toBe('skill')
  expect(kindReadAt(`${apiBase}skill`, elsewhere)).toBeUndefined()
  expect(
    kindReadAt('https://portafolio.test/config', { ...elsewhere, base: apiBase }),
  ).toBeUndefined()
})

test('only a whole public JSON answer of ours is kept', () => {
  expect(isKeepable(answerWith({}))).toBe(true)
  expect(isKeepable(answerWith({ cache: 'no-cache' }))).toBe(true)
  expect(isKeepable(answerWith({ cache: 'no-store' }))).toBe(false)
  expect(isKeepable(answerWith({ cache: 'private, max-age=9' }))).toBe(false)
  expect(isKeepable(answerWith({ status: 206 }))).toBe(false)
  expect(isKeepable(answerWith({ status: 404 }))).toBe(false)
  expect(isKeepable(answerWith({ type: 'text/html' }))).toBe(false)
})

test('what something on the way answers is as good as silence', async () => {
  const answered = markSavedCopy.fetchDidSucceed
  const meet = (response: Response) =>
    answered?.({ response, request: new Request(site), event: {} as never })
  const own = answerWith({})
  await expect(meet(own)).resolves.toBe(own)
  await expect(meet(answerWith({ status: 404 }))).resolves.toBeDefined()
  await expect(meet(answerWith({ status: 503 }))).rejects.toThrow('503')
  await expect(meet(Response.json([]))).rejects.toThrow('200')
  await expect(meet(new Response(null, { status: 204 }))).rejects.toThrow('204')
  await expect(meet(new Response('<html>', { status: 403 }))).rejects.toThrow('403')
})

test('what a public read says otherwise is news, unless it is the first, whatever its tag', async () => {
  const onNews = vi.fn<() => Promise<void>>(async () => undefined)
  const { cacheDidUpdate } = tellOfNews(onNews)
  const said = (words: string, tag = '"1"') => new Response(words, { headers: { ETag: tag } })
  const read = async (newResponse: Response, oldResponse: Response | null = null) => {
    onNews.mockClear()
    const at = { cacheName: '', request: new Request(site), event: {} as never }
    await cacheDidUpdate?.({ ...at, oldResponse, newResponse })
    return onNews.mock.calls.length
  }
  expect(await read(said('["a"]'))).toBe(0)
  expect(await read(said('["a"]'), said('["a"]'))).toBe(0)
  expect(await read(said('["a"]', 'W/"2"'), said('["a"]'))).toBe(0)
  expect(await read(said('[]'), said('["a"]'))).toBe(1)
})

test("a portal's page is kept for no picture", () => {
  const came = (type: string, status = 200) =>
    isFile(new Response('', { status, headers: { 'Content-Type': type } }))
  expect(came('image/webp')).toBe(true)
  expect(came('application/octet-stream')).toBe(true)
  expect(came('text/html; charset=utf-8')).toBe(false)
  expect(came('image/webp', 203)).toBe(false)
})

test('a copy tells that it is one, and of when, and keeps its words', async () => {
  const Date = 'Sun, 22 Nov 2026 10:00:00 GMT'
  const copy = asSavedCopy(new Response('["a"]', { headers: { ETag: '"1"', Date } }))
  expect(copy.headers.get('X-Saved-Copy')).toBe(Date)
  expect(copy.headers.get('ETag')).toBe('"1"')
  expect(await copy.json()).toEqual(['a'])
})

test.each([
  '/',
  '/projects',
  '/editExp/0190-a',
  '/cv',
  '/login',
  '/no.such.page/',
  '/about?x=/a.b',
])('%s is a page', (path) => {
  expect(isPage(new URL(path, site).pathname)).toBe(true)
})

test.each([
  '/api/skill',
  '/media/x.640x480.webp',
  '/sw.js',
  '/og.png?v=2',
  '/manifest.webmanifest',
])('%s is no page', (path) => {
  expect(isPage(new URL(path, site).pathname)).toBe(false)
})

test('our own pictures are kept, however they are asked for', () => {
  const asked = { mode: 'no-cors', destination: 'image', headers: new Headers() } as const
  const own = ['/media/ab.640x480.webp', '/sample/a.svg', '/api/typing?lines=Hola']
  const kept = [...own, '/icon.svg', '/api/typing/other'].filter((path) =>
    isKeptImage(new URL(path, site), asked, site),
  )
  expect(kept).toEqual(own)
})

test('a picture of another host is kept only when it was asked for with CORS', () => {
  const url = new URL('https://pictures.test/a.webp')
  const asked = { destination: 'image', headers: new Headers() } as const
  expect(isKeptImage(url, { ...asked, mode: 'cors' }, site)).toBe(true)
  expect(isKeptImage(url, { ...asked, mode: 'no-cors' }, site)).toBe(false)
  expect(isKeptImage(url, { ...asked, mode: 'cors', destination: 'script' }, site)).toBe(false)
})

test('a part of a picture is never kept', () => {
  const headers = new Headers({ Range: 'bytes=0-99' })
  const asked = { mode: 'cors', destination: 'image', headers } as const
  expect(isKeptImage(new URL('/media/a.9x9.webp', site), asked, site)).toBe(false)
})

test('the other widths of a picture are its largest first', () => {
  const base = '/media/0f.1000x750'
  expect(pictureVariants(`${base}-320.webp`)).toEqual([
    `${base}.webp`,
    `${base}-960.webp`,
    `${base}-640.webp`,
    `${base}-320.webp`,
  ])
  expect(pictureVariants('/sample/logo.120x120.svg')).toEqual([])
})

test('messages of pages are understood and nothing else is', () => {
  expect(parseToWorker({ type: 'SKIP_WAITING' })).toEqual({ type: 'SKIP_WAITING' })
  expect(parseToWorker({ type: 'WARM', urls: ['/a', 1] })).toEqual({ type: 'WARM', urls: ['/a'] })
  for (const other of [undefined, null, 'WARM', { type: 'WARM' }, { type: 'CACHE_URLS' }])
    expect(parseToWorker(other)).toBeUndefined()
})

test('what is shared lands on the form of a new project', () => {
  for (const place of [share.landing, share.notKept, share.full])
    expect(place.split('?')[0]).toBe(project.addPath)
})

test('a shared photo, link and words are read, and a file where words belong is not', async () => {
  const form = new FormData()
  form.set('title', 'Faro')
  form.set('url', 'https://faro.test')
  form.set('text', new File(['x'], 'x.txt'))
  form.set('photo', new File(['abc'], 'faro.jpg', { type: 'image/jpeg' }))
  const { photo, ...words } = await readShared(form)
  expect(words).toEqual({ title: 'Faro', text: '', url: 'https://faro.test' })
  expect(photo).toEqual({
    bytes: new TextEncoder().encode('abc').buffer,
    type: 'image/jpeg',
    name: 'faro.jpg',
  })
  form.set('photo', new File([], ''))
  expect(await readShared(form)).not.toHaveProperty('photo')
})

test('someone is looking only when a page of the site is on screen', async () => {
  expect(await isAnyoneLooking(pagesOf())).toBe(false)
  expect(await isAnyoneLooking(pagesOf('hidden', 'hidden'))).toBe(false)
  expect(await isAnyoneLooking(pagesOf('hidden', 'visible'))).toBe(true)
})

test('nothing is fetched ahead for somebody who saves data', () => {
  expect(isSavingData({ connection: { saveData: true } })).toBe(true)
  expect(isSavingData({ connection: { saveData: false } })).toBe(false)
  expect(isSavingData({ connection: undefined })).toBe(false)
})

test('at most three are under way at once, and all are done', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await fewAtATime([1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    done.push(item)
  })
  expect(most).toBe(3)
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('what is larger than any share is not taken apart', async () => {
  const send = async (bytes: number) => {
    const body = new FormData()
    body.set('photo', new File([new Uint8Array(bytes)], 'a.png'))
    return readForm(new Request(new URL(share.path, site), { method: 'POST', body }))
  }
  await expect(send(share.mostBytes)).rejects.toThrow('large')
  expect((await send(10 * 1024 * 1024)).get('photo')).toBeInstanceOf(File)
})

/** How Chromium hands over what an application of the device shares. */
const handedOver = 'multipart/form-data; boundary=----MultipartBoundary--Xy12aB----'

test.each([
  ['', false],
  [`${site.origin}/projects`, false],
  ['https://otra.test/', true],
  [`${site.origin}.otra.test/`, true],
])('shared from %j by another site: %s', (referrer, expected) => {
  const headers = new Headers({ 'Content-Type': handedOver })
  expect(isFromElsewhere({ referrer, headers }, site.origin)).toBe(expected)
})

test.each([
  ['multipart/form-data; boundary=----WebKitFormBoundaryAbC123', true],
  ['multipart/form-data; boundary=----geckoformboundary12ab', true],
  ['multipart/form-data; boundary=---------------------------9051914041544843365972754266', true],
  ['application/x-www-form-urlencoded', true],
  ['text/plain', true],
  ['', true],
  ['multipart/form-data; boundary="----another-browser"', false],
])('shared from no address, as %j, by a page: %s', (type, expected) => {
  const headers = new Headers({ 'Content-Type': type })
  expect(isFromElsewhere({ referrer: '', headers }, site.origin)).toBe(expected)
})
