import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { emptyValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import { sample } from '#contract/sample.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { checkValues } from '#contract/validate.ts'
import {
  createEntry,
  findEntry,
  listEntries,
  removeEntry,
  updateEntry,
} from '#server/db/entries.ts'
import { readPerson, updatePerson } from '#server/db/person.ts'
import { readSettings, writeSettings } from '#server/db/settings.ts'
import { readSite } from '#server/db/site-data.ts'
import { listRevision, siteRevision } from '#server/db/revisions.ts'
import { toDbError } from '#server/db/errors.ts'
import { openDb } from '#server/db/open.ts'
import { dropSample, hasSample, seedSample } from '#server/db/sample.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { firstSections } from '#tests/support/page-paths.ts'
import { watchQueries } from '#tests/support/watched-queries.ts'

const [section] = sections as readonly [Section, ...Section[]]

test.each(sections)('what pages show of $key is found without sorting its rows', async (each) => {
  const { db } = await openFresh('sqlite')
  const { watched, asked } = watchQueries(db)
  for (const shown of ['latest', 'cv', 0, 1, 2] as const) await readSite(watched, () => shown)
  const onList = asked.filter((query) => query.sql.includes(`from "${each.key}"`))
  expect(onList.length).toBeGreaterThanOrEqual(5)
  for (const query of onList) {
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.detail).toMatch(new RegExp(` INDEX ${each.key}_shown `))
  }
})

