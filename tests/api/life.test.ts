import { describe, expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { readPerson } from '#server/db/person.ts'
import { beginLife } from '#server/db/life.ts'
import { openDb } from '#server/db/open.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines, freshTarget } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const [section] = sections as readonly [Section, ...Section[]]

const now = new Date('2031-03-01T10:00:00Z')
const create = (app: TestApp, id: string, name: string) =>
  app.asOwner('POST', `${section.key}/create`, {
    body: { id, ...completeValues(section, { name }) },
  })
const rename = (app: TestApp, id: string, name: string, tag?: string | null) =>
  app.asOwner('PUT', `${section.key}/update/${id}`, {
    body: { name },
    headers: { ...(tag && { 'if-match': tag }) },
  })
const listTagOf = async (app: TestApp) => (await app.call('GET', section.key)).headers.get('etag')

describe.each(engines)('on %s', (engine) => {
  test('after a restore a change made to lost content is a conflict, and no old tag is current', async () => {
    const app = await openApp({ engine })
    const id = crypto.randomUUID()
    await create(app, id, 'Guardada')
    await rename(app, id, 'Perdida')
    const lost = (await rename(app, id, 'Perdida también')).headers.get('etag')
    const oldLists = [await listTagOf(app)]
    // What a restore does: the rows of then, and another life.
    await app.db.updateTable('revision').set({ rev: 1 }).execute()
    await app.db.transaction().execute((t) => beginLife(t, now))
    oldLists.push('W/"proyect-1"')
    expect(refusal(await rename(app, id, 'Encolada', lost))).toMatchObject({ status: 412 })
    for (const tag of oldLists) {
      const headers = { 'if-none-match': tag ?? '' }
      expect((await app.call('GET', section.key, { headers })).status).toBe(200)
    }
    // Two changes later the versions still differ from those given out before.
    await rename(app, id, 'Una')
    await rename(app, id, 'Dos')
    expect(refusal(await rename(app, id, 'Encolada', lost))).toMatchObject({ status: 412 })
    const { version } = membersOf(await app.call('GET', `${section.key}/detail/${id}`))
    expect((await rename(app, id, 'Tres', `"v${String(version)}"`)).status).toBe(200)
  })

  test('an entry that is made again under its id has versions of its own', async () => {
    const app = await openApp({ engine })
    const id = crypto.randomUUID()
    const lost = (await create(app, id, 'Perdida')).headers.get('etag')
    await app.db.deleteFrom(section.key as 'person').execute()
    await app.db.transaction().execute((t) => beginLife(t, now))
    await create(app, id, 'Otra vez')
    expect(refusal(await rename(app, id, 'Encolada', lost))).toMatchObject({ status: 412 })
  })

  test('two lives never meet, however soon the second begins', async () => {
    const app = await openApp({ engine })
    const begin = () => app.db.transaction().execute((t) => beginLife(t, now))
    await begin()
    const first = (await readPerson(app.db)).version
    await begin()
    expect((await readPerson(app.db)).version).toBeGreaterThan(first)
  })

  test('a site begun anew gives out no version of the one before', async () => {
    const [a, b] = [
      await openDb(await freshTarget(engine)),
      await openDb(await freshTarget(engine), 77),
    ]
    const versions = [(await readPerson(a.db)).version, (await readPerson(b.db)).version]
    await Promise.all([a.close(), b.close()])
    expect(versions[0]).toBeGreaterThan(20_000_000)
    expect(versions[1]).toBe(78)
  })
})
