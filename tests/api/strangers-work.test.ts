/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { createApp } from '#server/api/app.ts'
import { openApp } from '#tests/support/app.ts'
import { startSite } from '#tests/support/listener.ts'
import { everyGrowing, growingJson } from '#tests/support/hostile-texts.ts'
import { createGauge } from '#tests/support/linear.ts'
import { softAuthenticator } from '#tests/doubles/soft-authenticator.ts'
import {
  addPasskey,
  strangersPosts,
  type PostedSite,
  type Sent,
} from '#tests/support/strangers-posts.ts'
import { fitting, placesIn } from '#tests/support/text-places.ts'

/*
 * Every call that strangers may make, one after the other: each text in what a browser sends is replaced by each text that
 * is hard on careless code, longer and longer, while everything else in it stays right, so that nothing is refused before
 * the text is looked at.
 */

const limits = ['LOGIN', 'ACCOUNT', 'CONTACT', 'CONTACT_TOTAL', 'READS', 'POSTS', 'RENEWALS']
const plenty = Object.fromEntries(
  [...limits, 'RECOVER', 'DRAWINGS'].map((name) => [`LIMIT_${name}`, '1000000/60']),
)
/** Where nobody listens. */
const mail = { SMTP_URL: 'smtp://127.0.0.1:9' }
const json = { 'content-type': 'application/json' }

async function openPosted(): Promise<PostedSite> {
  const app = await openApp({ env: { ...plenty, ...mail } })
  const { url } = await startSite(app.services, async () => ({ status: 200, app: '', state: '' }))
  const site = { app, url, authenticator: softAuthenticator() }
  await addPasskey(site)
  return site
}

/** The product's own table. */
function listCalls({ app: { services } }: PostedSite): readonly Call[] {
  const routes = createApp(services).routes.filter(({ method }) => method !== 'ALL')
  const calls = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  return [...calls].map(([name, call]) => ({ name, ...call }))
}

interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
}

const addressed = (path: string, text: string) => path.replace(/:\w+(?:\{.*?\})?/g, text)

async function send(address: string, init: RequestInit): Promise<number> {
  const answer = await fetch(address, init)
  await answer.bytes()
  return answer.status
}

/** Sends it as JSON; text stands for itself. */
async function post(
  address: string,
  { headers, body }: { readonly headers: Sent['headers']; readonly body: Sent['body'] | string },
): Promise<number> {
  return send(address, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const inAddress = (text: string) => encodeURIComponent(text.toWellFormed())

/** What an address names, and what it asks for by the names that are read. */
function addressPlaces(path: string) {
  const queried = (text: string) => {
    const half = inAddress(text)
    return `${addressed(path, '1')}?lines=${half}&ticket=${half}`
  }
  const named = (text: string) => addressed(path, inAddress(text) || '1')
  const query = ['query', 7_000, queried] as const
  return path.includes(':')
    ? [['path', 14_000 / path.split(':').length, named] as const, query]
    : [query]
}

test('every call that strangers may post to is in the list', async () => {
  const site = await openPosted()
  const open: string[] = []
  for (const { name, method, path } of listCalls(site).filter((call) => call.method !== 'GET')) {
    const status = await send(site.url + addressed(path, '1'), {
      method,
      headers: json,
      body: '{}',
    })
    if (status !== 401) open.push(name)
  }
  expect(open.toSorted()).toEqual([...strangersPosts.keys()].toSorted())
})

describe.each([...strangersPosts])('%s', (name, make) => {
  const path = name.replace('POST ', '')

  test('is taken as the list has it', async () => {
    const site = await openPosted()
    expect(await post(site.url + path, await make(site))).toBeOneOf([200, 201, 202, 204])
  })

  test('costs in proportion to each text in it', { timeout: 180_000 }, async () => {
    const site = await openPosted()
    let sent = await make(site)
    const before = async () => void (sent = await make(site))
    for (const place of placesIn(name, sent)) {
      const run = (text: string) => () => post(site.url + path, place.put(sent, text))
      const isLinear = await createGauge({ none: run(''), before })
      for (const most of place.lengths) {
        for (const text of everyGrowing) {
          const { short, long } = fitting(text, place, most)
          const isFine = await isLinear({ short: run(short), long: run(long) })
          expect({ at: place.name, of: text.name, most, isFine }).toMatchObject({ isFine: true })
        }
      }
    }
  })

  test('costs in proportion to its JSON', async () => {
    const site = await openPosted()
    const { headers } = await make(site)
    const run = (text: string) => () => post(site.url + path, { headers, body: text })
    const isLinear = await createGauge({ none: run('{}') })
    for (const { name: kind, of } of growingJson) {
      const isFine = await isLinear({ short: run(of(15_000)), long: run(of(60_000)) })
      expect({ of: kind, isFine }).toMatchObject({ isFine: true })
    }
  })
})

test('no address costs more than in proportion to its length', { timeout: 180_000 }, async () => {
  const site = await openPosted()
  for (const { name, path } of listCalls(site).filter(({ method }) => method === 'GET')) {
    for (const [place, most, at] of addressPlaces(path)) {
      const run = (text: string) => async () => void (await send(site.url + at(text), {}))
      const isLinear = await createGauge({ none: run('') })
      for (const text of everyGrowing) {
        const { short, long } = fitting(text, { written: (given) => inAddress(given).length }, most)
        const isFine = await isLinear({ short: run(short), long: run(long) })
        expect({ name, place, of: text.name, isFine }).toMatchObject({ isFine: true })
      }
    }
  }
})
