import fc from 'fast-check'
import { v7 as newId } from 'uuid'
import { expect, test } from 'vitest'
import type { FieldValues } from '#contract/fields.ts'
import { emptyValues } from '#contract/fields.ts'
import { maxJsonBytes } from '#contract/limits.ts'
import { personFields } from '#contract/person/person.ts'
import { linesOf } from '#contract/settings/profiles.ts'
import { parseKept, partsOf, type KeptResume } from '#contract/resume/kept.ts'
import { parseSpan, spanText } from '#contract/resume/resume-dates.ts'
import { readResume, resumeOf, type Resume } from '#contract/resume/resume.ts'
import { sample } from '#contract/sample.ts'
import { inResume } from '#contract/sections/in-resume.ts'
import { sections } from '#contract/sections/index.ts'
import { parseSetting } from '#contract/settings/kinds.ts'
import { checkValues } from '#contract/validate.ts'
import { exampleResumes, schemaErrors, taken } from '#tests/support/resumes.ts'
import { siteData } from '#tests/support/site-data.ts'

const publicUrl = 'https://lucia.example'
const again = (resume: Resume) => {
  const { site, kept } = taken(readResume(resume))
  return resumeOf(site, { publicUrl, kept: [kept] })
}

test.each(exampleResumes)('%s comes out as it went in', (_, resume) => {
  expect(schemaErrors(resume)).toEqual([])
  expect(again(resume)).toEqual(resume)
})

test('items as the format had them before 1.0 are read, and come out as they went in', () => {
  const item = {
    company: 'Taller',
    website: 'https://taller.example/',
    position: 'Dev',
    highlights: ['x'],
  }
  const resume = { work: [item], education: [{ area: 'Física', courses: ['Óptica'], gpa: '9,1' }] }
  const [work, study] = readResume(resume).items
  expect(work?.entries).toMatchObject([
    { name: 'Taller', role: 'Dev', info: 'https://taller.example/' },
  ])
  expect(study?.entries).toMatchObject([{ name: 'Física', description: 'Óptica\n9,1' }])
  expect(again(resume)).toEqual(resume)
})

test('what is changed of such an item stands under its name of today alone', () => {
  const item = { company: 'Taller', website: 'https://taller.example/', highlights: ['x'] }
  const { site, kept } = taken(readResume({ work: [item] }))
  const [entry] = site.entries['experience'] ?? []
  const renamed = entry && { ...entry, fields: { ...entry.fields, name: 'Estudio', info: '' } }
  const entries = { ...site.entries, experience: renamed ? [renamed] : [] }
  expect(resumeOf({ ...site, entries }, { publicUrl, kept: [kept] })['work']).toEqual([
    { name: 'Estudio', highlights: ['x'] },
  ])
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' ', 'a  b', '  x\r\n', 'á\u0000b', 'a\ud800', 'https://a.example/\ud800'),
)
const date = fc.constantFrom('2019', '2019-03', '2024-05-06', '1999-12', '2023-19', 'pronto')
const other = fc.dictionary(
  fc.constantFrom('location', 'highlights', 'x', 'x-tintero'),
  fc.jsonValue(),
)
const one = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.record(fields, { requiredKeys: [] }), other)
    .map(([said, rest]) => ({ ...rest, ...said }))
const list = (item: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: fc.jsonValue() }), {
    maxLength: 6,
  })
