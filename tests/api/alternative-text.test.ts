import { describe, expect, test } from 'vitest'
import type { BinnedEntry } from '#contract/entries/bin.ts'
import type { History } from '#contract/entries/history.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { readPerson, updatePerson } from '#server/db/person.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines, freshTarget, openForTest, openOld } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const alt = 'Un faro de noche'
const other = '/media/otra.640x480.webp'
const pictured = sections.filter(({ images }) => images)

async function add(app: TestApp, fields: object = {}, section: Section = project): Promise<string> {
  const body = { ...completeValues(section), ...fields }
  return String(membersOf(await app.asOwner('POST', `${section.key}/create`, { body }))['id'])
}

const change = (app: TestApp, id: string, body: object, section: Section = project) =>
  app.asOwner('PUT', `${section.key}/update/${id}`, { body })

const read = async (app: TestApp, id: string, { key }: Section = project) =>
  membersOf(await app.call('GET', `${key}/detail/${id}`))

describe.each(engines)('on %s', (engine) => {
  test.each(pictured)(
    'what a picture of $key says is answered where it is written, and nowhere else',
    async (section) => {
      const app = await openApp({ engine, everySection: true })
      const id = await add(app, {}, section)
      const before = await read(app, id, section)
      expect('alt' in before).toBe(false)
      const written = await change(app, id, { alt: ` ${alt}\n` }, section)
      expect([written.status, membersOf(written)['alt']]).toEqual([200, alt])
      expect((await app.call('GET', section.key)).json).toEqual([{ ...before, alt, version: 2 }])
      await change(app, id, { name: 'Otro' }, section)
      expect((await read(app, id, section))['alt']).toBe(alt)
      await change(app, id, { alt: '' }, section)
      expect(await read(app, id, section)).toEqual({ ...before, name: 'Otro', version: 4 })
      const made = await add(app, { alt }, section)
      expect((await read(app, made, section))['alt']).toBe(alt)
    },
  )

  test('the portrait has one, of its own', async () => {
    const app = await openApp({ engine })
    const put = (body: object) => app.asOwner('PUT', 'person/update/1', { body })
    const profile = async () => membersOf(await app.call('GET', 'person/detail/1'))
    await put({ image: other })
    const before = await profile()
    expect('alt' in before).toBe(false)
    expect(membersOf(await put({ alt }))['alt']).toBe(alt)
    expect((await app.call('GET', 'person')).json).toEqual([{ ...before, alt, version: 3 }])
    await put({ image: '' })
    expect('alt' in (await profile())).toBe(false)
  })

  test('it goes with its picture, and nothing is said where there is none', async () => {
    const app = await openApp({ engine })
    const id = await add(app, { alt })
    const said = async () => (await read(app, id))['alt']
    await change(app, id, { image: other })
    expect(await said()).toBe(alt)
    await change(app, id, { image: '' })
    expect(await said()).toBe(undefined)
    // As when she keeps her text against another device's change that took the picture away.
    await change(app, id, { alt })
    expect(await said()).toBe(undefined)
    await change(app, id, { image: other })
    expect(await said()).toBe(undefined)
    await change(app, id, { image: '', alt })
    expect(await said()).toBe(undefined)
    const without = await add(app, { image: '', alt })
    await change(app, without, { image: other })
    expect('alt' in (await read(app, without))).toBe(false)
  })

  test('it is part of what was said before, and of what lies in the bin', async () => {
    const app = await openApp({ engine })
    const id = await add(app)
    await change(app, id, { alt })
    await change(app, id, { alt: 'Un faro de día' })
    const path = `history/${project.key}/${id}`
    const { versions } = (await app.asOwner('GET', path)).json as History
    expect(versions.map(({ fields }) => fields)).toEqual([
      { ...completeValues(project), alt },
      completeValues(project),
    ])
    await app.asOwner('DELETE', `${project.key}/delete/${id}`)
    const [binned] = (await app.asOwner('GET', 'bin')).json as readonly BinnedEntry[]
    expect(binned?.entry['alt']).toBe('Un faro de día')
    await app.asOwner('PUT', `${project.key}/restore/${id}`)
    expect((await read(app, id))['alt']).toBe('Un faro de día')

    await app.asOwner('PUT', 'person/update/1', { body: { image: other, alt } })
    await app.asOwner('PUT', 'person/update/1', { body: { alt: '' } })
    const profile = (await app.asOwner('GET', 'history/person/1')).json as History
    expect(profile.versions[0]?.fields).toMatchObject({ image: other, alt })
  })

  test('one that is too long is refused by its name, and kept apart from other devices’ changes', async () => {
    const app = await openApp({ engine })
    const id = await add(app)
    const invalid = { status: 422, code: 'datos-no-validos', fields: ['/alt'] }
    expect(refusal(await change(app, id, { alt: 'x'.repeat(201) }))).toEqual(invalid)
    const person = { body: { alt: 'x'.repeat(201) } }
    expect(refusal(await app.asOwner('PUT', 'person/update/1', person))).toEqual(invalid)
    await change(app, id, { alt })
    const late = { body: { alt: 'Tarde' }, headers: { 'if-match': '"v1"' } }
    const stale = await app.asOwner('PUT', `${project.key}/update/${id}`, late)
    expect([stale.status, membersOf(stale)['current']]).toMatchObject([412, { alt }])
  })

  test('a database of before says nothing of its pictures until she does', async () => {
    const target = await freshTarget(engine)
    const old = await openOld<{ person: Record<string, string | number> }>(
      target,
      '0015-hidden-entries',
    )
    const row = { id: 1, name: 'Ana', lastname: '', title: '', description: '', version: 1 }
    await old
      .insertInto('person')
      .values({ ...row, image: other })
      .execute()
    await old.destroy()
    const { db } = await openForTest(target)
    expect('alt' in (await readPerson(db)).fields).toBe(false)
    await updatePerson(db, { patch: { alt } })
    expect((await readPerson(db)).fields).toMatchObject({ name: 'Ana', image: other, alt })
  })
})
