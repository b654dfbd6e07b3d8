import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SiteData } from '#contract/api.ts'
import type { ShownEntries } from '#contract/pages.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { resumeOf } from '#contract/resume/resume.ts'
import { sample } from '#contract/sample.ts'
import { sections } from '#contract/sections/index.ts'
import { importTexts } from '#contract/texts/import.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { storeAnswer } from '#server/edge/stored-answer.ts'
import { cvContent, type LinkedText } from '#server/resume/cv-content.ts'
import { createCvPdf, squarePhoto } from '#server/resume/cv-pdf.ts'
import { FileRefused, readFile as readFileOf } from '#client/owner/import/read-file.ts'
import { openApp } from '#tests/support/app.ts'
import { emptySiteData, startListener, startSite } from '#tests/support/listener.ts'
import { growsLinearly } from '#tests/support/linear.ts'
import { pdfUaFaults } from '#tests/support/pdf-ua.ts'
import { canReadPdf, hasProgram } from '#tests/support/system-package.ts'

/* Read back with the tools of poppler, which know nothing of what drew it. */

const publicUrl = 'https://lucia.example'
const date = new Date('2026-11-22T00:00:00Z')
const photo = '/sample/perfil.640x800.svg'
const photoFile = storeAnswer({
  status: 200,
  headers: [],
  body: await readFile(`public${photo}`),
  compressible: false,
})
const log = vi.fn<(event: string) => void>()
const drawCv = createCvPdf({
  images: { open: async () => undefined },
  statics: { find: (path) => (path === photo ? photoFile : undefined) },
  publicUrl,
  log,
})
const draw = (site: SiteData) =>
  drawCv?.(site, date) ?? Promise.reject(new Error('pdfkit is not installed'))

const sampleSite: SiteData = {
  ...emptySiteData({ ...sample.person }),
  settings: { ...defaultSettings, ...sample.settings },
  entries: Object.fromEntries(
    sections.map(({ key }) => [
      key,
      (sample.entries[key] ?? []).map((fields, i) => ({ id: `${key}-${i}`, version: 1, fields })),
    ]),
  ),
}

const canRead = canReadPdf()
if (!canRead) process.stderr.write('SKIPPED: the PDF is not read back, there is no pdftotext.\n')

// Older ones do not write out what a page paints.
const canCheck = hasProgram(['qpdf', '--help=--json-stream-data'], 'qpdf')
if (!canCheck) process.stderr.write('SKIPPED: PDF/UA is not checked, there is no qpdf 11.\n')

const folder = await mkdtemp(join(tmpdir(), 'tintero-cv-'))
afterAll(() => rm(folder, { recursive: true }))
const file = join(folder, 'cv.pdf')
beforeAll(async () => writeFile(file, await draw(sampleSite)))

async function fileOf(site: SiteData): Promise<string> {
  const path = join(folder, 'other.pdf')
  await writeFile(path, await draw(site))
  return path
}

const run = (tool: string, ...args: readonly string[]) =>
  execFileSync(tool, args, { encoding: 'utf8' })
const words = (text: string) => text.replace(/\s+/g, ' ').trim()
const textOf = (path: string, ...options: readonly string[]) =>
  words(run('pdftotext', ...options, path, '-'))
const person = (fields: Readonly<Record<string, string>>): SiteData =>
  emptySiteData({ name: 'Ana', lastname: 'Paz', ...fields })

test('the CV of the sample weighs at most 60 kB and is the same to the byte when it is drawn again', async () => {
  const bytes = await readFile(file)
  expect(bytes.length).toBeLessThanOrEqual(60_000)
  expect(bytes.equals(await draw(sampleSite))).toBe(true)
  expect(log).not.toHaveBeenCalled()
})

