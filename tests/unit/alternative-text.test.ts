import { expect, test } from 'vitest'
import { parseEntry, parsePerson } from '#contract/api.ts'
import { fullName } from '#contract/person/person.ts'
import { ownAboutFields, ownFields, saidFields } from '#contract/entries/own-fields.ts'
import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { language } from '#contract/sections/language.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import { skill } from '#contract/sections/skill.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { checkPatch } from '#contract/validate.ts'
import { render } from '#client/entry-server.tsx'
import { formRows } from '#client/owner/editor/form-rows.ts'
import { differing, type HistoryThing } from '#client/owner/editor/use-history.ts'
import { cvContent } from '#server/resume/cv-content.ts'
import { siteData } from '#tests/support/site-data.ts'

const alt = 'Un faro "de noche"'
const inHtml = 'alt="Un faro &quot;de noche&quot;"'

const drawn = async (url: string, data: ReturnType<typeof siteData>) =>
  (await render({ url, data, address: 'https://lucia.example' })).app
const imagesIn = (app: string) =>
  (app.slice(app.indexOf('<main')).match(/<img[^>]*>/g) ?? []).join('\n')

test('an answer carries what a picture says only where something is written', () => {
  const entry = { id: '1', version: 1, name: 'Faro' }
  expect(parseEntry(project, { ...entry, alt }).fields['alt']).toBe(alt)
  expect(parsePerson({ id: 1, version: 1, alt }).fields['alt']).toBe(alt)
  for (const none of [{}, { alt: '' }, { alt: 7 }, { alt: null }]) {
    expect('alt' in parseEntry(project, { ...entry, ...none }).fields).toBe(false)
    expect('alt' in parsePerson({ id: 1, version: 1, ...none }).fields).toBe(false)
  }
})

test('every picture has the text behind it, and whoever has no picture has none', () => {
  const names = Object.keys(saidFields(education))
  expect(names.slice(names.indexOf('image'))).toEqual(['image', 'alt', 'institution'])
  expect(Object.keys(ownAboutFields)).toEqual(['description', 'image', 'alt'])
  for (const section of sections) {
    expect('alt' in ownFields(section)).toBe(section.images !== undefined)
    expect(formRows(ownFields(section)).flat()).not.toContain('alt')
  }
  expect('alt' in ownFields(language)).toBe(false)
})

test('its hint says what an empty one means on the page', () => {
  const hints = [project, experience, skill].map((section) => saidFields(section)['alt']?.hint)
  expect([...hints, ownAboutFields['alt']?.hint]).toEqual([
    'Lo que diría quien no ve la imagen. Vacío si solo decora.',
    'Lo que diría quien no ve la imagen. Vacío si solo decora.',
    'Lo que diría quien no ve la imagen. Vacío, se dice el nombre.',
    'Lo que diría quien no ve la imagen. Vacío, se dice «Retrato de» y tu nombre.',
  ])
})

test('it may be left out, and has two hundred characters at most, however they are written', () => {
  const fields = ownFields(project)
  const checked = (value: string) => checkPatch(fields, { alt: value })
  expect(checked('')).toEqual({ ok: true, value: { alt: '' } })
  expect(checked('👩'.repeat(200)).ok).toBe(true)
  expect(checked('x'.repeat(201))).toMatchObject({ ok: false, errors: { alt: /200/ } })
})

test.each([
  { section: project, before: 'alt=""' },
  { section: experience, before: 'alt=""' },
  { section: skill, before: 'alt="Faro"' },
])(
  'a picture of $section.title says what was written, else what it said before',
  async ({ section, before }) => {
    const picture = { name: 'Faro', [section.display.image]: '/media/a.640x480.webp' }
    const said = async (fields: Readonly<Record<string, string>>) => {
      const entries = { [section.key]: [{ ...picture, ...fields }] }
      return imagesIn(await drawn(section.path, siteData({ entries })))
    }
    expect(await said({})).toContain(before)
    expect(await said({ alt: '' })).toBe(await said({}))
    const written = await said({ alt })
    expect(written).toContain(inHtml)
    expect(written).not.toContain(before)
  },
)

test('a skill whose picture says something else is told by its name, too', async () => {
  const tile = async (fields: Readonly<Record<string, string>>) =>
    drawn(
      '/skills',
      siteData({ entries: { skill: [{ name: 'Faro', icon: '/a.svg', ...fields }] } }),
    )
  expect(await tile({})).toContain('<span aria-hidden="true">Faro</span>')
  expect(await tile({ alt })).toContain('<span aria-hidden="false">Faro</span>')
})

test('the portrait says what was written wherever it is drawn, the CV as a file included', async () => {
  const image = '/media/a.640x800.webp'
  const without = siteData({ person: { image } })
  const before = fill(texts.portraitOf, { name: fullName(without.person) })
  for (const path of ['/', '/about', '/cv']) {
    expect(imagesIn(await drawn(path, without))).toContain(`alt="${before}"`)
    const written = imagesIn(await drawn(path, siteData({ person: { image, alt } })))
    expect(written).toContain(inHtml)
    expect(written).not.toContain(before)
  }
  expect(cvContent(without).portrait).toBe(before)
  expect(cvContent(siteData({ person: { alt } })).portrait).toBe(alt)
})

test('an earlier version without one takes away what is said now, and only that', () => {
  const now = { version: 2, fields: { name: 'Faro', alt } }
  const thing = { now } as unknown as HistoryThing
  const version = { number: 1, replacedAt: '', fields: { name: 'Faro' } }
  expect(differing(thing, version)).toEqual({ alt: '' })
  const silent = { now: { version: 2, fields: { name: 'Faro' } } } as unknown as HistoryThing
  expect(differing(silent, version)).toEqual({})
})
