import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { FieldValues } from '#contract/fields.ts'
import { hiddenField, isHiddenValue } from '#contract/entries/hidden.ts'
import { mostEarlier, type History } from '#contract/entries/history.ts'
import { education } from '#contract/sections/education.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { sweepBin } from '#server/db/bin.ts'
import { readPerson, updatePerson } from '#server/db/person.ts'
import { readEarlier } from '#server/db/history.ts'
import { dropSample, seedSample } from '#server/db/sample.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines, freshFolder, freshTarget, openForTest, openOld } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { leakingPaths } from '#tests/support/leaking-paths.ts'
import { onPhone } from '#tests/support/other-device.ts'

type Caller = Pick<TestApp, 'asOwner'>

async function add(app: Caller, name: string, section: Section = project): Promise<string> {
  const body = completeValues(section, { name })
  return String(membersOf(await app.asOwner('POST', `${section.key}/create`, { body }))['id'])
}

const rename = (app: Caller, id: string, name: string) =>
  app.asOwner('PUT', `${project.key}/update/${id}`, { body: { name } })

async function historyOf(app: Caller, id: string, kind: string = project.key): Promise<History> {
  return (await app.asOwner('GET', `history/${kind}/${id}`)).json as History
}

const namesIn = ({ versions }: History) => versions.map(({ fields }) => fields['name'])

const rowsOf = ({ db }: Pick<TestApp, 'db'>) =>
  db.selectFrom('earlier_version').select(['kind', 'id']).execute()

