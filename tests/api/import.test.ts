import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { resumeOf, type Resume } from '#contract/resume/resume.ts'
import { sample } from '#contract/sample.ts'
import { problems } from '#contract/problem.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { importTexts } from '#contract/texts/import.ts'
import { importFile } from '#server/cli/import.ts'
import { readConfig } from '#server/config.ts'
import { listEntries, removeEntry } from '#server/db/entries.ts'
import { updatePerson } from '#server/db/person.ts'
import { writeSettings } from '#server/db/settings.ts'
import { readSite } from '#server/db/site-data.ts'
import { countResumes, listKeptResumes, mostKeptParts } from '#server/db/kept-resumes.ts'
import { lastChange } from '#server/db/last-changes.ts'
import { seedSample } from '#server/db/sample.ts'
import { transact } from '#server/db/transact.ts'
import type { Db } from '#server/db/tables.ts'
import { importResume } from '#server/resume/import-resume.ts'
import { engines, freshFolder, openForTest, openFresh } from '#tests/support/database.ts'
import { exampleResumes } from '#tests/support/resumes.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* `tintero import`: a résumé taken into the site from the command line. */

const now = new Date('2031-03-02T10:00:00Z')
const publicUrl = 'https://lucia.example'

/** Takes out all that the sample says. */
async function empty(db: Db): Promise<void> {
  await transact(db, async (x) => {
    for (const section of sections) {
      for (const { id } of await listEntries(x, section)) await removeEntry(x, section, { id })
    }
    const none = { name: '', lastname: '', title: '', description: '', image: '' }
    await updatePerson(x, { patch: none })
    await writeSettings(x, {
      email: '',
      linkedin_url: '',
      github_url: '',
      location_text: '',
      age_text: '',
    })
  })
}

async function emptySite(engine = engines[0] ?? 'sqlite'): Promise<Db> {
  const { db } = await openFresh(engine)
  await seedSample(db)
  await empty(db)
  return db
}

const none = { added: 0, combined: 0, left: 0, unfit: [], isPictureLeft: false }
const take = (db: Db, resume: Resume) => transact(db, (x) => importResume(x, resume, now))
const whole = async (db: Db) =>
  resumeOf(await readSite(db), { publicUrl, kept: await listKeptResumes(db) })

test.each(
  engines.flatMap((engine) =>
    exampleResumes.map(([name, resume]) => [engine, name, resume] as const),
  ),
)('on %s %s comes out as it came in, and twice is once', async (engine, _, resume) => {
  const db = await emptySite(engine)
  const first = await take(db, resume)
  expect(first.added).toBeGreaterThan(0)
  expect(await whole(db)).toEqual(resume)
  const site = await readSite(db)
  const kept = await countResumes(db)
  const again = await take(db, resume)
  expect(again).toMatchObject({ added: 0, combined: 0 })
  expect(await readSite(db)).toEqual(site)
  expect(await whole(db)).toEqual(resume)
  expect(await countResumes(db)).toBe(kept)
})

test('of files that are brought in by turns each is kept once, whole, and the last one’s word counts', async () => {
  const db = await emptySite()
  const volunteer = Array.from({ length: 3 }, (_, i) => ({ summary: `${i}`.repeat(9_000) }))
  const one = { volunteer, meta: { theme: 'uno' } }
  const other = { volunteer: volunteer.slice(1), meta: { theme: 'otro' } }
  for (const resume of [one, other]) await take(db, resume)
  const kept = await countResumes(db)
  expect(kept).toBeGreaterThan(2)
  for (const resume of [one, one, other, one]) await take(db, resume)
  expect(await countResumes(db)).toBe(kept)
  const came = await whole(db)
  expect(came['meta']).toEqual(one.meta)
  expect(came['volunteer']).toHaveLength(3)
})

test('more than a site may keep of imports is refused, and changes nothing', async () => {
  const db = await emptySite()
  const part = JSON.stringify({ rest: {}, items: [] })
  const rows = Array.from({ length: mostKeptParts }, (_, i) => ({
    id: `${i}`,
    said: part,
    made_at: now.toISOString(),
  }))
  await db.insertInto('kept_resume').values(rows.slice(0, 1_000)).execute()
  await db.insertInto('kept_resume').values(rows.slice(1_000)).execute()
  await expect(take(db, { projects: [{ name: 'Uno' }] })).rejects.toThrow(cliTexts.importFull)
  expect(await listEntries(db, project)).toEqual([])
  expect(await countResumes(db)).toBe(mostKeptParts)
})