test.skipIf(!canRead)('it is tagged, Spanish, titled, and one or two pages long', async () => {
  const facts = run('pdfinfo', file)
  expect(facts).toMatch(/^Title: +CV · Lucía Ejemplo$/m)
  expect(facts).toMatch(/^Tagged: +yes$/m)
  expect(facts).toMatch(/^Pages: +[12]$/m)
  expect(facts).toMatch(/^Page size: .*A4/m)
  const raw = await readFile(file, 'latin1')
  expect(raw).toContain('/Lang (es)')
  expect(raw).toContain('/DisplayDocTitle true')
  expect(raw).toContain('<pdfuaid:part>1</pdfuaid:part>')
})

const strange = 'Привет 日本 👩🏽‍🚀 😀'
const long: SiteData = {
  ...person({ description: 'Texto largo. '.repeat(600) }),
  entries: {
    proyect: Array.from({ length: 60 }, (_, i) => ({
      id: `${i}`,
      version: 1,
      fields: {
        name: `Proyecto ${i}`,
        duration: '2020',
        url: `https://example.com/${'x'.repeat(300)}`,
      },
    })),
  },
}
const sites: readonly (readonly [string, SiteData])[] = [
  ['the sample', sampleSite],
  [
    'letters that no font has',
    person({ lastname: strange, title: strange, description: `aЖb ${strange}` }),
  ],
  ['no name', person({ name: '', lastname: '' })],
  ['many pages', long],
]

test.skipIf(!canCheck).each(sites)('the CV of %s keeps the rules of PDF/UA', async (_, site) => {
  expect(pdfUaFaults(await fileOf(site))).toEqual([])
})

test.skipIf(!canCheck).each([
  ['/DisplayDocTitle true', '/DisplayDocTitle null', '7.1 does not show its title'],
  ['<pdfuaid:part>1<', '<pdfuaid:part>0<', '5 does not say what it keeps'],
  ['/Lang (es)', '/Long (es)', '7.2 has no language'],
  ['/Marked true', '/Marked null', '7.1 is not tagged'],
  ['/Tabs /S', '/Tabs /R', '7.18.3 a page has no tab order'],
  ['/UF (', '/UX (', '7.11 a file has no name'],
  ['/S /H2', '/S /H3', '7.4.2 /H3 comes after a heading of level 1'],
  ['/Alt (', '/Olt (', '7.3 a figure says nothing'],
  ['/Contents (', '/Contants (', '7.18.5 a link says nothing'],
  ['/Type /OBJR', '/Type /OBJX', '7.18.5 a link is not in the tree'],
  ['/FontFile2', '/FontFileX', '7.21.4.1 a font is not embedded'],
  ['/ToUnicode', '/ToUnicodX', '7.21.7 a glyph stands for no letter'],
  ['/StructParents 0', '/StructParents 9', '7.1 mark 0 belongs to nothing'],
])('what stands in «%s» is looked at', async (kept, broken, fault) => {
  const bytes = await readFile(file, 'latin1')
  expect(bytes).toContain(kept)
  const path = join(folder, 'broken.pdf')
  await writeFile(path, bytes.replaceAll(kept, broken), 'latin1')
  expect(pdfUaFaults(path)).toContain(fault)
})

