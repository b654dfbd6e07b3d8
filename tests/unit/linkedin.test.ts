import { buffer } from 'node:stream/consumers'
import { Inflate, strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import type { FieldValues } from '#contract/fields.ts'
import { readBasics } from '#contract/resume/basics.ts'
import { effectOf } from '#contract/resume/decisions.ts'
import { partsOf } from '#contract/resume/kept.ts'
import { linkedInResume } from '#contract/resume/linkedin.ts'
import { readResume, type Resume } from '#contract/resume/resume.ts'
import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { presetSides, proposalsOf, type Shown } from '#contract/resume/proposals.ts'
import { FileRefused, readFile, type Progress } from '#client/owner/import/read-file.ts'
import { growsLinearly, type Work } from '#tests/support/linear.ts'
import { linkedInTables, linkedInZip } from '#tests/support/linkedin.ts'
import { exampleResumes, schemaErrors, taken } from '#tests/support/resumes.ts'

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
  const parts: Progress[] = []
  const found = await readFile(new File([linkedInZip()], 'copia.zip'), {
    ...reading,
    onPart: (progress) => parts.push(progress),
  })
  expect(found).toMatchObject({ source: 'linkedIn', files: 10, damaged: [] })
  expect(parts).toHaveLength(10)
  expect(parts[3]).toMatchObject({ files: 10, counts: { 'profile.csv': 1 } })
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

test('several pages in one pair of brackets are found too, with the commas of their addresses', async () => {
  const cells =
    '"[ana,@otra]","[COMPANY:https://ana.example/a,b?c=1,2, BLOG:blog.example,https://x.example]"'
  const table = `First Name,Last Name,Twitter Handles,Websites\nAna,Ejemplo,${cells}\n`
  const { resume } = await read(zipSync({ 'Profile.csv': strToU8(table) }))
  expect(readBasics(resume['basics']).settings.profile_urls?.split('\n')).toEqual([
    'https://ana.example/a,b?c=1,2',
    'https://blog.example',
    'https://x.example',
    'https://x.com/ana',
    'https://x.com/otra',
  ])
})

test('dates in words that are not known stay as they are written, and what ended does not go on', async () => {
  const { resume } = await read(
    linkedInZip({
      'Positions.csv': `Company Name,Title,Description,Location,Started On,Finished On
Taller,Docente,,,Mar 2014,fins 2016
Radio,Locutora,,,primavera de 2017,
Diario,Cronista,,,,fins 2013
Estudio,Dibujo,,,Ene 2020,Present
`,
      'Certifications.csv': `Name,Url,Authority,Started On,Finished On,License Number
Norma,,,mars 2021,mars 2024,
`,
      'Volunteering.csv': `Company Name,Role,Cause,Started On,Finished On,Description
Huerta,Riego,,otoño de 2018,Dic 2020,
`,
    }),
  )
  expect(schemaErrors(resume)).toEqual([])
  const proposals = proposalsOf(readResume(resume), empty)
  expect(proposals.map(({ values }) => [values['name'], values['duration']])).toEqual([
    ['Taller', 'Marzo 2014 – fins 2016'],
    ['Radio', 'Primavera de 2017 – actualidad'],
    ['Diario', 'Hasta fins 2013'],
    ['Estudio', 'Enero 2020 – actualidad'],
    ['Norma', 'Mars 2021'],
  ])
  expect(JSON.stringify(resume['certificates'])).toContain('mars 2024')
  expect(JSON.stringify(resume['volunteer'])).toContain('Otoño de 2018 – diciembre 2020')
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

test('names of other words, scripts and signs are not taken for one', () => {
  const names = 'は ば ぱ कि कु Peña Pena ❤ ★ 🎨 🚀 C C++ C#'.split(' ')
  const alike = ['PENA', 'Pená', 'C.', 'c']
  const keywords = [...names, ...alike].map((name) => ({ name }))
  const proposals = proposalsOf(readResume({ skills: keywords }), empty)
  expect(proposals.map(({ values }) => values['name'])).toEqual(names)
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

test('a ZIP in the format for large ones is read', async () => {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(linkedInTables)) {
    zip.addBuffer(Buffer.from(text), name, { forceZip64Format: true })
  }
  zip.end({ forceZip64Format: true, comment: '' })
  const found = await read(await buffer(zip.outputStream))
  expect(found).toMatchObject({ files: 10, damaged: [] })
  expect(found.resume).toEqual((await read(linkedInZip())).resume)
})

test.each(['utf16le', 'utf16be'])('a résumé in %s with its mark is read', async (encoding) => {
  const bytes = Buffer.from('\ufeff{"basics": {"name": "José Ñandú"}}', 'utf16le')
  const { resume } = await read(encoding === 'utf16le' ? bytes : bytes.swap16())
  expect(resume).toEqual({ basics: { name: 'José Ñandú' } })
})

test('a table of more columns than any has is damaged, and found so in proportion to its length', async () => {
  // Programs that give each column a name of its own look for a free one again and again.
  const table = (pairs: number) =>
    ['Name', ...Array.from({ length: pairs }, (_, i) => `a_${i},a`), '\nTypeScript\n'].join(',')
  const zip = (pairs: number) => linkedInZip({ ...linkedInTables, 'Skills.csv': table(pairs) })
  const { damaged } = await read(zip(4000))
  expect(damaged).toEqual([expect.stringMatching(/^skills\.csv$/i)])
  const reads = (pairs: number) => {
    const bytes = zip(pairs)
    return async () => void (await read(bytes))
  }
  expect(await growsLinearly({ none: reads(0), short: reads(1000), long: reads(4000) })).toBe(true)
})

const columnsOf = (table = '') => (table.split('\n')[0] ?? '').toLowerCase().split(',')

test.each([',', ' ', ', ', '[', ']', '[,', 'a:', 'a,', ',a:', '@', '1', 'mar. '])(
  'cells of «%s» alone, in brackets or without, are read in proportion to their length',
  async (piece) => {
    const reads = (length: number, around: (cell: string) => string) => {
      const cell = around(piece.repeat(length / piece.length))
      const tables = Object.fromEntries(
        Object.entries(linkedInTables).map(([name, table]) => [
          name.toLowerCase(),
          [Object.fromEntries(columnsOf(table).map((column) => [column, cell]))],
        ]),
      )
      return () => void linkedInResume(tables)
    }
    for (const around of [(cell: string) => cell, (cell: string) => `[a,${cell}]`]) {
      const [none, short, long] = [0, 1500, 6000].map((length) => reads(length, around))
      expect(await growsLinearly({ none, short, long } as Work)).toBe(true)
    }
  },
)

test('of two columns with one title the first counts', async () => {
  const skills = 'Name,name \nTypeScript,Otra cosa\n'
  const { resume } = await read(linkedInZip({ ...linkedInTables, 'Skills.csv': skills }))
  expect(resume).toMatchObject({ skills: [{ name: 'TypeScript' }] })
})

test('a table of more lines than any has is damaged, too', async () => {
  const lines = (count: number) => `Name\n${'a\n'.repeat(count)}`
  const skills = (count: number) => linkedInZip({ ...linkedInTables, 'Skills.csv': lines(count) })
  expect((await read(skills(2000))).damaged).toEqual([])
  expect((await read(skills(20_000))).damaged).toHaveLength(1)
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
/** The ZIP with each entry of its list rewritten, by where it begins. */
function relisted(zip: Uint8Array, rewrite: (view: DataView, at: number) => void): Uint8Array {
  const view = new DataView(Uint8Array.from(zip).buffer)
  for (let at = 0; at < view.byteLength - 4; at += 1) {
    if (view.getUint32(at, true) === 0x02014b50) rewrite(view, at)
  }
  return new Uint8Array(view.buffer)
}
const encrypted = (zip: Uint8Array) =>
  relisted(zip, (view, at) => {
    const isFolder = view.getUint32(at + 24, true) === 0
    view.setUint16(at + 8, view.getUint16(at + 8, true) | (isFolder ? 0 : 1), true)
  })
const stating = (size: number, zip: Uint8Array) =>
  relisted(zip, (view, at) => view.setUint32(at + 24, size, true))

const refused: readonly (readonly [string, () => string | Uint8Array, string])[] = [
  ['another ZIP', () => zipOf({ 'foto.jpg': 'x' }), importTexts.notLinkedInHint],
  ['an encrypted one', () => encrypted(linkedInZip()), importTexts.encryptedHint],
  [
    'an encrypted one that begins with a folder',
    () => encrypted(zipOf({ 'copia/': '', ...linkedInTables })),
    importTexts.encryptedHint,
  ],
  ['one cut short', () => Uint8Array.from(linkedInZip()).subarray(0, 900), importTexts.cutOffHint],
  [
    'one of which nothing can be read',
    () => zipOf({ 'Profile.csv': new Uint8Array([0xff, 0xfe, 0]) }),
    importTexts.cutOffHint,
  ],
  [
    'one that would fill the memory',
    () => zipOf({ 'Profile.csv': new Uint8Array(21_000_000) }),
    '2 MB',
  ],
  [
    'one whose table is made of quotes, each of which has to be looked at',
    () => zipOf({ 'Profile.csv': '"'.repeat(18_000_000) }),
    '2 MB',
  ],
  [
    'one that names a table again and again',
    () =>
      zipOf(
        Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((at) => [`${at}/Profile.csv`, new Uint8Array(600_000)]),
        ),
      ),
    '2 MB',
  ],
  [
    'one whose tables are smaller than they say',
    () => stating(90, zipOf({ 'Profile.csv': 'First Name\nLucía\n' })),
    importTexts.cutOffHint,
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
    'a résumé in the letters of before UTF-8',
    () => Buffer.from('{"basics": {"name": "José"}}', 'latin1'),
    importTexts.notUtf8Hint,
  ],
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

test('what is read of a résumé is kept whatever she decides, or its file refused at once', async () => {
  const projectOf = (letters: number) => ({ name: 'n'.repeat(40), note: 'x'.repeat(letters) })
  const isRead = (letters: number) =>
    read(JSON.stringify({ projects: [projectOf(letters)] })).then(
      () => true,
      () => false,
    )
  let [fits, over] = [20_000, 24_000]
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (await isRead(middle)) fits = middle
    else over = middle
  }
  const { kept } = taken(readResume({ projects: [projectOf(fits)] }))
  // Its name is too long, so that it waits as a draft.
  expect(kept.items).toMatchObject([{ isWaiting: true }])
  expect(partsOf(kept)).toHaveLength(1)
})

test('a picture that is written into a résumé is left out where it is too large to keep, and nothing else is', async () => {
  const said = { name: 'Lucía Ejemplo', label: 'Diseñadora', phone: '1' }
  const picture = (letters: number) => `data:image/jpeg;base64,${'A'.repeat(letters)}`
  const file = (basics: object, awards: readonly string[] = ['Premio']) =>
    JSON.stringify({ basics, awards, work: [{ name: 'Nube' }] })
  const { resume, isPictureLeft } = await read(file({ ...said, image: picture(900_000) }))
  expect(isPictureLeft).toBe(true)
  expect(resume).toEqual(JSON.parse(file(said)))
  // A small one travels with the rest.
  const small = file({ ...said, image: picture(3_000) })
  expect(await read(small)).toMatchObject({
    isPictureLeft: false,
    resume: JSON.parse(small) as Resume,
  })
  const why = await whyNot(file({ image: picture(900_000) }, ['x'.repeat(60_000)]))
  expect(why).toContain(importTexts.tooLargeItem)
})

test.each([
  ['PK\u0003\u0004', '100 MB', 100_000_001],
  ['%PDF-1.7', '20 MB', 20_000_001],
])('a file that begins with %j is refused unread from %s on', async (start, limit, size) => {
  const file = Object.defineProperty(new File([start], 'copia'), 'size', { value: size })
  const arrayBuffer = vi.spyOn(file, 'arrayBuffer')
  const words = new RegExp(`${limit}\\D+${limit}`)
  await expect(readFile(file, reading)).rejects.toMatchObject({
    message: fill(importTexts.tooLarge, { name: 'copia' }),
    hint: expect.stringMatching(words) as string,
  })
  const { hint } = (await readFile(file, reading).catch((error: unknown) => error)) as FileRefused
  // Only a copy of LinkedIn's can be had without its files.
  expect(hint.includes('LinkedIn')).toBe(start.startsWith('PK'))
  expect(arrayBuffer).not.toHaveBeenCalled()
})

/** What is four pieces when it is packed. */
const noise = () =>
  strToU8(Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))).toString('hex'))

test('of what becomes more than its entry says, no more than one piece is unpacked', async () => {
  const unpack = vi.spyOn(Inflate.prototype, 'push')
  onTestFinished(() => unpack.mockRestore())
  const zip = zipOf({ ...linkedInTables, 'Skills.csv': noise() })
  const found = await read(
    relisted(zip, (view, at) => {
      if (view.getUint32(at + 24, true) === noise().length) view.setUint32(at + 24, 100, true)
    }),
  )
  expect(found.damaged).toEqual(['Skills.csv'])
  expect(found.resume['work']).toHaveLength(3)
  // One for each table: those of the others are smaller than a piece.
  expect(unpack).toHaveBeenCalledTimes(10)
})

test('a table of several pieces is read whole', async () => {
  const names = Array.from({ length: 5000 }, () => crypto.randomUUID())
  const tables = { ...linkedInTables, 'Skills.csv': ['Name', ...names].join('\n') }
  const { resume, damaged } = await read(zipOf(tables))
  expect(damaged).toEqual([])
  expect(resume['skills']).toEqual(names.map((name) => ({ name })))
})

test('reading ends where it is told to, also within a table', async () => {
  const stop = new AbortController()
  const unpack = vi.spyOn(Inflate.prototype, 'push').mockImplementation(() => stop.abort())
  onTestFinished(() => unpack.mockRestore())
  const file = new File([zipOf({ 'Profile.csv': noise() })], 'copia.zip')
  await expect(readFile(file, { ...reading, signal: stop.signal })).rejects.toHaveProperty(
    'name',
    'AbortError',
  )
  expect(unpack).toHaveBeenCalledOnce()
})

test("a copy of LinkedIn's of which a part is too large to keep is refused, not cut", async () => {
  const item = (n: number, letters: number) =>
    `Causa ${n},Ayudante,Salud,Jan 2020,Feb 2021,${'a'.repeat(letters)}`
  const zip = (lines: readonly string[]) => {
    const volunteer = ['Company Name,Role,Cause,Started On,Finished On,Description', ...lines]
    return zipOf({ ...linkedInTables, 'Volunteering.csv': volunteer.join('\n') })
  }
  const lines = Array.from({ length: 20 }, (_, n) => item(n, 1500))
  // Together they are too large for one call, and travel in several.
  expect((await read(zip(lines))).resume['volunteer']).toHaveLength(20)
  const why = await whyNot(zip([...lines, item(20, 30_000)]), 'copia.zip')
  expect(why).toContain(importTexts.tooLargeItem)
})

test('what is cut off within a text is read in proportion to its length', async () => {
  const cut = (pairs: number) => async () => void (await whyNot(`{"${'\\"'.repeat(pairs)}`))
  expect(await growsLinearly({ none: cut(0), short: cut(8_000), long: cut(32_000) })).toBe(true)
})

test('on an empty site each proposal is counted as its row has it, the profile too', async () => {
  const proposals = proposalsOf(readResume((await read(linkedInZip())).resume), empty)
  const fitting = proposals.filter(({ isDraft }) => !isDraft)
  const counted = fitting.map((one) => [
    one.key,
    effectOf(one, { choice: one.preset, sides: presetSides(one) }),
  ])
  expect(counted[0]).toEqual(['profile', 'add'])
  expect(counted).toEqual(fitting.map(({ key, preset }) => [key, preset]))
})

test('the same entries are found among those of the site in proportion to their number', async () => {
  const work = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => ({ name: `Casa ${i}`, summary: 'Algo.' }))
    const found = readResume({ work: lines })
    const made = proposalsOf(found, empty).map(({ values }, i) => ({ id: `${i}`, fields: values }))
    const before = { drafts: () => [], made: () => made }
    const entries = () => made.map((one) => ({ ...one, version: 1 }))
    return () => {
      const proposals = proposalsOf(found, { ...empty, entries, before })
      expect(proposals.filter(({ preset }) => preset === 'leave')).toHaveLength(count)
    }
  }
  expect(await growsLinearly({ none: work(0), short: work(200), long: work(800) })).toBe(true)
})
