import { describe, expect, test } from 'vitest'
import { v7 as newId } from 'uuid'
import { dayMs } from '#contract/durations.ts'
import type { BinnedEntry } from '#contract/entries/bin.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { project } from '#contract/sections/project.ts'
import { sweepDaily } from '#server/daily-sweep.ts'
import { sweepBin } from '#server/db/bin.ts'
import { createEntry, restoreEntry } from '#server/db/entries.ts'
import type { Executor } from '#server/db/tables.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { leakingPaths } from '#tests/support/leaking-paths.ts'
import { owner } from '#tests/support/site.ts'

async function add(app: TestApp, name: string, section: Section = project): Promise<string> {
  const body = completeValues(section, { name })
  return String(membersOf(await app.asOwner('POST', `${section.key}/create`, { body }))['id'])
}

const whole = completeValues(project, { name: 'A' })

const namesOf = async (app: TestApp) =>
  ((await app.call('GET', project.key)).json as readonly { name: string }[]).map(({ name }) => name)

const binOf = async (app: TestApp, token = app.token) =>
  (await app.call('GET', 'bin', { headers: { authorization: `Bearer${token}` } }))
    .json as readonly BinnedEntry[]

/** Time passes; she signs in again, since no session lasts so long. */
async function passDays(app: TestApp, days: number): Promise<Pick<TestApp, 'asOwner' | 'token'>> {
  app.pass(days * dayMs)
  const { token } = await app.services.auth.login({ ...owner, address: '' })
  const headers = { authorization: `Bearer${token}` }
  return { token, asOwner: (method, path) => app.call(method, path, { headers }) }
}

const remove = ({ asOwner }: Pick<TestApp, 'asOwner'>, id: string) =>
  asOwner('DELETE', `${project.key}/delete/${id}`)