describe.each(engines)('on %s', (engine) => {
  test.each(sections)('what an entry of $key said before is kept whole', async (section) => {
    const app = await openApp({ engine })
    const first = completeValues(section, { name: 'Uno' })
    const id = await add(app, 'Uno', section)
    expect(await historyOf(app, id, section.key)).toMatchObject({ versions: [] })
    const patches: readonly FieldValues[] = [
      { name: 'Dos' },
      { name: 'Tres', [section.display.image ?? 'name']: '/media/otra.640x480.webp' },
    ]
    for (const body of patches) await app.asOwner('PUT', `${section.key}/update/${id}`, { body })
    const { versions } = await historyOf(app, id, section.key)
    expect(versions.map(({ fields }) => fields)).toEqual([{ ...first, name: 'Dos' }, first])
  })

  test('so is the profile', async () => {
    const app = await openApp({ engine })
    const [before] = (await app.call('GET', 'person')).json as readonly FieldValues[]
    await app.asOwner('PUT', 'person/update/1', { body: { name: 'Eva', lastname: 'Uno' } })
    await app.asOwner('PUT', 'person/update/1', { body: { lastname: 'Dos' } })
    const { versions } = await historyOf(app, '1', 'person')
    expect(versions.map(({ fields: { name, lastname } }) => [name, lastname])).toEqual([
      ['Eva', 'Uno'],
      [before?.['name'], before?.['lastname']],
    ])
  })

  test('each version says when and on which device it was made, as far as anybody knows', async () => {
    const app = await openApp({ engine })
    const phone = { asOwner: await onPhone(app) }
    const id = await add(app, 'Uno')
    app.pass(60_000)
    await rename(phone, id, 'Dos')
    app.pass(60_000)
    await rename(app, id, 'Tres')
    const [one, two, three] = ['10:00', '10:01', '10:02'].map((at) => `2031-03-01T${at}:00.000Z`)
    expect(await historyOf(app, id)).toMatchObject({
      changed: { at: three },
      versions: [
        { made: { at: two, device: 'Safari en iPhone' }, replacedAt: three },
        { made: { at: one }, replacedAt: two },
      ],
    })
    await app.db.deleteFrom('last_change').execute()
    await rename(app, id, 'Cuatro')
    expect((await historyOf(app, id)).versions[0]).not.toHaveProperty('made')
  })

  test('the twenty latest are kept, in order, also when many arrive at once', async () => {
    const app = await openApp({ engine })
    const id = await add(app, '0')
    await Promise.all(Array.from({ length: 8 }, (_, n) => rename(app, id, `a${n}`)))
    expect(new Set(namesIn(await historyOf(app, id))).size).toBe(8)
    for (let n = 1; n <= mostEarlier + 3; n++) await rename(app, id, `b${n}`)
    const names = Array.from({ length: mostEarlier }, (_, n) => `b${mostEarlier + 2 - n}`)
    expect(namesIn(await historyOf(app, id))).toEqual(names)
    expect(await rowsOf(app)).toHaveLength(mostEarlier)
  })

  test('what was refused, or changed nothing, or came twice, is no version', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'Uno')
    const path = `${project.key}/update/${id}`
    const late = { 'if-match': '"v9"' }
    await app.asOwner('PUT', path, { body: { name: 'Otra' }, headers: late })
    await app.asOwner('PUT', path, { body: { description: 'x'.repeat(91) } })
    await app.asOwner('PUT', path, { body: { name: 'Uno' } })
    expect(namesIn(await historyOf(app, id))).toEqual([])
    const again = { 'idempotency-key': 'k1' }
    for (let n = 0; n < 2; n++) {
      await app.asOwner('PUT', path, { body: { name: 'Dos' }, headers: again })
    }
    expect(namesIn(await historyOf(app, id))).toEqual(['Uno'])
  })

  test('whether visitors see an entry is no part of what it said', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'Uno')
    const path = `${project.key}/update/${id}`
    await app.asOwner('PUT', path, { body: { [hiddenField]: isHiddenValue } })
    expect(namesIn(await historyOf(app, id))).toEqual([])
    await rename(app, id, 'Dos')
    const [version] = (await historyOf(app, id)).versions
    expect(version?.fields).toEqual(completeValues(project, { name: 'Uno' }))
  })

  test('it stays while the entry lies in the bin and when it comes back', async () => {
    const app = await openApp({ engine })
    const id = await add(app, 'Uno')
    await rename(app, id, 'Dos')
    await app.asOwner('DELETE', `${project.key}/delete/${id}`)
    expect(namesIn(await historyOf(app, id))).toEqual(['Uno'])
    await app.asOwner('PUT', `${project.key}/restore/${id}`)
    await rename(app, id, 'Tres')
    expect(namesIn(await historyOf(app, id))).toEqual(['Dos', 'Uno'])
  })

  test('what is erased from the bin is gone from everywhere, and only that', async () => {
    const app = await openApp({ engine })
    const secret = 'Nunca lo dije'
    const headers = { 'idempotency-key': 'k1' }
    const id = '0190a000-0000-7000-8000-000000000001'
    const body = { ...completeValues(project, { name: secret }), id }
    await app.asOwner('POST', `${project.key}/create`, { body, headers })
    const other = await add(app, 'Otra')
    for (const each of [id, other]) await rename(app, each, `${secret}, o sí`)
    await rename(app, other, 'Dos')
    await app.asOwner('DELETE', `${project.key}/delete/${id}`)
    expect((await app.asOwner('DELETE', `bin/${project.key}/${id}`)).status).toBe(200)
    expect(await historyOf(app, id)).toEqual({ versions: [] })
    expect(namesIn(await historyOf(app, other))).toEqual([`${secret}, o sí`, 'Otra'])
    const kept = await app.db.selectFrom('idempotency_key').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(secret)
    // What comes late does not make it anew.
    const late = await app.asOwner('POST', `${project.key}/create`, { body, headers })
    expect([late.status, membersOf(late)['code']]).toEqual([404, 'no-encontrado'])
    expect((await app.call('GET', `${project.key}/detail/${id}`)).status).toBe(404)
  })

  test('after thirty days in the bin it goes with the entry', async () => {
    const app = await openApp({ engine })
    const [gone, there] = [await add(app, 'Uno'), await add(app, 'Dos')]
    for (const id of [gone, there]) await rename(app, id, 'Tres')
    await app.asOwner('DELETE', `${project.key}/delete/${gone}`)
    app.pass(31 * dayMs)
    await sweepBin(app.db, app.services.now())
    expect(await rowsOf(app)).toEqual([{ kind: project.key, id: there }])
  })

  test('the sample leaves nothing in it', async () => {
    const app = await openApp({ engine })
    await seedSample(app.db)
    expect(await rowsOf(app)).toEqual([])
    const [{ id = '' } = {}] = (await app.call('GET', project.key)).json as readonly FieldValues[]
    await rename(app, id, 'Mío')
    expect(namesIn(await historyOf(app, id))).toHaveLength(1)
    await dropSample(app.db)
    expect(await rowsOf(app)).toEqual([])
  })

  test('a database of before has one from its first change on', async () => {
    const target = await freshTarget(engine)
    const old = await openOld(target, '0013-answered-messages')
    await old.destroy()
    const { db } = await openForTest(target)
    const now = new Date()
    const { fields } = await readPerson(db)
    await updatePerson(db, { patch: { name: 'Eva' }, now })
    const [kept, ...others] = await readEarlier(db, { kind: 'person', id: '1' })
    expect([JSON.parse(kept?.fields ?? ''), others]).toEqual([fields, []])
  })
})

