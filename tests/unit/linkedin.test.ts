import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { FieldValues } from '#contract/fields.ts'
import { readBasics } from '#contract/resume/basics.ts'
import { readResume, type Resume } from '#contract/resume/resume.ts'
import { importTexts } from '#contract/texts/import.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { presetSides, proposalsOf, type Shown } from '#contract/resume/proposals.ts'
import { FileRefused, readFile } from '#client/owner/import/read-file.ts'
import { growsLinearly } from '#tests/support/linear.ts'
import { linkedInTables, linkedInZip } from '#tests/support/linkedin.ts'
import { exampleResumes, schemaErrors } from '#tests/support/resumes.ts'

const reading = { signal: new AbortController().signal, onPart: () => undefined }
const read = (bytes: string | Uint8Array, name = 'un archivo') =>
  readFile(new File([bytes as BlobPart], name), reading)
const whyNot = async (bytes: string | Uint8Array, name?: string) => {
  const error: unknown = await read(bytes, name).catch((cause: unknown) => cause)
  if (!(error instanceof FileRefused)) throw new Error('it was read', { cause: error })
  return `${error.message}. ${error.hint}`
}
const empty: Shown = {
  person: { version: 1, fields: { name: '', lastname: '', title: '', description: '', image: '' } },
  settings: defaultSettings,
  entries: () => [],
}

test("all ten files of LinkedIn's copy become one valid résumé", async () => {
  const parts: string[] = []
  const found = await readFile(new File([linkedInZip()], 'copia.zip'), {
    ...reading,
    onPart: (part) => parts.push(part),
  })
  expect(found).toMatchObject({ source: 'linkedIn', files: 10, damaged: [] })
  expect(parts).toHaveLength(10)
  expect(schemaErrors(found.resume)).toEqual([])
  expect(found.resume).toEqual({
    basics: {
      name: 'Lucía Ejemplo Prueba',
      label: 'Líder técnica',
      summary: 'Hago productos web.\nCon «comillas», "dobles" y comas, muchas.',
      email: 'lucia.prueba@example.com',
      phone: '+598 99 000 000 ext. 12',
      location: { city: 'Montevideo' },
      profiles: [
        { network: 'lucia.example', url: 'https://lucia.example/' },
        { network: 'obra.example', url: 'https://obra.example/lucia' },
        { network: 'Twitter', username: 'lucia_prueba', url: 'https://x.com/lucia_prueba' },
      ],
      'x-tintero': { surname: 'Ejemplo Prueba' },
    },
    work: [
      {
        name: 'Nube Ficticia',
        position: 'Líder técnica',
        summary: 'Lidero un equipo de cuatro personas.\nMigramos el panel a React, "sin parar".',
        location: 'Remoto',
        startDate: '2024-03',
      },
      {
        name: 'Taller Prueba',
        position: 'Docente',
        summary: 'Material, clases y seguimiento.',
        location: 'Montevideo',
        startDate: '2014-08',
        endDate: '2016-02',
      },
      {
        name: 'Taller Prueba',
        position: 'Coordinadora',
        summary: 'Coordinación del equipo docente.',
        startDate: '2016-03',
        endDate: '2017',
      },
    ],
    education: [
      {
        institution: 'Universidad Inventada',
        area: 'Ingeniería en Computación',
        courses: ['Promedio 9, con honores', 'Coro, radio'],
        startDate: '2012',
        endDate: '2016',
      },
      { institution: 'Instituto Sin Título', area: 'Instituto Sin Título', startDate: '2010' },
    ],
    projects: [
      {
        name: 'Turnero simple',
        description: 'Agenda de turnos.',
        url: 'https://example.com/turnero',
        startDate: '2025-10',
        endDate: '2025-10',
      },
      expect.objectContaining({ name: 'Mapa de bibliotecas populares de la región' }),
    ],
    skills: [
      { name: 'TypeScript' },
      { name: 'PostgreSQL' },
      { name: 'typescript' },
      { name: 'C++, moderno' },
    ],
    certificates: [
      {
        name: 'Accesibilidad web',
        issuer: 'Instituto Ejemplo',
        date: '2021-11',
        endDate: '2024-11',
        url: 'https://example.com/cert',
        license: 'AB-1',
      },
    ],
    languages: [
      { language: 'Español', fluency: 'Nativo o bilingüe' },
      { language: 'Inglés', fluency: 'Profesional' },
    ],
    volunteer: [
      {
        organization: 'Radio de barrio',
        position: 'Operadora',
        cause: 'Cultura',
        summary: 'Transmisión y archivo.',
        startDate: '2019-01',
        endDate: '2020-12',
      },
    ],
  })
})