test('what one site gives out another takes in, in the same order', async () => {
  const { db: from } = await openFresh('sqlite')
  await seedSample(from)
  const site = await readSite(from)
  const db = await emptySite()
  await take(db, resumeOf(site, { publicUrl }))
  const fieldsOf = ({ entries }: typeof site) =>
    Object.entries(entries).map(([key, list]) => [
      key,
      // A résumé has no pictures of entries.
      list.map(({ fields }) => ({ ...fields, image: '', icon: '' })),
    ])
  const taken = await readSite(db)
  expect(fieldsOf(taken)).toEqual(fieldsOf(site))
  expect({ ...taken.person.fields, image: '' }).toEqual({ ...site.person.fields, image: '' })
  expect(taken.settings).toEqual(site.settings)
})

test('what the site says already stays hers; what it does not say yet is filled in', async () => {
  const { db } = await openFresh('sqlite')
  await seedSample(db)
  const [known] = sample.entries['experience'] ?? []
  const before = await readSite(db)
  const work = [{ name: known?.['name'], position: 'Jefa', summary: 'Otra cosa' }]
  const done = await take(db, { basics: { name: 'Otra Persona', label: 'Otra' }, work })
  expect(done).toMatchObject({ added: 0, combined: 1 })
  const after = await readSite(db)
  expect(after.person).toEqual(before.person)
  const entry = after.entries['experience']?.find(
    ({ fields }) => fields['name'] === known?.['name'],
  )
  expect(entry?.fields).toEqual({ ...known, image: entry?.fields['image'], role: 'Jefa' })
  const changed = { kind: 'experience', id: entry?.id ?? '' }
  expect(await lastChange(db, changed)).toEqual({ at: now.toISOString() })
})

test('what does not fit stays whole beside the site, and is named', async () => {
  const db = await emptySite()
  const long = { name: 'Un proyecto con un nombre demasiado largo', description: 'x'.repeat(200) }
  const done = await take(db, { projects: [long, { name: 'Corto', description: 'Breve' }] })
  expect(done).toEqual({ ...none, added: 1, unfit: [long.name] })
  expect((await listEntries(db, project)).map(({ fields }) => fields['name'])).toEqual(['Corto'])
  expect(await whole(db)).toEqual({ projects: [long, { name: 'Corto', description: 'Breve' }] })
})

test('what is too long for an entry that the site has is named, and the rest is filled in', async () => {
  const db = await emptySite()
  await take(db, { projects: [{ name: 'Mapa' }] })
  const longer = { name: 'Mapa', description: 'x'.repeat(91), url: 'https://mapa.example/' }
  expect(await take(db, { projects: [longer] })).toEqual({ ...none, combined: 1, unfit: ['Mapa'] })
  const [entry] = await listEntries(db, project)
  expect(entry?.fields).toMatchObject({ description: '', demo: longer.url })
  expect(await take(db, { projects: [{ name: 'Mapa', description: 'x'.repeat(91) }] })).toEqual({
    ...none,
    left: 1,
    unfit: ['Mapa'],
  })
})

test('a site that is read-only takes nothing', async () => {
  const db = await emptySite()
  await writeSettings(db, { maintenance_readonly: 'true' })
  await expect(take(db, { projects: [{ name: 'Uno' }] })).rejects.toThrow(problems.mantenimiento[2])
  expect(await listEntries(db, project)).toEqual([])
})

test('one thing that is too large undoes all of it', async () => {
  const db = await emptySite()
  const resume = { projects: [{ name: 'Uno' }], volunteer: [{ summary: 'x'.repeat(30_000) }] }
  await expect(take(db, resume)).rejects.toThrow(importTexts.tooLargeItem)
  expect(await listEntries(db, project)).toEqual([])
  expect(await listKeptResumes(db)).toEqual([])
})

/** A data folder with the sample. */
async function sampleFolder(): Promise<string> {
  const folder = await freshFolder()
  const { db } = await openForTest({ engine: 'sqlite', file: join(folder, 'tintero.sqlite') })
  await seedSample(db)
  return folder
}