test('nobody but the owner reads it, nothing keeps it, and there is none of what has no versions', async () => {
  const app = await openApp()
  const id = await add(app, 'Uno')
  await rename(app, id, 'Dos')
  const path = `history/${project.key}/${id}`
  expect((await app.call('GET', path)).status).toBe(401)
  expect((await app.asOwner('GET', path)).headers.get('cache-control')).toBe('private, no-store')
  expect(await historyOf(app, id, education.key)).toEqual({ versions: [] })
  for (const kind of ['owner', 'setting', '__proto__']) {
    expect((await app.asOwner('GET', `history/${kind}/1`)).status).toBe(404)
  }
})

test('nothing of it is anywhere that a visitor can look', async () => {
  const secret = 'Nadie lo lee ya'
  const app = await openApp()
  const paths = ['/api/person', '/api/history/person/1']
  for (const section of sections) {
    const id = await add(app, secret, section)
    await app.asOwner('PUT', `${section.key}/update/${id}`, { body: { name: 'Otra cosa' } })
    paths.push(`/api/${section.key}/detail/${id}`, `/api/history/${section.key}/${id}`)
  }
  await app.asOwner('PUT', 'person/update/1', { body: { name: secret } })
  await app.asOwner('PUT', 'person/update/1', { body: { name: 'Eva' } })
  expect(namesIn(await historyOf(app, '1', 'person'))).toContain(secret)
  expect(await leakingPaths(app, secret, paths)).toEqual([])
})

test('of what is erased from the bin no word is left in the file', async () => {
  const file = join(await freshFolder(), 'tintero.sqlite')
  const app = await openApp({ file })
  const words = ['Zarzamora primera', 'Zarzamora segunda', 'Zarzamora tercera']
  const headers = { 'idempotency-key': 'k1' }
  const id = await add(app, words[0] ?? '')
  const path = `${project.key}/update/${id}`
  for (const name of words) await app.asOwner('PUT', path, { body: { name }, headers: {} })
  await app.asOwner('PUT', path, { body: { description: 'Zarzamora' }, headers })
  await app.asOwner('DELETE', `${project.key}/delete/${id}`)
  const isSaid = async () => {
    const files = await Promise.all([file, `${file}-wal`].map((name) => readFile(name)))
    return files.some((bytes) => bytes.includes('Zarzamora'))
  }
  expect(await isSaid()).toBe(true)
  expect((await app.asOwner('DELETE', `bin/${project.key}/${id}`)).status).toBe(200)
  expect(await isSaid()).toBe(false)
})
