import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { freePort } from '#tests/support/free-port.ts'
import { openSite, personPath, type Site } from '#tests/support/site.ts'
import { missingVarnish, startVarnish } from '#tests/support/varnish.ts'

/* The built product behind Varnish with the configuration that it hands out: kept for an hour, and told of each change. */

const missing = missingVarnish()
if (missing !== undefined) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('behind a cache that is told of changes', () => {
  let site: Site
  let proxy: { close(): void }
  let url = ''

  beforeAll(async () => {
    const [port, purgePort] = [await freePort(), await freePort()]
    url = `http://127.0.0.1:${port}`
    const purge = `http://127.0.0.1:${purgePort}/`
    const env = { SHARED_CACHE: '3600', SHARED_CACHE_PURGE: purge, TRUST_PROXY: '1' }
    site = await openSite({ env })
    proxy = await startVarnish({ port, purgePort }, site.url)
  })
  afterAll(async () => {
    proxy?.close()
    await site?.close()
  })

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { headers })
    return { cache: answer.headers.get('x-cache'), text: await answer.text() }
  }
  const isKept = async (path: string, headers?: Record<string, string>) => {
    await get(path, headers)
    return (await get(path, headers)).cache === 'HIT'
  }

  test.each(['/', '/about', `/api/${project.key}`])('%s is kept', async (path) => {
    await expect.poll(() => isKept(path)).toBe(true)
  })

  test('a change is seen by visitors as soon as the cache was told, long before its time', async () => {
    const list = `/api/${personPath(calls.personDetail)}`
    for (const path of ['/', list]) await expect.poll(() => isKept(path)).toBe(true)
    const body = { name: 'Lucía Otra' }
    expect((await site.call('PUT', personPath(calls.personUpdate), { body })).status).toBe(200)
    for (const path of ['/', list]) {
      await expect.poll(async () => (await get(path)).text).toContain('Lucía Otra')
    }
    expect(await isKept('/')).toBe(true)
  })

  test('nobody else empties it', async () => {
    await expect.poll(() => isKept('/')).toBe(true)
    expect((await fetch(`${url}/`, { method: 'PURGE' })).status).toBe(405)
    expect((await get('/')).cache).toBe('HIT')
  })

  test('what names somebody, and what is for nobody else, is not kept', async () => {
    const { token } = await site.signIn()
    const own = { authorization: `Bearer${String(token)}` }
    expect(await isKept('/', own)).toBe(false)
    expect(await isKept('/', { cookie: 'lang=es' })).toBe(false)
    await expect.poll(() => isKept('/about?from=cv')).toBe(true)
    expect(await isKept('/about?from=cv&ticket=a')).toBe(false)
    for (const path of [
      `/api/${ownerCalls.messages}?tray=inbox`,
      '/contact',
      '/nada',
      '/settings',
    ]) {
      expect(await isKept(path)).toBe(false)
      expect(await isKept(path, own)).toBe(false)
    }
  })
})