test('her pages elsewhere are the further profiles of the site', async () => {
  const { resume } = await read(linkedInZip())
  const { settings } = readBasics(resume['basics'])
  expect(settings.profile_urls?.split('\n')).toEqual([
    'https://lucia.example/',
    'https://obra.example/lucia',
    'https://x.com/lucia_prueba',
  ])
})

test('what is not for everybody does not leave the file', async () => {
  const { resume } = await read(linkedInZip())
  const said = JSON.stringify(resume)
  for (const secret of ['Calle Falsa', '1000', '1996', 'Soltera', 'chat.example']) {
    expect(linkedInTables['Profile.csv']).toContain(secret)
    expect(said).not.toContain(secret)
  }
})

test('what the file says twice is proposed once, and what is too long with its whole text', async () => {
  const { resume } = await read(linkedInZip())
  const proposals = proposalsOf(readResume(resume), empty)
  const names = proposals.map(({ values }) => values['name'])
  expect(names.filter((name) => /typescript/i.test(name ?? ''))).toHaveLength(1)
  const long = proposals.find(({ values }) => values['name']?.startsWith('Mapa'))
  expect(long).toMatchObject({ isDraft: true, preset: 'add' })
  expect(long?.excess.map(({ length, limit }) => [length, limit])).toEqual([
    [42, 20],
    [131, 90],
  ])
})

test('what the site has is recognized, whatever case and accents it is written in', async () => {
  const { resume } = await read(linkedInZip())
  const fields = { name: 'TALLER  prueba', role: 'Docente', description: '', duration: '2014' }
  const entries: Shown['entries'] = ({ key }) =>
    key === 'experience' ? [{ id: '7', version: 3, fields }] : []
  const proposals = proposalsOf(readResume(resume), { ...empty, entries })
  const known = proposals.filter((proposal) => proposal.known)
  expect(known).toHaveLength(1)
  expect(known[0]).toMatchObject({ preset: 'combine', values: { role: 'Docente' } })
  expect(known[0]?.differences.map(({ name }) => name)).toEqual(['name', 'description', 'duration'])
})

/** What a file with that one project proposes to a site that has one of the same name. */
function projectBeside(here: FieldValues, there: Resume) {
  const entries: Shown['entries'] = ({ key }) =>
    key === 'proyect' ? [{ id: '7', version: 1, fields: here }] : []
  return proposalsOf(readResume({ projects: [there] }), { ...empty, entries })[0]
}

test('what is too long for the site is not taken by itself, also where the site says nothing', () => {
  const here = { name: 'Mapa', description: '', duration: '', demo: '' }
  const there = { name: 'Mapa', description: 'x'.repeat(91), url: 'https://mapa.example/' }
  const proposal = projectBeside(here, there)
  expect(proposal).toMatchObject({ preset: 'combine', excess: [{ name: 'description' }] })
  expect(proposal && presetSides(proposal)).toEqual({ description: 'here', demo: 'there' })
})

test('one whose name the site would take no more is a draft beside the one it has, and no excess of that', () => {
  const name = 'Un mapa de senderos de la costa'
  const proposal = projectBeside({ name }, { name, description: 'Breve' })
  expect(proposal).toMatchObject({ preset: 'combine', excess: [], isDraft: true })
})

test.each(exampleResumes)('%s is read from a file', async (_, resume) => {
  expect((await read(JSON.stringify(resume), 'resume.json')).resume).toEqual(resume)
})