describe.each(engines)('%s', (engine) => {
  test.runIf(engine === 'postgres')(
    'a process starts beside one that is in the middle of changing every section',
    async () => {
      const { db, target } = await openFresh(engine)
      await db.transaction().execute(async (t) => {
        for (const { key } of sections) {
          await sql`update ${sql.table(key)} set version = 1`.execute(t)
        }
        const started = await openDb(target, 0)
        expect(started.engine).toBe(engine)
        await started.close()
      })
    },
  )

  test.each(sections)('keeps the entries of $key in the order they were made', async (each) => {
    const { db } = await openFresh(engine)
    const first = await createEntry(db, each, { values: completeValues(each, { name: 'Primera' }) })
    const second = await createEntry(db, each, {
      values: completeValues(each, { name: 'Segunda' }),
    })
    expect(await listEntries(db, each)).toEqual([first, second])
    expect(first).toEqual({
      id: first.id,
      version: 1,
      fields: completeValues(each, { name: 'Primera' }),
    })
    expect(await findEntry(db, each, second.id)).toEqual(second)
  })

  test('an entry made after a deletion is still the last one', async () => {
    const { db } = await openFresh(engine)
    const made = async (name: string) =>
      createEntry(db, section, { values: completeValues(section, { name }) })
    const [a, b] = [await made('a'), await made('b')]
    await removeEntry(db, section, { id: a.id })
    const c = await made('c')
    expect((await listEntries(db, section)).map(({ id }) => id)).toEqual([b.id, c.id])
  })

  test('a change touches the named fields and raises the version by one', async () => {
    const { db } = await openFresh(engine)
    const { id } = await createEntry(db, section, { values: completeValues(section) })
    const changed = await updateEntry(db, section, { id, version: 1, patch: { name: 'Nuevo' } })
    expect(changed).toEqual({
      outcome: 'done',
      value: { id, version: 2, fields: completeValues(section, { name: 'Nuevo' }) },
    })
  })

  test('a change cannot reach columns that are no fields', async () => {
    const { db } = await openFresh(engine)
    const { id } = await createEntry(db, section, { values: completeValues(section) })
    const patch = { id: 'x', version: '9', position: '9', name: 'Nuevo' }
    const changed = await updateEntry(db, section, { id, patch })
    expect(changed).toMatchObject({ outcome: 'done', value: { id, version: 2 } })
  })

  test('a change at an old version is refused with the current entry', async () => {
    const { db } = await openFresh(engine)
    const { id } = await createEntry(db, section, { values: completeValues(section) })
    await updateEntry(db, section, { id, patch: { name: 'De otro' } })
    const current = await findEntry(db, section, id)
    expect(current?.version).toBe(2)
    const patch = { name: 'Mía' }
    expect(await updateEntry(db, section, { id, version: 1, patch })).toEqual({
      outcome: 'stale',
      current,
    })
    expect(await removeEntry(db, section, { id, version: 1 })).toEqual({
      outcome: 'stale',
      current,
    })
    expect(await listEntries(db, section)).toEqual([current])
  })

  test('changing or deleting what is not there is told apart', async () => {
    const { db } = await openFresh(engine)
    const id = '01890000-0000-7000-8000-000000000000'
    expect(await updateEntry(db, section, { id, patch: {} })).toEqual({ outcome: 'missing' })
    expect(await removeEntry(db, section, { id })).toEqual({ outcome: 'missing' })
  })

  test('a used id is refused and leaves the entry as it was', async () => {
    const { db } = await openFresh(engine)
    const first = await createEntry(db, section, {
      values: completeValues(section, { name: 'Primera' }),
    })
    const again = createEntry(db, section, { id: first.id, values: completeValues(section) })
    const error = await again.then(() => undefined, toDbError)
    expect(error?.fault).toBe('duplicate')
    expect(await listEntries(db, section)).toEqual([first])
  })

  test('every kind of change raises the revision of its kind and of the site', async () => {
    const { db } = await openFresh(engine)
    const { id } = await createEntry(db, section, { values: completeValues(section) })
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      [section.key, () => createEntry(db, section, { values: completeValues(section) })],
      [section.key, () => updateEntry(db, section, { id, patch: { name: 'Otro' } })],
      [section.key, () => removeEntry(db, section, { id })],
      ['person', () => updatePerson(db, { patch: { name: 'Ana' } })],
      ['settings', () => writeSettings(db, { age_text: '31' })],
    ]
    for (const [kind, change] of changes) {
      const before = [await listRevision(db, kind), await siteRevision(db)] as const
      await change()
      expect([await listRevision(db, kind), await siteRevision(db)]).toEqual([
        before[0] + 1,
        before[1] + 1,
      ])
    }
  })

  test('the profile is there from the start, empty, and keeps what a change does not name', async () => {
    const { db } = await openFresh(engine)
    expect((await readPerson(db)).version).toBe(1)
    await updatePerson(db, { patch: { name: 'Ana', title: 'Escritora' } })
    await updatePerson(db, { version: 2, patch: { title: 'Editora' } })
    const current = await readPerson(db)
    expect(current).toMatchObject({ version: 3, fields: { name: 'Ana', title: 'Editora' } })
    expect(await updatePerson(db, { version: 2, patch: { title: 'No' } })).toEqual({
      outcome: 'stale',
      current,
    })
  })

  test('settings have their defaults until they are written', async () => {
    const { db } = await openFresh(engine)
    expect(await readSettings(db)).toEqual(defaultSettings)
    await writeSettings(db, { age_text: '30', default_theme: 'light' })
    await writeSettings(db, { age_text: '31' })
    expect(await readSettings(db)).toEqual({
      ...defaultSettings,
      age_text: '31',
      default_theme: 'light',
    })
  })

  test('a new site shows the sample once, and drops exactly that', async () => {
    const { db } = await openFresh(engine)
    expect(await hasSample(db)).toBe(false)
    await seedSample(db)
    await seedSample(db)
    const site = await readSite(db)
    expect(site.person.fields).toEqual(sample.person)
    for (const { key, fields } of sections) {
      const samples = (sample.entries[key] ?? []).map((values) => ({
        ...emptyValues(fields),
        ...values,
      }))
      expect(site.entries[key]?.map((entry) => entry.fields)).toEqual(samples)
    }
    const own = await createEntry(db, section, { values: completeValues(section) })
    expect(await hasSample(db)).toBe(true)

    await dropSample(db)
    await seedSample(db)
    expect(await hasSample(db)).toBe(false)
    expect(await readSite(db)).toMatchObject({
      settings: defaultSettings,
      person: { fields: { name: '' } },
    })
    expect(await Promise.all(sections.map((each) => listEntries(db, each)))).toEqual(
      sections.map(({ key }) => (key === section.key ? [own] : [])),
    )
  })

  test('of each section as many entries are read as are shown', async () => {
    const { db } = await openFresh(engine)
    await seedSample(db)
    const all = await readSite(db)
    const lists = (site: typeof all) => firstSections.map(({ key }) => site.entries[key])
    const every = lists(all)
    expect(every.every((list) => (list?.length ?? 0) > 1)).toBe(true)
    expect(lists(await readSite(db, () => 'latest'))).toEqual(every.map((list) => list?.slice(-1)))
    expect(lists(await readSite(db, () => 'none'))).toEqual(every.map(() => []))
    expect(await readSite(db, () => 'all')).toEqual(all)
    await dropSample(db)
    expect(lists(await readSite(db, () => 'latest'))).toEqual(every.map(() => []))
  })

  test('what the owner writes after dropping the sample is not dropped again', async () => {
    const { db } = await openFresh(engine)
    await seedSample(db)
    await dropSample(db)
    await updatePerson(db, { patch: { name: 'Ana' } })
    await dropSample(db)
    expect((await readPerson(db)).fields['name']).toBe('Ana')
  })

  test('twenty entries made at once all have a place of their own', async () => {
    const { db } = await openFresh(engine)
    const all = Array.from({ length: 20 }, (_, i) => completeValues(section, { name: `N${i}` }))
    await Promise.all(
      all.map((values) => db.transaction().execute((t) => createEntry(t, section, { values }))),
    )
    const rows = await db
      .$extendTables<{ proyect: { position: number } }>()
      .selectFrom('proyect')
      .select('position')
      .execute()
    expect(new Set(rows.map(({ position }) => position)).size).toBe(20)
    expect(await listRevision(db, section.key)).toBe(20)
  })
})

// A section that somebody adds starts empty.
test.each(sections.filter(({ key }) => key in sample.entries))(
  'the sample of $key has at least four entries, all of them valid',
  ({ key, fields }) => {
    const samples = sample.entries[key] ?? []
    expect(samples.length).toBeGreaterThanOrEqual(4)
    for (const values of samples)
      expect(checkValues(fields, 'create', values)).toEqual({
        ok: true,
        value: { ...emptyValues(fields), ...values },
      })
  },
)

test('the sample profile is valid', () => {
  expect(checkValues(personFields, 'update', sample.person)).toEqual({
    ok: true,
    value: sample.person,
  })
})