describe.each(engines)('on %s', (engine) => {
  test('what was deleted yesterday is there, and comes back, where the clock has jumped by months since', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'A')
    await sweepDaily(app.services, new AbortController().signal)
    app.pass(dayMs)
    const { token } = await passDays(app, 0)
    const headers = { authorization: `Bearer${token}` }
    await app.call('DELETE', `${project.key}/delete/${id}`, { headers })
    const later = await passDays(app, 40)
    expect((await binOf(app, later.token)).map(({ entry }) => entry['id'])).toEqual([id])
    expect((await later.asOwner('PUT', `${project.key}/restore/${id}`)).status).toBe(200)
  })

  test.each(sections)('a deleted entry of $key comes back whole', async (section) => {
    const app = await openApp({ engine, everySection: true })
    const values = completeValues(section, { name: 'Radio' })
    const made = membersOf(await app.asOwner('POST', `${section.key}/create`, { body: values }))
    const path = `${section.key}/detail/${String(made['id'])}`
    await app.asOwner('DELETE', `${section.key}/delete/${String(made['id'])}`)
    expect((await app.call('GET', path)).status).toBe(404)
    const [binned] = await binOf(app)
    expect(binned).toMatchObject({ section: section.key, entry: { ...values, id: made['id'] } })
    const restored = await app.asOwner('PUT', `${section.key}/restore/${String(made['id'])}`)
    expect([restored.status, restored.headers.get('etag')]).toEqual([
      200,
      `"v${String(made['version'])}"`,
    ])
    const { mensaje: _, ...row } = made
    expect((await app.call('GET', path)).json).toEqual(row)
    expect(await binOf(app)).toEqual([])
  })

  test('it comes back to its place, also after others came and went', async () => {
    const app = await openApp({ engine })
    const [a, b, c] = [await add(app, 'A'), await add(app, 'B'), await add(app, 'C')]
    await remove(app, c)
    await remove(app, b)
    expect((await binOf(app)).map(({ entry, behind }) => [entry['name'], behind])).toEqual([
      ['B', [a]],
      ['C', [a]],
    ])
    await add(app, 'D')
    await app.asOwner('PUT', `${project.key}/restore/${b}`)
    await app.asOwner('PUT', `${project.key}/restore/${c}`)
    expect(await namesOf(app)).toEqual(['A', 'B', 'C', 'D'])
  })

  test('restoring twice, and again with the same key, is restoring once', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'A')
    await remove(app, id)
    const headers = { 'idempotency-key': 'k1' }
    for (const call of [{ headers }, { headers }, {}]) {
      const { status, json } = await app.asOwner('PUT', `${project.key}/restore/${id}`, call)
      expect([status, (json as { name: string }).name]).toEqual([200, 'A'])
    }
    expect(await namesOf(app)).toEqual(['A'])
    const none = '00000000-0000-7000-8000-000000000000'
    expect((await app.asOwner('PUT', `${project.key}/restore/${none}`)).status).toBe(404)
  })

  test.each([
    ['made', (t: Executor, id: string) => createEntry(t, project, { id, values: whole })],
    ['put back', (t: Executor, id: string) => restoreEntry(t, project, { id, now: new Date(0) })],
  ])('whoever makes an entry that is %s in this moment is shown it', async (is, change) => {
    const app = await openApp({ engine })
    const id = is === 'made' ? newId() : await add(app, 'A')
    if (is === 'put back') await remove(app, id)
    const answer = await callDuring(
      app.db,
      (t) => change(t, id),
      () => app.asOwner('POST', `${project.key}/create`, { body: { ...whole, id } }),
    )
    expect(refusal(answer)).toEqual({ status: 409, code: 'ya-existe' })
    expect(membersOf(answer)['current']).toMatchObject({ id })
  })

  test('what was based on the entry before it was deleted holds once it is back', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'A')
    const { version } = membersOf(await app.call('GET', `${project.key}/detail/${id}`))
    await remove(app, id)
    await app.asOwner('PUT', `${project.key}/restore/${id}`)
    const late = await app.asOwner('PUT', `${project.key}/update/${id}`, {
      body: { name: 'B' },
      headers: { 'if-match': `"v${String(version)}"` },
    })
    expect([late.status, membersOf(late)['name']]).toEqual([200, 'B'])
  })

  test('after thirty days it is gone, listed no more and swept', async () => {
    const app = await openApp({ engine })
    const [old, young] = [await add(app, 'Vieja'), await add(app, 'Nueva')]
    await remove(app, old)
    await remove(await passDays(app, 29), young)
    const { token, asOwner } = await passDays(app, 2)
    expect((await binOf(app, token)).map(({ entry }) => entry['name'])).toEqual(['Nueva'])
    expect((await asOwner('PUT', `${project.key}/restore/${old}`)).status).toBe(404)
    expect(await sweepBin(app.db, app.services.now())).toBe(1)
    expect(await app.db.selectFrom('bin').select('id').execute()).toEqual([{ id: young }])
  })

  test('what is erased from the bin cannot come back', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'A')
    await remove(app, id)
    expect((await app.asOwner('DELETE', `bin/${project.key}/${id}`)).status).toBe(200)
    expect((await app.asOwner('DELETE', `bin/${project.key}/${id}`)).status).toBe(404)
    expect((await app.asOwner('PUT', `${project.key}/restore/${id}`)).status).toBe(404)
    expect(await binOf(app)).toEqual([])
  })

  test('erasing what was deleted earlier leaves a newer deletion of it in the bin', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'A')
    const { version } = membersOf(await app.call('GET', `${project.key}/detail/${id}`))
    const erase = (number: unknown) =>
      app.asOwner('DELETE', `bin/${project.key}/${id}`, {
        headers: { 'if-match': `"v${String(number)}"` },
      })
    await remove(app, id)
    await app.asOwner('PUT', `${project.key}/restore/${id}`)
    const body = { name: 'B' }
    const edited = membersOf(await app.asOwner('PUT', `${project.key}/update/${id}`, { body }))
    await remove(app, id)
    const stale = await erase(version)
    expect([stale.status, membersOf(stale)['code']]).toEqual([412, 'version-cambiada'])
    expect((await binOf(app)).map(({ entry }) => entry['name'])).toEqual(['B'])
    expect((await erase(edited['version'])).status).toBe(200)
    expect((await erase(edited['version'])).status).toBe(404)
  })
})