test.skipIf(!canRead)(
  'its structure says what is a heading, a paragraph, a link and a picture',
  () => {
    const tree = run('pdfinfo', '-struct-text', file)
    const headings = [...tree.matchAll(/^ *(H\d)\b.*\n +"(.+?)"/gm)].map(([, level, text]) => [
      level,
      text?.trim(),
    ])
    expect(headings.slice(0, 3)).toEqual([
      ['H1', 'Lucía Ejemplo'],
      ['H2', 'Experiencia'],
      ['H3', 'Nube Ficticia'],
    ])
    expect(headings.filter(([level]) => level === 'H2').map(([, text]) => text)).toEqual([
      'Experiencia',
      'Proyectos',
      'Educación',
      'Habilidades',
    ])
    expect(tree).toMatch(/^ *Figure/m)
    expect(tree).toMatch(/^ *Link[^\n]*\n[^"]*"lucia@example\.com/m)
    const urls = run('pdfinfo', '-url', file)
    for (const url of ['mailto:lucia@example.com', 'https://example.com/mareas']) {
      expect(urls).toContain(url)
    }
  },
)

test.skipIf(!canRead).each([['as it is laid out'], ['as it is written', '-raw']])(
  'its text comes out in reading order, %s',
  (_, ...options) => {
    const text = textOf(file, ...options)
    const inOrder = [
      'Lucía Ejemplo',
      'Desarrolladora full stack',
      'Diseño y construyo',
      'Experiencia',
      'Nube Ficticia',
      'Marzo 2024 – actual',
      'Lidero un equipo',
      'Cooperativa Muestra',
      'Proyectos',
      'Mareas',
      'Pronóstico de mareas',
      'Educación',
      'Licenciatura en Sistemas',
      'Habilidades',
      'TypeScript · React · Node.js',
    ]
    const places = inOrder.map((part) => text.indexOf(part))
    expect(places.filter((place) => place < 0)).toEqual([])
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  },
)

/** All that the CV says, as one text. */
function sayingsOf(site: SiteData): string {
  const { name, headline, ways, summary, parts } = cvContent(site)
  const chain = (pieces: readonly LinkedText[]) => pieces.map(({ text }) => text).join(' · ')
  const said = parts.flatMap(({ title, names, entries }) => [
    title,
    names.join(' · '),
    ...entries.flatMap((entry) => [
      entry.title,
      entry.duration,
      entry.underTitle,
      ...entry.body,
      chain(entry.links),
    ]),
  ])
  return words([name, headline, chain(ways), ...summary, ...said].join(' '))
}

const brief = (fields: Readonly<Record<string, string>>) => ({ id: '', version: 1, fields })
// No line of it reaches below what might stand at the right edge.
const briefSite: SiteData = {
  ...person({}),
  entries: {
    experience: [
      brief({ name: 'Taller', role: 'Líder', duration: '2019', description: 'Pedidos.' }),
      brief({ name: 'Nombre muy largo '.repeat(5), duration: 'Enero 2021', description: 'Uno.' }),
    ],
    education: [
      brief({ name: 'Diseño', duration: '2012 – 2016', description: 'Dos.' }),
      brief({ name: '', duration: '2011', description: 'Tres.' }),
      brief({ name: 'Artes', duration: 'un rato que no cabe en un renglón '.repeat(5) }),
    ],
  },
}

test.skipIf(!canRead).each([
  ['the sample', sampleSite],
  ['few words', briefSite],
])('the whole text of %s is read in order, also by what looks for columns', async (_, site) => {
  const path = await fileOf(site)
  expect(textOf(path)).toBe(sayingsOf(site))
  expect(textOf(path, '-raw')).toBe(sayingsOf(site))
})

test.skipIf(!canRead)("it is set in the site's fonts, and shows her picture", () => {
  const fonts = run('pdffonts', file)
  expect(fonts).toContain('InstrumentSans')
  expect(fonts).toContain('GeistMono')
  // Each of them embedded, and with the letters it stands for.
  const rows = fonts.trim().split('\n').slice(2)
  expect(rows.filter((row) => !/ yes yes yes /.test(row))).toEqual([])
  expect(run('pdfimages', '-list', file)).toContain('jpeg')
})

test.skipIf(!canRead)('its data travel in it', async () => {
  run('pdfdetach', '-save', '1', '-o', join(folder, 'resume.json'), file)
  const attached: unknown = JSON.parse(await readFile(join(folder, 'resume.json'), 'utf8'))
  expect(attached).toEqual(resumeOf(sampleSite, { publicUrl }))
})

test.skipIf(!canRead)('what is typed is data, and nothing of it is lost', async () => {
  const title = 'Ñandú & <b>«Ćwiek» \\(paz) %s'
  const description = `${'palabra '.repeat(300)}fin\n${'x'.repeat(400)}\n日本 😀 Привет`
  const path = await fileOf(person({ title, description }))
  const text = textOf(path)
  expect(text).toContain(title)
  expect(text.match(/palabra/g)).toHaveLength(300)
  expect(text.replace(/\s/g, '')).toContain('x'.repeat(400))
  const facts = run('pdfinfo', '-meta', path)
  expect(facts).toContain('CV · Ana Paz')
  expect(() => run('pdfinfo', path)).not.toThrow()
})

test.skipIf(!canRead)('letters that no font has are read as themselves', async () => {
  const path = await fileOf(person({ title: strange, description: '' }))
  expect(textOf(path, '-raw')).toContain(strange)
})

test.skipIf(!canRead || !canCheck).each([
  ['Привет, Nguyễn', 'Привет, Nguyễn'],
  ['Ana 日本語 Paz', 'Ana … Paz'],
  ['Ana Ωμέγα سلام Paz', 'Ana … … Paz'],
  ['Ana 👩🏽‍🚀 Paz ★', 'Ana Paz'],
  ['An\u200da', 'Ana'],
])('«%s» is on paper without boxes', async (title, seen) => {
  const path = await fileOf(person({ title, description: '' }))
  const open = join(folder, 'open.pdf')
  run('qpdf', '--qdf', '--object-streams=disable', path, open)
  const content = await readFile(open, 'latin1')
  // What is read in place of what is drawn.
  await writeFile(open, content.replaceAll('/ActualText', '/ActualTexx'), 'latin1')
  expect(textOf(open)).toBe(`Ana Paz ${seen}`)
  // Boxes would be the only lines.
  expect(content).not.toMatch(/^S$/m)
})

test.skipIf(!canRead)('a name cannot break what the file says about itself', async () => {
  const path = await fileOf(person({ lastname: 'Paz & <i>Hija</i>' }))
  expect(run('pdfinfo', path)).toContain('CV · Ana Paz & <i>Hija</i>')
  expect(run('pdfinfo', '-meta', path)).toContain('Ana Paz &amp; &lt;i&gt;Hija')
})

test('a picture that cannot be read leaves the CV without one, and is told', async () => {
  await draw(person({ image: '/sample/falta.svg' }))
  const broken = createCvPdf({
    images: {
      open: async () => ({ bytes: new Uint8Array([1, 2, 3]), contentType: 'image/webp' }),
    },
    statics: { find: () => undefined },
    publicUrl,
    log,
  })
  const bytes = await broken?.(person({ image: '/media/x.webp' }), date)
  expect(bytes?.subarray(0, 5).toString()).toBe('%PDF-')
  expect(log.mock.calls.map(([event]) => event)).toEqual(['cv-without-photo'])
})

test('a picture as thin as a thread is cut before it is scaled', async () => {
  const thread = sharp({ create: { width: 1, height: 1500, channels: 3, background: '#0a7' } })
  const bytes = await thread.webp().toBuffer()
  const before = process.resourceUsage().maxRSS
  const metadata = await sharp(await squarePhoto(bytes)).metadata()
  expect(metadata).toMatchObject({ width: 296, height: 296 })
  // Scaled whole it would take 394 MB, here in kilobytes.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200_000)
})

test('a picture that stays is read and cut once, and another one shows at once', async () => {
  const picture = async (background: string) =>
    sharp({ create: { width: 300, height: 300, channels: 3, background } })
      .webp()
      .toBuffer()
  const bytes = { '/media/a.webp': await picture('#0a7'), '/media/b.webp': await picture('#70a') }
  const opened: string[] = []
  const draws = createCvPdf({
    images: {
      open: async (name) => {
        opened.push(name)
        return { bytes: bytes[`/media/${name}` as keyof typeof bytes], contentType: 'image/webp' }
      },
    },
    statics: { find: () => undefined },
    publicUrl,
    log,
  })
  const withPicture = (image: string, title: string) => draws?.(person({ image, title }), date)
  const first = await withPicture('/media/a.webp', 'Una')
  await withPicture('/media/a.webp', 'Otra')
  expect(opened).toEqual(['a.webp'])
  expect(await withPicture('/media/a.webp', 'Una')).toEqual(first)
  expect(await withPicture('/media/b.webp', 'Una')).not.toEqual(first)
  expect(opened).toEqual(['a.webp', 'b.webp'])
})

test('a drawing that failed is not tried again at once', async () => {
  const opened = vi.fn<() => Promise<undefined>>(async () => undefined)
  const failing = createCvPdf({
    images: { open: opened },
    statics: { find: () => undefined },
    publicUrl,
    log,
  })
  const site = person({ image: '/media/x.webp' })
  const never = new Date(Number.NaN)
  await expect(failing?.(site, never)).rejects.toThrow('Invalid')
  await expect(failing?.(site, date)).rejects.toThrow('Invalid')
  expect(opened).toHaveBeenCalledOnce()
})

test('a dictionary full of spaces is looked at in proportion to its length', async () => {
  const spaces = (count: number) => async () => {
    const text = `%PDF-1.7\n4 0 obj\n<< /Type/EmbeddedFile /Filter${' '.repeat(count)}x >>\nstream\r\n\nendstream`
    await brought(Buffer.from(text)).catch(() => undefined)
  }
  const work = { none: spaces(0), short: spaces(8_000), long: spaces(32_000) }
  expect(await growsLinearly(work)).toBe(true)
})

test.skipIf(!canRead)('a very long CV is drawn, and each part of it once', async () => {
  const entry = (i: number) => ({
    id: `${i}`,
    version: 1,
    fields: { name: `Proyecto ${i}`, description: 'Texto largo. '.repeat(40), duration: '2020' },
  })
  const entries = { proyect: Array.from({ length: 300 }, (_, i) => entry(i)) }
  const text = textOf(await fileOf({ ...person({}), entries }))
  const names = [...text.matchAll(/Proyecto (\d+)/g)].map(([, n]) => Number(n))
  expect(names).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i))
})

