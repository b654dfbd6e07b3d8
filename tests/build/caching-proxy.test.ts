import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { pages } from '#contract/pages.ts'
import { education } from '#contract/sections/education.ts'
import { project } from '#contract/sections/project.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { missingNginx, startNginx, type CachingProxy } from '#tests/support/nginx.ts'
import { offPaths } from '#tests/support/page-paths.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { openSite, personPath, type Site } from '#tests/support/site.ts'

/* The built product behind nginx with the configuration that it hands out: what is kept there, how long, and what never is. */

const missing = missingNginx()
if (missing !== undefined) process.stdout.write(`${missing}\n`)

/** How long the site lets a shared cache answer by itself. */
const keptS = 1
/** nginx counts whole seconds, so that it may be one more. Whoever asks later on a slow machine finds only what is fresher. */
const pastKept = () => wait((keptS + 1) * 1000 + 50)
/** Another site whose pages may call this one. */
const allowed = 'https://otra.example'

describe.skipIf(missing !== undefined)('behind a caching proxy', () => {
  let site: Site
  let proxy: CachingProxy
  let token = ''

  beforeAll(async () => {
    site = await openSite({
      env: {
        SHARED_CACHE: String(keptS),
        TRUST_PROXY: '1',
        LIMIT_READS: '99999/1',
        ALLOWED_ORIGINS: allowed,
      },
    })
    proxy = await startNginx([site.url])
    token = String((await site.signIn())['token'])
  })
  afterAll(async () => {
    await proxy?.close()
    await site?.close()
  })

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(proxy.url + path, { headers, redirect: 'manual' })
    return {
      status: answer.status,
      cache: answer.headers.get('x-cache'),
      headers: answer.headers,
      text: await answer.text(),
    }
  }
  /** Asks twice; whether the second answer came from the proxy alone. */
  const isKept = async (path: string, headers?: Record<string, string>) => {
    await get(path, headers)
    return (await get(path, headers)).cache === 'HIT'
  }
  const asOwner = () => ({ authorization: `Bearer${token}` })
  /** Everything that lies in the proxy's folder. */
  const keptText = () =>
    readdirSync(proxy.kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')

  const shared = [
    ...pages
      .filter(({ kind }) => kind === undefined)
      .filter(({ path }) => path !== '/contact' && !offPaths.includes(path))
      .map(({ path }) => path),
    '/sitemap.xml',
    `/api/${project.key}`,
    `/api/${calls.config}`,
    `/api/${personPath(calls.personDetail)}`,
  ]

  test.each(shared)('%s is answered by the proxy, and browsers ask each time', async (path) => {
    // The proxy has an answer in its folder a moment after it has sent it.
    await expect.poll(() => isKept(path)).toBe(true)
    const { headers } = await get(path)
    expect(headers.get('cache-control')).toBe(`public, max-age=0, s-maxage=${keptS}`)
    expect(headers.get('cdn-cache-control')).toMatch(`stale-while-revalidate=${keptS}`)
  })

  test('readers of either encoding get their own', async () => {
    const texts = []
    for (const encoding of ['br', 'gzip', 'identity', 'br', 'gzip', 'identity']) {
      const answer = await get('/about', { 'accept-encoding': encoding })
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding)
      texts.push(answer.text)
    }
    expect(new Set(texts).size).toBe(1)
  })

  test('what a visitor was answered is not what a page of another site gets, nor the other way round', async () => {
    const path = `/api/${education.key}`
    // The proxy is then given what the site itself keeps.
    for (let i = 0; i < 2; i++) await fetch(site.url + path)
    const permission = async (headers?: Record<string, string>) => {
      await expect.poll(() => isKept(path, headers)).toBe(true)
      return (await get(path, headers)).headers.get('access-control-allow-origin')
    }
    expect(await permission()).toBe(null)
    expect(await permission({ origin: allowed })).toBe(allowed)
    expect(await permission({ origin: 'https://ajena.example' })).toBe(null)
    expect(await permission()).toBe(null)
  })

  test('a change is seen at once where it is made, and by visitors after the stated time', async () => {
    const name = 'Lucía Otra'
    expect((await get('/')).text).not.toContain(name)
    const path = personPath(calls.personUpdate)
    expect((await site.call('PUT', path, { body: { name } })).status).toBe(200)
    const list = `/api/${personPath(calls.personDetail)}`
    expect((await get(list, asOwner())).text).toContain(name)
    await pastKept()
    for (const address of ['/', list]) {
      const answer = await get(address)
      expect([address, answer.cache === 'HIT', answer.text.includes(name)]).toEqual([
        address,
        false,
        true,
      ])
    }
  })

  test('what has not changed costs the site no page', async () => {
    await get('/skills')
    await pastKept()
    expect((await get('/skills')).cache).toBe('REVALIDATED')
  })

  test.each([
    '/contact',
    ...offPaths,
    ...pages.filter(({ kind }) => kind !== undefined).map(({ path }) => path.replace('$id', '1')),
    '/nada',
    '/api/nada',
    `/api/${project.key}/detail/404404`,
    `/api/${ownerCalls.health}`,
    `/api/${ownerCalls.ready}`,
    `/api/${ownerCalls.messages}?tray=inbox`,
    `/api/${ownerCalls.devices}`,
    `/api/${ownerCalls.backups}`,
  ])('%s is not kept, signed in or not', async (path) => {
    expect(await isKept(path)).toBe(false)
    expect(await isKept(path, asOwner())).toBe(false)
  })

  test('a request that names somebody is neither answered from there nor kept', async () => {
    for (const headers of [asOwner(), { cookie: 'tintero=1' }]) {
      for (const path of shared) {
        await get(path)
        expect([path, (await get(path, headers)).cache]).toEqual([path, 'BYPASS'])
      }
    }
  })

  test('what is hidden from visitors is not handed on from the owner to them, nor to her from them', async () => {
    const list = `/api/${project.key}`
    const values = completeValues(project, { name: 'Solo para mí' })
    await site.call('POST', `${project.key}/create`, { body: values })
    await site.call('PUT', calls.config, { body: { sections_hidden: project.key } })
    await pastKept()
    for (let round = 0; round < 3; round++) {
      expect((await get(list)).text).toBe('[]')
      expect((await get(list, asOwner())).text).toContain('Solo para mí')
      expect((await get(project.path)).status).toBe(404)
    }
    await site.call('PUT', calls.config, { body: { sections_hidden: '' } })
  })

  test('pictures are kept; messages, tokens, backups and trouble are nowhere on its disk', async () => {
    const picture = await fetch(
      `${proxy.url}/api/${ownerCalls.image}/${project.images.type}?name=New/project_9`,
      {
        method: 'PUT',
        headers: { ...asOwner(), 'content-type': 'image/png' },
        body: (await colourSquare('#2a7')).buffer as BodyInit,
      },
    )
    const { url } = (await picture.json()) as { readonly url: string }
    await expect.poll(() => isKept(url)).toBe(true)
    const secret = 'un secreto entre dos'
    const message = { name: 'Ana', email: 'ana@example.com', message: secret }
    await fetch(`${proxy.url}/api/${calls.contact}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    const inbox = `/api/${ownerCalls.messages}?tray=inbox`
    for (let round = 0; round < 3; round++) {
      expect((await get(inbox, asOwner())).text).toContain(secret)
      expect((await get(inbox)).status).toBe(401)
    }
    const made = await fetch(`${proxy.url}/api/${ownerCalls.backups}`, {
      method: 'POST',
      headers: asOwner(),
    })
    const { name } = (await made.json()) as { readonly name: string }
    const link = await fetch(`${proxy.url}/api/${ownerCalls.backups}/${name}/link`, {
      method: 'POST',
      headers: asOwner(),
    })
    const { path } = (await link.json()) as { readonly path: string }
    expect(await isKept(`/api/${path}`)).toBe(false)
    const text = keptText()
    expect(text).toContain('Habilidades')
    for (const word of [secret, token, 'manifest.json', path.split('ticket=')[1] ?? '']) {
      expect(text.includes(word)).toBe(false)
    }
  })

  test('while the site is away visitors read on, and nobody is told that she is signed out', async () => {
    await get('/')
    await site.stop('SIGKILL')
    await pastKept()
    const answer = await get('/')
    expect([answer.status, answer.cache]).toEqual([200, 'STALE'])
    expect((await get(`/api/${ownerCalls.messages}?tray=inbox`, asOwner())).status).toBe(502)
    await site.start()
    expect((await get('/')).status).toBe(200)
  })
})

test('by default nothing is for shared caches', async () => {
  const site = await openSite()
  try {
    for (const path of ['/', '/about', `/api/${project.key}`]) {
      const { headers } = await fetch(site.url + path)
      expect(headers.get('cache-control')).toMatch(/^(?:public, )?no-cache$/)
      expect(headers.get('cdn-cache-control')).toBe(null)
    }
  } finally {
    await site.close()
  }
})