test('nobody but the owner reads the bin or takes anything out of it', async () => {
  const app = await openApp()
  const id = await add(app, 'A')
  await remove(app, id)
  expect((await app.call('GET', 'bin')).status).toBe(401)
  expect((await app.call('PUT', `${project.key}/restore/${id}`)).status).toBe(401)
  expect((await app.call('DELETE', `bin/${project.key}/${id}`)).status).toBe(401)
  expect((await app.asOwner('GET', 'bin')).headers.get('cache-control')).toBe('private, no-store')
})

describe('the pictures of what is deleted for good', () => {
  /** An entry with a picture of its own, or with those of another one. */
  async function addPictured(app: TestApp, name: string, colour: string) {
    const { services, asOwner } = app
    const picture = await colourSquare(colour)
    const upload = (key: string) =>
      services.images.put({
        type: project.images.type,
        name: key,
        body: new Blob([new Uint8Array(picture.buffer)]).stream(),
      })
    const { url: image } = await upload(`New/project_${crypto.randomUUID()}`)
    const body = { ...completeValues(project, { name }), image }
    const id = String(membersOf(await asOwner('POST', `${project.key}/create`, { body }))['id'])
    return { id, image, upload }
  }
  const filesOf = async ({ services }: TestApp) =>
    (await services.pictureFiles.list()).map(({ name }) => `/media/${name}`)
  const erase = async (app: TestApp, id: string) => {
    await remove(app, id)
    const [binned] = await binOf(app)
    expect((await app.asOwner('DELETE', `bin/${project.key}/${id}`)).status).toBe(200)
    return binned?.bytes
  }

  test('go at once with those of its history, and the bin says how much that frees', async () => {
    const app = await openApp()
    const { id, image } = await addPictured(app, 'A', '#c33')
    const { url: edited } = await app.services.images.put({
      type: project.images.type,
      name: `project_${id}`,
      body: new Blob([new Uint8Array((await colourSquare('#3c3')).buffer)]).stream(),
    })
    await app.asOwner('PUT', `${project.key}/update/${id}`, { body: { image: edited } })
    expect((await filesOf(app)).toSorted()).toEqual([image, edited].toSorted())
    const weights = await app.db.selectFrom('image').select('bytes').execute()
    expect(weights).toHaveLength(2)
    expect(await erase(app, id)).toBe(weights.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(await filesOf(app)).toEqual([])
    expect(await app.db.selectFrom('image').selectAll().execute()).toEqual([])
  })

  test.each([
    'another entry',
    'another in the bin',
    'the history of another',
    'an upload for something yet to come',
  ])('stay as long as %s has them', async (what) => {
    const app = await openApp()
    const { id, image, upload } = await addPictured(app, 'A', '#c33')
    const other = { ...completeValues(project, { name: 'B' }), image }
    const make = async () =>
      String(membersOf(await app.asOwner('POST', `${project.key}/create`, { body: other }))['id'])
    if (what === 'another entry') await make()
    if (what === 'another in the bin') await remove(app, await make())
    if (what === 'the history of another') {
      const path = `${project.key}/update/${await make()}`
      await app.asOwner('PUT', path, { body: { image: '' } })
    }
    if (what.startsWith('an upload')) await upload(`New/project_${crypto.randomUUID()}`)
    expect(await erase(app, id)).toBe(0)
    expect(await filesOf(app)).toEqual([image])
  })
})

test('nothing of the bin is anywhere that a visitor can look', async () => {
  const secret = 'Nadie lo lee ya'
  const app = await openApp()
  const paths = ['/api/bin']
  for (const section of sections) {
    const id = await add(app, secret, section)
    await app.asOwner('DELETE', `${section.key}/delete/${id}`)
    paths.push(`/api/${section.key}/detail/${id}`)
  }
  expect((await binOf(app)).length).toBe(sections.length)
  expect(await leakingPaths(app, secret, paths)).toEqual([])
})