const reading = { signal: new AbortController().signal, onPart: () => undefined }
const brought = (bytes: Uint8Array) =>
  readFileOf(new File([Uint8Array.from(bytes)], 'cv.pdf'), reading)

test('dropped on another site it brings its data', async () => {
  const found = await brought(await readFile(file))
  expect(found).toMatchObject({ name: 'cv.pdf', source: 'resume', damaged: [] })
  expect(found.resume).toEqual(resumeOf(sampleSite, { publicUrl }))
})

const refusals: readonly (readonly [string, (bytes: Buffer) => Uint8Array, string])[] = [
  ['one that carries nothing', () => Buffer.from('%PDF-1.7\n%%EOF'), importTexts.pdfHint],
  [
    'one whose data are cut off',
    (bytes) => bytes.subarray(0, bytes.indexOf('/EmbeddedFile') + 200),
    importTexts.pdfHint,
  ],
  [
    'one whose data are damaged',
    (bytes) =>
      Buffer.from(bytes).fill(7, bytes.indexOf('/EmbeddedFile') + 200, bytes.length - 2000),
    importTexts.pdfHint,
  ],
  [
    'an encrypted one',
    (bytes) => Buffer.concat([bytes, Buffer.from('trailer << /Encrypt 9 0 R >>')]),
    importTexts.encryptedHint,
  ],
  [
    'one that would fill the memory',
    () => attaching(deflateSync(Buffer.alloc(50_000_000, ' '))),
    importTexts.pdfHint,
  ],
  ['one that carries another file', () => attaching(deflateSync('<x/>')), importTexts.pdfHint],
  [
    'one that carries other data',
    () => attaching(deflateSync('{"a": 1}')),
    importTexts.notResumeHint,
  ],
]
const attaching = (packed: Buffer) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n4 0 obj\n<< /Type/EmbeddedFile /Filter [/FlateDecode] >>\nstream\r\n'),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ])

