import { describe, expect, test } from 'vitest'
import type { BinnedEntry } from '#contract/entries/bin.ts'
import type { SentHiddenEntry } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { allPagesPath } from '#contract/offline/kept-page.ts'
import { listEntries } from '#server/db/entries.ts'
import { mediaRoutes } from '#server/images/media.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { drawAll, startSite } from '#tests/support/listener.ts'
import { publicPaths } from '#tests/support/page-paths.ts'
import { colourSquare } from '#tests/support/pictures.ts'

const hidden = { hidden: 'true' }
const shown = { hidden: '' }

interface Adding {
  readonly section?: Section
  readonly fields?: Readonly<Record<string, string>>
}

async function add(app: TestApp, name: string, { section = project, fields = {} }: Adding = {}) {
  const body = { ...completeValues(section, { name }), ...fields }
  const made = membersOf(await app.asOwner('POST', `${section.key}/create`, { body }))
  return { id: String(made['id']), version: Number(made['version']) }
}

const change = (app: TestApp, id: string, body: object, version?: number) =>
  app.asOwner('PUT', `${project.key}/update/${id}`, {
    body,
    ...(version !== undefined && { headers: { 'if-match': `"v${version}"` } }),
  })

const namesOf = async (app: TestApp, { key } = project as Pick<Section, 'key'>) =>
  ((await app.call('GET', key)).json as readonly { name: string }[]).map(({ name }) => name)

const hiddenIn = async (app: TestApp) =>
  (await app.asOwner('GET', 'hidden')).json as readonly SentHiddenEntry[]

const hiddenNames = async (app: TestApp) => (await hiddenIn(app)).map(({ entry }) => entry['name'])

describe.each(engines)('on %s', (engine) => {
  test.each(sections)(
    'an entry of $key that is hidden is its owner’s alone, until she publishes it',
    async (section) => {
      const app = await openApp({ engine, everySection: true })
      const { key } = section
      const { id } = await add(app, 'Radio', { section })
      const before = await app.call('GET', key)
      const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } }
      const hiding = await app.asOwner('PUT', `${key}/update/${id}`, { body: hidden })
      expect([hiding.status, membersOf(hiding)['hidden']]).toEqual([200, 'true'])

      const list = await app.call('GET', key, known)
      expect([list.status, list.json]).toEqual([200, []])
      expect((await app.asOwner('GET', key)).json).toEqual([])
      expect((await app.call('GET', `${key}/detail/${id}`)).status).toBe(404)
      const bad = { headers: { authorization: `Bearer${'x'.repeat(43)}` } }
      expect((await app.call('GET', `${key}/detail/${id}`, bad)).status).toBe(404)
      const own = await app.asOwner('GET', `${key}/detail/${id}`)
      expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
      expect(own.json).toMatchObject({ id, name: 'Radio', hidden: 'true' })

      const tag = list.headers.get('etag') ?? ''
      await app.asOwner('PUT', `${key}/update/${id}`, { body: shown })
      const again = await app.call('GET', key, { headers: { 'if-none-match': tag } })
      const { version: _, ...row } = (before.json as Record<string, unknown>[])[0] ?? {}
      expect(again.json).toEqual([expect.objectContaining(row)])
      // What the calls have always answered, to the member.
      const [present] = again.json as readonly object[]
      expect(Object.keys(present ?? {})).toEqual(Object.keys({ ...row, version: 0 }))
    },
  )

  test('an entry can be made hidden, and what it says is changed without showing it', async () => {
    const app = await openApp({ engine })
    const { id } = await add(app, 'Radio', { fields: hidden })
    expect([await namesOf(app), await hiddenNames(app)]).toEqual([[], ['Radio']])
    await change(app, id, { name: 'Onda' })
    expect([await namesOf(app), await hiddenNames(app)]).toEqual([[], ['Onda']])
    const [row] = await listEntries(app.db, project)
    expect(row?.fields['hidden']).toBe('true')
  })

  test('it stays hidden through the bin, and has its place in it and behind it', async () => {
    const app = await openApp({ engine })
    const a = await add(app, 'A')
    const b = await add(app, 'B', { fields: hidden })
    const c = await add(app, 'C')
    for (const { id } of [c, b]) await app.asOwner('DELETE', `${project.key}/delete/${id}`)
    const bin = (await app.asOwner('GET', 'bin')).json as readonly BinnedEntry[]
    expect(bin.find(({ entry }) => entry['name'] === 'B')?.entry['hidden']).toBe('true')
    await app.asOwner('PUT', `${project.key}/restore/${b.id}`)
    expect([await namesOf(app), await hiddenNames(app)]).toEqual([['A'], ['B']])
    const left = (await app.asOwner('GET', 'bin')).json as readonly BinnedEntry[]
    // For whoever has only what visitors see of the list, too.
    expect(left[0]?.behind).toEqual([a.id, b.id])
    await app.asOwner('PUT', `${project.key}/restore/${c.id}`)
    await change(app, b.id, shown)
    expect(await namesOf(app)).toEqual(['A', 'B', 'C'])
  })

  test('it has a place that the owner gives it, told by what stands before it', async () => {
    const app = await openApp({ engine })
    const ids: Record<string, string> = {}
    for (const name of 'ABCD') {
      const fields = 'BC'.includes(name) ? hidden : {}
      ids[name] = (await add(app, name, { fields })).id
    }
    const behind = async () =>
      (await hiddenIn(app)).map((one) => [
        one.entry['name'],
        one.behind.map((id) => Object.keys(ids).find((name) => ids[name] === id)).join(''),
      ])
    expect(await behind()).toEqual([
      ['B', 'A'],
      ['C', 'AB'],
    ])
    const order = Array.from('CADB', (name) => ids[name] ?? '')
    const moved = [ids['C'], ids['B']]
    await app.asOwner('PUT', `${project.key}/order`, { body: { order, moved } })
    expect(await behind()).toEqual([
      ['C', ''],
      ['B', 'D'],
    ])
    expect(await namesOf(app)).toEqual(['A', 'D'])
  })

  test('a device that edits what another has hidden is told, and shows it to nobody', async () => {
    const app = await openApp({ engine })
    const { id, version } = await add(app, 'Radio')
    await change(app, id, hidden, version)
    const edit = await change(app, id, { name: 'Onda' }, version)
    expect(edit.status).toBe(412)
    expect(membersOf(edit)['current']).toMatchObject({ name: 'Radio', hidden: 'true' })
    const mine = await change(app, id, { name: 'Onda' }, version + 1)
    expect(mine.status).toBe(200)
    expect([await namesOf(app), await hiddenNames(app)]).toEqual([[], ['Onda']])
  })

  test('a publication whose answer was lost is done once, under its key', async () => {
    const app = await openApp({ engine })
    const { id, version } = await add(app, 'Radio', { fields: hidden })
    const headers = { 'idempotency-key': crypto.randomUUID(), 'if-match': `"v${version}"` }
    const publish = () =>
      app.asOwner('PUT', `${project.key}/update/${id}`, { body: shown, headers })
    const [first, second] = [await publish(), await publish()]
    expect(second.json).toEqual(first.json)
    expect(membersOf(second)['version']).toBe(version + 1)
    expect(await namesOf(app)).toEqual(['Radio'])
  })
})