test('what is no résumé is named, and changes nothing', async () => {
  const config = readConfig({ DATA_DIR: await sampleFolder() })
  const folder = await freshFolder()
  const said = async (text: string | Buffer, name = 'cv.json') => {
    const file = join(folder, name)
    await writeFile(file, text)
    return importFile(config, file, now).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  }
  const notResume = `${fill(importTexts.notResume, { name: 'cv.json' })}.`
  for (const text of ['', 'hola', '[]', 'null', '{}', '{"work"', '[1, 2]', '{"a": 1}']) {
    expect({ text, said: await said(text) }).toEqual({ text, said: notResume })
  }
  expect(await said(`{"basics": ${'['.repeat(99)}${']'.repeat(99)}}`)).toBe(notResume)
  const latin = Buffer.from('{"projects": [{"name": "Perú"}]}', 'latin1')
  expect(await said(latin)).toBe(`${fill(importTexts.notUtf8, { name: 'cv.json' })}.`)
  expect(await said(`{"basics": ${'['.repeat(48)}${']'.repeat(48)}}`)).toBe(notResume)
  expect(await said('PK\u0003\u0004', 'copia.zip')).toBe(
    fill(cliTexts.importZip, { name: 'copia.zip' }),
  )
  expect(await said(Buffer.alloc(5_000_001, ' '))).toBe(
    `${fill(importTexts.tooLarge, { name: 'cv.json' })}.`,
  )
  const file = join(folder, 'nada.json')
  await expect(importFile(config, file, now)).rejects.toThrow(
    /nada\.json no se puede leer \(no existe\)/,
  )
})

test.each([
  ['begins with the mark of UTF-8', '\ufeff{"basics": {"phone": "Perú"}}'],
  ['is in UTF-16', Buffer.from('\ufeff{"basics": {"phone": "Perú"}}', 'utf16le')],
  ['has only what the site does not show', '{"awards": [{"title": "Perú"}], "volunteer": []}'],
  ['is as deep as any', `{"references": ${'['.repeat(47)}${']'.repeat(47)}}`],
])('a résumé that %s is taken', async (_, text) => {
  const dataDir = await sampleFolder()
  const file = join(dataDir, 'cv.json')
  await writeFile(file, text)
  const { code } = await importFile(readConfig({ DATA_DIR: dataDir }), file, now)
  expect(code).toBe(0)
  const { db } = await openForTest({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  const said = typeof text === 'string' ? text : text.toString('utf16le')
  expect(await whole(db)).toMatchObject(JSON.parse(said.replace('\ufeff', '')) as Resume)
})

test('a picture that is written into the file is left out and named, and the rest is taken', async () => {
  const dataDir = await sampleFolder()
  const file = join(dataDir, 'cv.json')
  const basics = { phone: '1', image: `data:image/png;base64,${'A'.repeat(90_000)}` }
  await writeFile(file, JSON.stringify({ basics, projects: [{ name: 'Nuevo' }] }))
  const { code, lines } = await importFile(readConfig({ DATA_DIR: dataDir }), file, now)
  expect({ code, said: lines.at(-1) }).toEqual({ code: 0, said: importTexts.pictureLeft })
  const { db } = await openForTest({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  expect((await listEntries(db, project)).at(-1)?.fields['name']).toBe('Nuevo')
  const { image } = (await readSite(db)).person.fields
  expect(await whole(db)).toMatchObject({ basics: { phone: '1', image: `${publicUrl}${image}` } })
})

test('the command says what it did and ends with 0; without a file that can be read it ends with 1', async () => {
  const dataDir = await sampleFolder()
  const folder = await freshFolder()
  const file = join(folder, 'cv.json')
  await writeFile(file, JSON.stringify({ projects: [{ name: 'Nuevo' }] }))
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = runToEnd(
      process.execPath,
      [serverEntry('cli'), 'import', ...words],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir } },
    )
    return { status, out: stdout.trimEnd(), err: stderr.trimEnd() }
  }
  const out = fill(cliTexts.imported, { name: 'cv.json', added: 1, combined: 0, left: 0 })
  expect(run(file)).toEqual({ status: 0, out, err: '' })
  expect(run(join(folder, 'nada.json')).status).toBe(1)
  expect(run().status).toBe(2)
  expect(run(file, '--contact', 'mail').status).toBe(2)
})