test.each(refusals)('%s is refused in words', async (_, changed, hint) => {
  const error: unknown = await brought(changed(await readFile(file))).catch(
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(FileRefused)
  expect(error).toMatchObject({ hint, message: expect.stringContaining('cv.pdf') as string })
})

test('another program may have written it anew', async () => {
  const resume = { basics: { name: 'Ana' } }
  const found = await brought(attaching(deflateSync(JSON.stringify(resume))))
  expect(found.resume).toEqual(resume)
})

const render = async () => ({ status: 200, app: '', state: '' })

test('a running site draws it once per revision, under its owner’s name', async () => {
  const app = await openApp()
  await app.asOwner('PUT', 'person/update/1', { body: { name: 'Ñusta', lastname: 'Paz' } })
  const { url } = await startSite(app.services, render)
  const first = await fetch(url + cvPdfPath)
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/pdf')
  expect(first.headers.get('content-disposition')).toContain("UTF-8''CV%20%C3%91usta%20Paz.pdf")
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(url + cvPdfPath, { headers: { 'if-none-match': tag } })
  expect(again.status).toBe(304)
  await app.asOwner('PUT', 'person/update/1', { body: { title: 'Carpintera' } })
  await expect
    .poll(
      async () => (await fetch(url + cvPdfPath, { headers: { 'if-none-match': tag } })).status,
      { timeout: 20_000 },
    )
    .toBe(200)
})

test('readers that come together wait for one drawing, and later ones for none', async () => {
  const drawn = vi.fn<() => Promise<Buffer>>(async () => Buffer.from('%PDF-'))
  const { url } = await startListener({ drawCv: drawn })
  await Promise.all([fetch(url + cvPdfPath), fetch(url + cvPdfPath)])
  await fetch(url + cvPdfPath)
  expect(drawn).toHaveBeenCalledTimes(1)
})

test('where it cannot be drawn there is no such page, and no page leads to it', async () => {
  const without = await startListener({})
  expect((await fetch(without.url + cvPdfPath)).status).toBe(404)
  expect(await (await fetch(`${without.url}/about`)).text()).not.toContain('data-pdf')
  const withIt = await startListener({ drawCv: async () => Buffer.from('%PDF-') })
  expect(await (await fetch(`${withIt.url}/about`)).text()).toContain('data-pdf')
})

test('it is drawn from every entry of every section', async () => {
  const asked: ShownEntries[] = []
  const { url } = await startListener({
    readSite: async (shown) => {
      asked.push(...sections.map(shown))
      return emptySiteData()
    },
    drawCv: async () => Buffer.from('%PDF-'),
  })
  await fetch(url + cvPdfPath)
  expect(asked).toEqual(sections.map(() => 'all'))
})

test('what the site does not show is not in it', async () => {
  const entry = { id: '1', version: 1, fields: { name: 'Secreto' } }
  const shown = emptySiteData({ name: 'Lucía' }, { entries: { skill: [entry] } })
  const hidden = { ...shown, settings: { ...shown.settings, sections_hidden: 'skill' } }
  const drawn = vi.fn<(site: SiteData) => Promise<Buffer>>(async (site) =>
    Buffer.from(JSON.stringify(site.entries)),
  )
  const open = await startListener({ readSite: async () => shown, drawCv: drawn })
  expect(await (await fetch(open.url + cvPdfPath)).text()).toContain('Secreto')
  const closed = await startListener({ readSite: async () => hidden, drawCv: drawn })
  expect(await (await fetch(closed.url + cvPdfPath)).text()).not.toContain('Secreto')
})