test('the list of what is hidden is the owner’s, and no cache’s', async () => {
  const app = await openApp()
  await add(app, 'Radio', { fields: hidden })
  expect((await app.call('GET', 'hidden')).status).toBe(401)
  const answer = await app.asOwner('GET', 'hidden')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.json).toMatchObject([
    { section: project.key, behind: [], entry: { name: 'Radio' } },
  ])
})

test.each(['sí', 'false', 'TRUE', '1'])('“%s” hides nothing and is refused', async (value) => {
  const app = await openApp()
  const { id } = await add(app, 'Radio')
  expect((await change(app, id, { hidden: value })).status).toBe(422)
  expect(await namesOf(app)).toEqual(['Radio'])
})

test('her résumé, made to be handed on, leaves it out; the pictures of what is hidden stay', async () => {
  const app = await openApp()
  await add(app, 'Secreto', { fields: hidden })
  await add(app, 'Radio')
  const resume = JSON.stringify((await app.asOwner('GET', 'resume')).json)
  expect([resume.includes('Radio'), resume.includes('Secreto')]).toEqual([true, false])
})

test.each(sections)(
  'no page, file or data of one tells of a hidden entry of $key',
  async (section) => {
    const secret = 'Nadie debe leerlo'
    const app = await openApp({ env: { SHARED_CACHE: '60' }, everySection: true })
    const { url } = await startSite(app.services, drawAll)
    const { id } = await add(app, secret, { section })
    const api = `/api/${section.key}`
    const files = ['/cv', '/card', '/resume.json', '/sitemap.xml', '/index.html', '/nada']
    const data = ['/manifest.webmanifest', '/api/config', api, `${api}/detail/${id}`, '/api/hidden']
    const paths = [
      section.path,
      ...publicPaths,
      ...files,
      ...data,
      section.editPath.replace('$id', id),
    ]
    const telling = async () => {
      const found: string[] = []
      for (const path of paths) {
        if ((await (await fetch(url + path)).text()).includes(secret)) found.push(path)
      }
      return found
    }
    const asOwner = async (hide: object) =>
      fetch(`${url}${api}/update/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer${app.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(hide),
      })
    // Twice: what is kept of it must go, and must not come back.
    for (const _ of [1, 2]) {
      expect(await telling()).toEqual(expect.arrayContaining([section.path, api, '/resume.json']))
      expect((await asOwner(hidden)).status).toBe(200)
      expect(await telling()).toEqual([])
      // What she asks for goes into nobody's cache.
      const own = { headers: { authorization: `Bearer${app.token}` } }
      await (await fetch(`${url}${api}/detail/${id}`, own)).text()
      await (await fetch(`${url}/api/hidden`, own)).text()
      expect(await telling()).toEqual([])
      expect((await asOwner(shown)).status).toBe(200)
    }
  },
)

test('the latest that the first page shows is the latest that visitors see', async () => {
  const app = await openApp()
  await add(app, 'Radio')
  await add(app, 'Secreto', { fields: hidden })
  const { url } = await startSite(app.services, drawAll)
  const html = await (await fetch(url)).text()
  expect([html.includes('Radio'), html.includes('Secreto')]).toEqual([true, false])
})

test('hiding says nothing new, so it is no version of what the entry said', async () => {
  const app = await openApp()
  const { id } = await add(app, 'Radio')
  await change(app, id, hidden)
  await change(app, id, { name: 'Onda' })
  const { versions } = membersOf(await app.asOwner('GET', `history/${project.key}/${id}`))
  expect(versions).toEqual([expect.objectContaining({ number: 1 })])
  expect(JSON.stringify(versions)).not.toContain('hidden')
})

test('whatever becomes of a hidden entry, visitors are answered the same, tags too', async () => {
  const app = await openApp()
  const { url } = await startSite(app.services, drawAll)
  const seen = await add(app, 'Radio')
  const paths = [project.path, '/sitemap.xml', allPagesPath, `/api/${project.key}`]
  const answered = () =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(url + path)
        return [path, answer.status, answer.headers.get('etag'), await answer.text()]
      }),
    )
  const before = await answered()
  const { id } = await add(app, 'Secreto', { fields: hidden })
  const call = (method: string, path: string, body?: object) =>
    app.asOwner(method, `${project.key}/${path}`, { ...(body && { body }) })
  const order = { order: [id, seen.id], moved: [id] }
  for (const become of [
    () => change(app, id, { name: 'Otro' }),
    () => call('PUT', 'order', order),
    () => call('DELETE', `delete/${id}`),
    () => call('PUT', `restore/${id}`),
  ]) {
    expect((await become()).status).toBe(200)
    // The memory of the site is told of what is written through its listener alone.
    await fetch(`${url}/api/config`, { method: 'PUT' })
    expect(await answered()).toEqual(before)
  }
})

test('a picture has no name that an entry’s id tells while the entry is hidden, or deleted so', async () => {
  const app = await openApp()
  const { id } = await add(app, 'Radio')
  const { buffer, mimeType } = await colourSquare('#369')
  const names = [`project_${id}`, `New/project_${id}`]
  for (const name of names) {
    const body = new Blob([new Uint8Array(buffer)]).stream()
    await app.services.images.put({ type: 'Project', name, body, declaredType: mimeType })
  }
  const media = mediaRoutes(app.services)
  const statuses = () =>
    Promise.all(
      // Whatever stands twice in an address.
      [...names, `/${names[0]}`].map(
        async (name) => (await media.request(`/media/Project/${name}`)).status,
      ),
    )
  const become = async (method: string, path: string, body?: object) =>
    expect((await app.asOwner(method, path, { ...(body && { body }) })).status).toBe(200)
  const [all, none] = [
    [302, 302, 302],
    [404, 404, 404],
  ]
  expect(await statuses()).toEqual(all)
  await change(app, id, hidden)
  expect(await statuses()).toEqual(none)
  await become('DELETE', `${project.key}/delete/${id}`)
  expect(await statuses()).toEqual(none)
  await become('PUT', `${project.key}/restore/${id}`)
  await change(app, id, shown)
  expect(await statuses()).toEqual(all)
  await become('PUT', 'config', { sections_hidden: project.key })
  expect(await statuses()).toEqual(none)
})