const dates = { startDate: date, endDate: date }
const link = fc.oneof(fc.webUrl(), text)
const generated = fc.record(
  {
    basics: fc.oneof(
      {
        weight: 9,
        arbitrary: one({
          name: text,
          label: text,
          summary: text,
          email: fc.oneof(fc.emailAddress(), text),
          image: text,
          phone: text,
          location: fc.oneof(
            fc.record({ city: text, region: text }, { requiredKeys: [] }),
            fc.jsonValue(),
          ),
          profiles: list(
            one({
              network: fc.constantFrom('LinkedIn', 'github', 'Mastodon'),
              username: text,
              url: link,
            }),
          ),
        }),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    work: list(
      one({
        name: text,
        company: text,
        position: text,
        summary: text,
        url: link,
        website: link,
        ...dates,
      }),
    ),
    education: list(
      one({
        studyType: text,
        gpa: text,
        area: text,
        institution: text,
        score: text,
        courses: fc.array(text),
        url: link,
        ...dates,
      }),
    ),
    projects: list(one({ name: text, description: text, url: link, ...dates })),
    skills: list(
      one({
        name: text,
        level: text,
        keywords: fc.array(fc.constantFrom('HTML', 'html', 'CSS', ' Go ', '')),
      }),
    ),
    certificates: list(one({ name: text, issuer: text, date, url: link })),
    languages: list(one({ language: text, fluency: text })),
    volunteer: fc.jsonValue(),
    meta: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

// Nothing in it waits, so a limit would only tell afterwards that the machine was busy.
test('any résumé comes out as it went in, whatever it holds', { timeout: 0 }, () => {
  fc.assert(
    fc.property(generated, (resume) => {
      const plain = JSON.parse(JSON.stringify(resume)) as Resume
      expect(again(plain)).toEqual(plain)
    }),
    { numRuns: 300 },
  )
})

test('what is kept is sent whole, in parts that a call takes, whatever it is written in', () => {
  for (const letter of ['a', 'ñ', '職', '👍', '"', '\n', '\u0001']) {
    const items = Array.from({ length: 90 }, (_, n) => ({
      member: 'volunteer',
      item: { organization: `${n}`, summary: letter.repeat(700) },
      ids: [],
    }))
    const parts = partsOf({ rest: {}, items, importId: newId() }) ?? []
    expect(parts.flatMap((part) => part.items)).toEqual(items)
    for (const part of parts) {
      const body = JSON.stringify({ said: JSON.stringify(part) })
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxJsonBytes)
    }
  }
})

test('a résumé that is kept in several parts comes out as it went in, also when it is brought in again', () => {
  const told = (n: number) => ({ name: `Artículo ${n}`, summary: 'x'.repeat(300) })
  const many = Array.from({ length: 150 }, (_, n) => told(n))
  const nothing = { note: 'x' }
  const resume = {
    publications: [...many, told(0), told(149)],
    work: [nothing, ...many.map((item) => ({ 'x-own': item.summary, name: item.name })), nothing],
    meta: { version: '1' },
  }
  const { site, kept } = taken(readResume(resume))
  const sent = sentOf(kept)
  expect(sent.length).toBeGreaterThan(3)
  expect(resumeOf(site, { publicUrl, kept: sent })).toEqual(resume)
  expect(resumeOf(site, { publicUrl, kept: [...sent, ...sentOf(kept)] })).toEqual(resume)
})

/** The parts of an import as the site has them. */
const sentOf = (kept: KeptResume): readonly KeptResume[] =>
  (partsOf({ ...kept, importId: newId() }) ?? []).flatMap(
    (part) => parseKept(JSON.stringify(part)) ?? [],
  )

test('a list that is brought in again is said once, also where the first part of that never arrives', () => {
  const publications = Array.from({ length: 150 }, (_, n) => ({
    name: `Artículo ${n}`,
    summary: 'x'.repeat(300),
  }))
  const { site, kept } = taken(readResume({ publications }))
  const [first, ...rest] = sentOf(kept)
  if (!first) throw new Error('nothing was kept')
  expect(resumeOf(site, { publicUrl, kept: [first, ...rest, ...sentOf(kept).slice(1)] })).toEqual({
    publications,
  })
  // Two devices that bring something in at once.
  const reversed = sentOf(taken(readResume({ publications: publications.toReversed() })).kept)
  const mixed = reversed.flatMap((part, n) => [part, ...[first, ...rest].slice(n, n + 1)])
  expect(resumeOf(site, { publicUrl, kept: mixed })['publications']).toHaveLength(150)
})

test('parts that an earlier version kept go on with the one before them', () => {
  const [uno, dos] = [{ name: 'Uno' }, { name: 'Dos' }]
  const parts = [{ publications: [uno] }, { publications: [dos, uno] }].map((rest, n) =>
    JSON.stringify({ rest, items: [], ...(n > 0 && { goesOn: true }) }),
  )
  const kept = parts.flatMap((part) => parseKept(part) ?? [])
  expect(resumeOf(siteData(), { publicUrl, kept })['publications']).toEqual([uno, dos, uno])
})

/** A text as the site stores it. */
const stored = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => /\S/.test(value))
const duration = fc.oneof(
  stored,
  fc.constantFrom(
    'Marzo 2023 – mayo 2024',
    '2019',
    'mar. de 2020 – hoy',
    'Hasta mayo 2024',
    'Mar 2023 – may 2024',
  ),
)
const entryOf = (key: string): fc.Arbitrary<FieldValues> => {
  const section = sections.find((candidate) => candidate.key === key)
  const fields = section?.fields ?? {}
  const texts = Object.entries(fields).map(([name, { kind, required }]) => {
    const value =
      name === 'duration' ? duration : kind === 'url' ? fc.oneof(fc.webUrl(), stored) : stored
    return [
      name,
      kind === 'image' ? fc.constant('') : required ? value : fc.oneof(value, fc.constant('')),
    ] as const
  })
  return fc
    .record(Object.fromEntries(texts))
    .map((values) => checkValues(fields, 'update', values))
    .filter((checked) => checked.ok)
    .map((checked) => (checked.ok ? checked.value : {}))
}
const anySite = fc
  .record({
    links: fc.array(fc.webUrl(), { maxLength: 4 }),
    person: fc.record({ name: stored, lastname: stored, title: stored, description: stored }),
    entries: fc.record(
      Object.fromEntries(
        // A further section is in no résumé.
        Object.keys(inResume).map((key) => [
          key,
          fc.uniqueArray(entryOf(key), {
            maxLength: 5,
            selector: ({ name = '' }) => name.toLowerCase(),
          }),
        ]),
      ),
    ),
  })
  .map(({ links, person, entries }) => {
    const checked = checkValues(personFields, 'update', person)
    return siteData({
      person: checked.ok ? { ...emptyValues(personFields), ...checked.value } : {},
      settings: { profile_urls: parseSetting('profile_urls', links.join('\n')) ?? '' },
      entries,
    })
  })

test('a site that is written as a résumé is read as the same site', () => {
  fc.assert(
    fc.property(anySite, (site) => {
      const resume = resumeOf(site, { publicUrl })
      expect(schemaErrors(resume)).toEqual([])
      const back = taken(readResume(JSON.parse(JSON.stringify(resume)) as Resume)).site
      const texts = (data: typeof site) => ({
        person: { ...data.person.fields, image: '' },
        settings: data.settings,
        entries: Object.entries(data.entries).map(([key, entries]) => [
          key,
          entries.map(({ fields }) =>
            Object.entries(fields)
              .filter(([, value]) => value !== '')
              .toSorted(([a], [b]) => a.localeCompare(b)),
          ),
        ]),
      })
      expect(texts(back)).toEqual(texts(site))
    }),
    { numRuns: 150 },
  )
})

test('the sample is a valid résumé with its dates as dates', () => {
  const resume = resumeOf(siteData(), { publicUrl })
  expect(schemaErrors(resume)).toEqual([])
  const label = sample.person['title']
  expect(resume).toMatchObject({ basics: { name: 'Lucía Ejemplo', label, url: `${publicUrl}/` } })
  const oldest = { name: 'Biblioteca Ejemplo', startDate: '2016-03', endDate: '2018-05' }
  expect(resume['work']).toContainEqual(expect.objectContaining(oldest))
  for (const name of ['work', 'education', 'projects']) {
    for (const item of resume[name] as readonly Resume[]) expect(item).toHaveProperty('startDate')
  }
})

test('what is changed on the site is changed in the résumé, and nothing else of the item', () => {
  const item = {
    name: 'Uno',
    position: 'Jefa',
    location: 'Quito',
    startDate: '2019-03-07',
    url: 'https://uno.example/',
  }
  const { site, kept } = taken(readResume({ work: [item], volunteer: [{ organization: 'Dos' }] }))
  const entries = (site.entries['experience'] ?? []).map((entry) => ({
    ...entry,
    fields: { ...entry.fields, duration: 'Abril 2019 – mayo 2020' },
  }))
  const changed = { ...site, entries: { ...site.entries, experience: entries } }
  expect(resumeOf(changed, { publicUrl, kept: [kept] })).toEqual({
    work: [{ ...item, startDate: '2019-04', endDate: '2020-05' }],
    volunteer: [{ organization: 'Dos' }],
  })
  const emptied = { ...site, entries: {} }
  expect(resumeOf(emptied, { publicUrl, kept: [kept] })).toEqual({
    volunteer: [{ organization: 'Dos' }],
  })
})

test('another order on the site is the résumé’s, within a group of skills and among groups', () => {
  const web = { name: 'Web', level: 'Master', keywords: ['HTML', 'Flash', 'CSS', 'JS'] }
  const resume = { skills: [web, { name: 'Go' }, { name: 'Datos', keywords: ['SQL'] }] }
  const { site, kept: whole } = taken(readResume(resume))
  const { skill: rows = [] } = site.entries
  const named = (name: string) => rows.filter(({ fields }) => fields['name'] === name)
  // One keyword was left out when the file was brought in.
  const leftOut = new Set(named('Flash').map(({ id }) => id))
  const items = whole.items.map((item) => ({
    ...item,
    ids: item.ids.map((id) => (id !== null && leftOut.has(id) ? null : id)),
  }))
  const kept = { ...whole, items }
  const inOrder = (...names: readonly string[]) => {
    const entries = { ...site.entries, skill: names.flatMap(named) }
    return resumeOf({ ...site, entries }, { publicUrl, kept: [kept] })['skills']
  }
  expect(inOrder('HTML', 'CSS', 'JS', 'Go', 'SQL')).toEqual(resume.skills)
  // What is no entry stays behind what it stood behind, and a group stands at its first entry that is left.
  expect(inOrder('SQL', 'Go', 'JS', 'CSS')).toEqual([
    { name: 'Datos', keywords: ['SQL'] },
    { name: 'Go' },
    { ...web, keywords: ['Flash', 'JS', 'CSS'] },
  ])
  expect(inOrder('JS', 'SQL', 'CSS', 'HTML', 'Go')).toEqual([
    { ...web, keywords: ['JS', 'CSS', 'HTML', 'Flash'] },
    { name: 'Datos', keywords: ['SQL'] },
    { name: 'Go' },
  ])
  // One that she put into another group says nothing of where its first one stands.
  for (const entry of named('HTML')) Object.assign(entry.fields, { group: 'Datos' })
  expect(inOrder('HTML', 'SQL', 'CSS')).toEqual([
    { name: 'Datos', keywords: ['HTML'] },
    { name: 'Datos', keywords: ['SQL'] },
    { ...web, keywords: ['Flash', 'CSS'] },
  ])
  // Where none of its entries is left in it, it stays behind what it stood behind.
  expect(inOrder('Go', 'HTML')).toEqual([
    { ...web, keywords: ['Flash'] },
    { name: 'Go' },
    { name: 'Datos', keywords: ['HTML'] },
  ])
})

test('a later import counts where both say something, and neither is lost', () => {
  const first = taken(readResume({ volunteer: [{ organization: 'A' }], basics: { phone: '1' } }))
  const second = taken(readResume({ volunteer: [{ organization: 'B' }], basics: { phone: '2' } }))
  expect(resumeOf(first.site, { publicUrl, kept: [first.kept, second.kept] })).toEqual({
    volunteer: [{ organization: 'A' }, { organization: 'B' }],
    basics: { phone: '2' },
  })
})

test('what every object has a name for is kept like anything else', () => {
  const told = '{"constructor": ["a"], "toString": {"b": 1}, "__proto__": {"c": 2}}'
  const said = JSON.parse(told) as Resume
  const { site, kept } = taken(readResume({ ...said, volunteer: [] }))
  const later = taken(readResume({ interests: [{ name: 'Mar' }] })).kept
  for (const all of [
    [kept, later],
    [later, kept],
  ]) {
    expect(JSON.parse(JSON.stringify(resumeOf(site, { publicUrl, kept: all })))).toEqual({
      ...said,
      volunteer: [],
      interests: [{ name: 'Mar' }],
    })
  }
})

test('what was kept before its list had a section stays beside the entries that are there now', () => {
  const told = { name: 'CPACC', issuer: 'IAAP' }
  const earlier = { rest: { certificates: [told], interests: [{ name: 'Mar' }] }, items: [] }
  const site = siteData({ entries: { certificate: [{ name: 'AWS' }] } })
  const listed = (resume: Resume) => resume['certificates']
  const resume = resumeOf(site, { publicUrl, kept: [earlier] })
  expect(listed(resume)).toEqual([told, { name: 'AWS' }])
  expect(resume['interests']).toEqual([{ name: 'Mar' }])
  // Brought in once more it is an entry, and said once.
  const { kept, site: filled } = taken(readResume({ certificates: [told] }))
  expect(listed(resumeOf(filled, { publicUrl, kept: [earlier, kept] }))).toEqual([told])
})

test('profiles of other networks are the site’s, and come out as they came', () => {
  const masto = { network: 'Mastodon', username: 'lucia', url: 'https://mastodon.social/@lucia' }
  const gitlab = { network: 'GitLab', url: 'https://gitlab.com/lucia' }
  const profiles = [
    masto,
    { network: 'LinkedIn', url: 'https://www.linkedin.com/in/lucia' },
    { network: 'Skype', username: 'lucia' },
    { network: 'Nada', url: 'javascript:alert(1)' },
    gitlab,
    masto,
  ]
  const read = readResume({ basics: { profiles } })
  expect(read.settings).toEqual({
    linkedin_url: 'https://www.linkedin.com/in/lucia',
    profile_urls: `${masto.url}\n${gitlab.url}`,
  })
  const { site, kept } = taken(read)
  expect(resumeOf(site, { publicUrl, kept: [kept] })).toEqual({ basics: { profiles } })
  // One taken away, one added: nothing else of the list changes.
  const settings = { ...site.settings, profile_urls: `${gitlab.url}\norcid.org/0000-0001` }
  const changed = resumeOf({ ...site, settings }, { publicUrl, kept: [kept] })
  const [, linkedIn, skype, nowhere] = profiles
  const orcid = { network: 'orcid.org', url: 'https://orcid.org/0000-0001' }
  expect(changed['basics']).toEqual({
    profiles: [linkedIn, skype, nowhere, gitlab, orcid],
    'x-tintero': { profile_urls: settings.profile_urls },
  })
})

test('of many profiles the site takes what it has room for, and the others stay in the résumé', () => {
  const profiles = Array.from({ length: 15 }, (_, i) => ({ url: `https://example.com/${i}` }))
  const { site, kept } = taken(readResume({ basics: { profiles } }))
  expect(linesOf(site.settings.profile_urls)).toHaveLength(12)
  const settings = { ...site.settings, profile_urls: 'https://gitlab.com/lucia' }
  const written = resumeOf({ ...site, settings }, { publicUrl, kept: [kept] })
  expect(written['basics']).toEqual({
    profiles: [...profiles.slice(12), { network: 'gitlab.com', url: settings.profile_urls }],
    'x-tintero': { profile_urls: settings.profile_urls },
  })
})

test.each([
  ['Marzo 2023 – mayo 2024', { start: '2023-03', end: '2024-05' }],
  ['marzo de 2023 a mayo de 2024', { start: '2023-03', end: '2024-05' }],
  ['Mar 2020 - Present', { start: '2020-03' }],
  ['Desde enero de 2021 hasta la actualidad', { start: '2021-01' }],
  ['Sept. 2019 — dic. 2019', { start: '2019-09', end: '2019-12' }],
  ['03/2019 – 2020', { start: '2019-03', end: '2020' }],
  ['2019', { start: '2019', end: '2019' }],
  ['Hasta mayo 2024', { end: '2024-05' }],
  ['2019-03 - 2020-04-05', { start: '2019-03', end: '2020-04-05' }],
  ['2019-2021', { start: '2019', end: '2021' }],
  ['Desde 2019', { start: '2019' }],
  ['since Mar 2020', { start: '2020-03' }],
  ['Abril – julio 2022', { start: '2022-04', end: '2022-07' }],
  ['de abril a julio de 2022', { start: '2022-04', end: '2022-07' }],
])('%s is a stretch of time', (words, span) => expect(parseSpan(words)).toEqual(span))

test.each([
  '',
  'tres meses',
  'verano 2019',
  '13/2019',
  '2019 2020',
  'marzo',
  'marzo 2019 – luego',
  'noviembre – febrero 2022',
  'abril – 2022',
  '2019-20',
  'desde',
  '–',
  'a'.repeat(500),
])('«%s» is none', (words) => expect(parseSpan(words)).toBeUndefined())

test.each([
  [{ startDate: 2019, endDate: 2021 }, '2019 – 2021'],
  [
    { startDate: '2019-02-03T10:00:00.000Z', endDate: '2019-12-31T23:00:00+01:00' },
    'Febrero 2019 – diciembre 2019',
  ],
  [{ startDate: '2019-13' }, '2019-13 – actualidad'],
  [{ startDate: {}, endDate: null }, ''],
  [{ startDate: 1_577_836_800_000 }, ''],
])('%j is read as «%s», and comes out as it went in', (said, words) => {
  const resume = {
    work: [{ name: 'Nube', ...said }],
    certificates: [{ name: 'A', date: said.startDate }],
  }
  const { site } = taken(readResume(resume))
  expect(site.entries['experience']?.[0]?.fields['duration']).toBe(words)
  expect(again(resume)).toEqual(resume)
})

test('a stretch that is too long for its field has short months', () => {
  const span = { start: '2023-03', end: '2024-05' }
  expect(spanText(span)).toBe('Marzo 2023 – mayo 2024')
  expect(spanText(span, 20)).toBe('Mar 2023 – may 2024')
  expect(spanText({ start: '2023-09' }, 20)).toBe('Sep 2023 – hoy')
  expect(parseSpan(spanText(span, 20))).toEqual(span)
})