test('a table that is damaged is named, and the others are read', async () => {
  const damaged = { ...linkedInTables, 'Skills.csv': 'Name\n"sin cerrar\nTypeScript\n' }
  const found = await read(linkedInZip(damaged))
  expect(found.damaged).toEqual([expect.stringMatching(/^skills\.csv$/i)])
  expect(found.resume).not.toHaveProperty('skills')
  expect(found.resume['work']).toHaveLength(3)
})

const zipOf = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        typeof text === 'string' ? strToU8(text) : text,
      ]),
    ),
  )
const encrypted = (): Uint8Array => {
  const bytes = Uint8Array.from(linkedInZip())
  bytes[6] = (bytes[6] ?? 0) | 1
  return bytes
}

const refused: readonly (readonly [string, () => string | Uint8Array, string])[] = [
  ['another ZIP', () => zipOf({ 'foto.jpg': 'x' }), importTexts.notLinkedInHint],
  ['an encrypted one', encrypted, importTexts.encryptedHint],
  ['one cut short', () => Uint8Array.from(linkedInZip()).subarray(0, 900), importTexts.cutOffHint],
  [
    'one of which nothing can be read',
    () => zipOf({ 'Profile.csv': new Uint8Array([0xff, 0xfe, 0]) }),
    importTexts.cutOffHint,
  ],
  [
    'one that would fill the memory',
    () => zipOf({ 'Profile.csv': new Uint8Array(21_000_000) }),
    '20 MB',
  ],
  [
    'one that names a table again and again',
    () =>
      zipOf(
        Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((at) => [`${at}/Profile.csv`, new Uint8Array(6_000_000)]),
        ),
      ),
    '20 MB',
  ],
  ['a résumé cut short', () => '{\n"basics": {\n"name": "Lu', 'línea 3'],
  ['JSON that is no résumé', () => '{"name": "Lucía"}', importTexts.notResumeHint],
  ['JSON that is none', () => '{"basics": nada}', importTexts.notResumeHint],
  ['a list', () => '[1]', importTexts.notResumeHint],
  ['a PDF', () => '%PDF-1.7\n…', importTexts.pdfHint],
  [
    'a picture',
    () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]),
    importTexts.unknownHint,
  ],
  ['nothing', () => '', importTexts.unknownHint],
  [
    'a résumé of more than 5 MB',
    () => `{"basics": {"summary": "${'a'.repeat(5_100_000)}"}}`,
    '5 MB',
  ],
  [
    'one with a text too large to keep',
    () => `{"awards": ["${'a'.repeat(60_000)}"]}`,
    importTexts.tooLargeItem,
  ],
  [
    'one that is too deep',
    () => `{"awards": ${'['.repeat(9000)}${']'.repeat(9000)}}`,
    importTexts.tooLargeItem,
  ],
]

test.each(refused)('%s is refused in words', async (_, bytes, hint) => {
  const words = await whyNot(bytes(), 'copia.zip')
  expect(words).toContain('copia.zip')
  expect(words).toContain(hint)
})

test("a copy of LinkedIn's of which a part is too large to keep is refused, not cut", async () => {
  const item = (n: number) => `Causa ${n},Ayudante,Salud,Jan 2020,Feb 2021,${'a'.repeat(1500)}`
  const lines = Array.from({ length: 20 }, (_, n) => item(n))
  const volunteer = ['Company Name,Role,Cause,Started On,Finished On,Description', ...lines]
  const tables = { ...linkedInTables, 'Volunteering.csv': volunteer.join('\n') }
  const why = await whyNot(zipOf(tables), 'copia.zip')
  expect(why).toContain(importTexts.tooLargeItem)
})

test('what is cut off within a text is read in proportion to its length', async () => {
  const cut = (pairs: number) => async () => void (await whyNot(`{"${'\\"'.repeat(pairs)}`))
  expect(await growsLinearly({ none: cut(0), short: cut(8_000), long: cut(32_000) })).toBe(true)
})
