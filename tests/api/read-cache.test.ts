import { createHook } from 'node:async_hooks'
import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { calls, ownHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { openApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { startSite } from '#tests/support/listener.ts'

/* Reads of the content by visitors, over the wire: what is kept of them, and that it is never what is over. */

const list = `/api/${project.key}`

async function openSite(env: Readonly<Record<string, string>> = {}) {
  const app = await openApp({ env })
  const { url } = await startSite(app.services, async () => ({ status: 200, app: '', state: '{}' }))
  // Bytes as they come: fetch would unpack them, and names of its own address every path.
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    new Promise<Answered>((resolve, reject) => {
      get(url, { path, headers, method }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () => {
          const { statusCode: status = 0, headers: got } = res
          resolve({ status, headers: got, body: Buffer.concat(chunks) })
        })
      }).on('error', reject)
    })
  const add = async (name: string) => {
    const made = await fetch(`${url}${list}/create`, {
      method: 'POST',
      headers: { authorization: `Bearer${app.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(completeValues(project, { name, description: `${name}. `.repeat(4) })),
    })
    if (made.status !== 201) throw new Error(await made.text())
    return ((await made.json()) as { readonly id: string }).id
  }
  const put = (path: string, body: unknown) =>
    fetch(`${url}/api/${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer${app.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { app, url, ask, add, put }
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

const owners = (token: string) => ({ authorization: `Bearer${token}` })

test.each([
  ['the first reader', 0],
  ['the next one', 1],
])('a list comes in the encoding that %s takes, with one tag for all', async (_, readers) => {
  const { app, ask, add } = await openSite()
  for (let i = 0; i < 10; i++) await add(`Proyecto ${i}`)
  for (let i = 0; i < readers; i++) await ask(list)
  const plain = await ask(list)
  const br = await ask(list, { 'accept-encoding': 'gzip, br' })
  const gzip = await ask(list, { 'accept-encoding': 'gzip' })
  const hers = await ask(list, { ...owners(app.token), 'accept-encoding': 'br' })
  expect(brotliDecompressSync(br.body)).toEqual(plain.body)
  expect(gunzipSync(gzip.body)).toEqual(plain.body)
  expect(brotliDecompressSync(hers.body)).toEqual(plain.body)
  expect(br.body.length).toBeLessThan(plain.body.length / 2)
  const all = [plain, br, gzip, hers]
  expect(all.map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    'br',
    'gzip',
    'br',
  ])
  for (const { headers, body } of all) {
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      etag: plain.headers['etag'],
      'content-length': String(body.length),
      'content-type': 'application/json',
      'cache-control': 'public, no-cache',
      [ownHeader.toLowerCase()]: '1',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['x-request-id']).toMatch(/\w/)
  }
  const tag = { 'if-none-match': String(plain.headers['etag']) }
  for (const more of [{}, { 'accept-encoding': 'br' }, owners(app.token)]) {
    expect(await ask(list, { ...tag, ...more })).toMatchObject({
      status: 304,
      headers: { etag: plain.headers['etag'], vary: 'Accept-Encoding' },
    })
  }
})

test('one entry has a strong tag, which a change names, and so one encoding', async () => {
  const { ask, add } = await openSite()
  const path = `${list}/detail/${await add('Una')}`
  for (let i = 0; i < 3; i++) {
    const { headers, body } = await ask(path, { 'accept-encoding': 'br' })
    expect(headers['etag']).toMatch(/^"v\d+"$/)
    expect(headers['content-encoding']).toBe(undefined)
    expect(JSON.parse(body.toString())).toMatchObject({ name: 'Una' })
  }
})

test('what was just written is read, again and again', async () => {
  const { ask, add, put } = await openSite()
  const id = await add('Una')
  const paths = [list, `${list}/detail/${id}`, `/api/${calls.config}`, `/api/${calls.person}`]
  for (let i = 0; i < 20; i++) {
    for (const path of paths) await ask(path)
    await put(`${project.key}/update/${id}`, { name: `Vuelta ${i}` })
    await put(calls.config, { age_text: String(20 + i) })
    await put(`${calls.personUpdate}/1`, { name: `Lucía ${i}` })
    const [all = '', one = '', config = '', person = ''] = await Promise.all(
      paths.map(async (path) => (await ask(path)).body.toString()),
    )
    expect(all).toContain(`Vuelta ${i}`)
    expect(one).toContain(`Vuelta ${i}`)
    expect(config).toContain(`"${20 + i}"`)
    expect(person).toContain(`Lucía ${i}`)
  }
})

test('a hidden section is gone from what was kept', async () => {
  const { app, ask, add, put } = await openSite()
  const path = `${list}/detail/${await add('Una')}`
  for (const each of [list, list, path, path]) expect((await ask(each)).status).toBe(200)
  await put(calls.config, { sections_hidden: project.key })
  expect((await ask(list)).body.toString()).toBe('[]')
  expect((await ask(path)).status).toBe(404)
  expect((await ask(list, owners(app.token))).body.toString()).toContain('Una')
  expect((await ask(list)).body.toString()).toBe('[]')
})

test('reads are bounded and counted whether they were kept or not', async () => {
  const token = 'medidas-para-prometheus-0001'
  const { ask } = await openSite({ LIMIT_READS: '4/60', METRICS_TOKEN: token })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await ask(list)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  const other = await openSite({ METRICS_TOKEN: token })
  for (let i = 0; i < 3; i++) await other.ask(list)
  const measured = await other.ask(`/api/${ownerCalls.metrics}`, {
    authorization: `Bearer ${token}`,
  })
  expect(measured.body.toString()).toContain('tintero_calls_total{method="GET",status="200"} 3')
})

test('what is not plainly a visitor asking for that address is answered by the calls', async () => {
  const { app, ask, add } = await openSite({ ALLOWED_ORIGINS: 'https://otra.example' })
  const id = await add('Una')
  for (const path of [list, `${list}/detail/${id}`]) await ask(path)
  expect((await ask(`${list}%2Fdetail%2F${id}`)).status).toBe(404)
  expect((await ask(`${list}/detail/${id}/`)).status).toBe(404)
  expect((await ask(list, {}, 'POST')).status).toBe(405)
  expect((await ask(list, {}, 'HEAD')).body.length).toBe(0)
  expect((await ask(list)).headers['vary']).toBe('Origin, Accept-Encoding')
  const origin = 'https://otra.example'
  expect((await ask(list, { origin })).headers['access-control-allow-origin']).toBe(origin)
  expect((await ask(list, { authorization: 'Bearer nada' })).status).toBe(200)
  expect((await ask(list, owners(app.token))).status).toBe(200)
})

/** How often something was compressed meanwhile. */
async function compressed(act: () => Promise<unknown>): Promise<number> {
  let times = 0
  const hook = createHook({ init: (_, type) => void (type === 'ZLIB' && times++) }).enable()
  await act()
  hook.disable()
  return times
}

test('the form, whose mark is of that moment, is compressed once for all its readers', async () => {
  const { app, ask } = await openSite()
  let answers: readonly Answered[] = []
  const readBy = async (readers: number) => {
    const read = () => ask('/contact', { 'accept-encoding': 'br' })
    answers = await Promise.all(Array.from({ length: readers }, read))
  }
  await readBy(1)
  expect(await compressed(() => readBy(50))).toBe(0)
  expect(new Set(answers.map(({ body }) => brotliDecompressSync(body).toString())).size).toBe(1)
  app.pass(1_000)
  expect(await compressed(() => readBy(50))).toBe(1)
})
