import { expect, test } from 'vitest'
import { inCvOrder } from '#contract/sections/cv-order.ts'
import { resumeOf } from '#contract/resume/resume.ts'
import { sections } from '#contract/sections/index.ts'
import { parseSetting, settingError } from '#contract/settings/kinds.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { inOrder } from '#contract/settings/settings.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { wordsOf } from '#client/owner/changes/describe-operation.ts'
import { placesOf, splitPlaces } from '#client/site/shell/navigation.ts'
import { cvContent } from '#server/resume/cv-content.ts'
import { furtherPaths } from '#tests/support/page-paths.ts'
import { siteData } from '#tests/support/site-data.ts'

const keysOf = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key)
const given = keysOf(sections)
const pathsOf = (places: readonly { readonly path: string }[]) =>
  places.map(({ path }) => path).filter((path) => !furtherPaths.includes(path))

test('what her order names comes first, the rest as it stood; what it names in vain is nothing', () => {
  const ordered = (sections_order?: string) =>
    keysOf(inOrder(sections, sections_order === undefined ? {} : { sections_order }))
  expect(ordered()).toEqual(given)
  expect(ordered('')).toEqual(given)
  expect(ordered('nothing, ,nobody')).toEqual(given)
  expect(ordered(given.toReversed().join(', '))).toEqual(given.toReversed())
  expect(ordered('skill,nothing,experience')).toEqual([
    'skill',
    'experience',
    ...given.filter((key) => key !== 'skill' && key !== 'experience'),
  ])
})

/** The sections that have a place on the CV, and in that order. */
const ranked = ['experience', 'proyect', 'education', 'certificate', 'language', 'skill']

test('the CV has an order of its own until there is hers', () => {
  const known = sections.filter(({ key }) => ranked.includes(key))
  expect(keysOf(inCvOrder(known, defaultSettings))).toEqual(ranked)
  const settings = { sections_order: 'language,proyect' }
  expect(keysOf(inCvOrder(known, settings))).toEqual([
    'language',
    'proyect',
    ...ranked.filter((key) => key !== 'language' && key !== 'proyect'),
  ])
})

test('the navigation and a phone’s bar follow it, without what is hidden', () => {
  const settings = {
    ...defaultSettings,
    sections_order: 'language,skill,education,proyect',
    sections_hidden: ['education', ...given.filter((key) => !ranked.includes(key))].join(),
  }
  const shown = ['/skills', '/projects', '/experiences']
  expect(pathsOf(placesOf(settings))).toEqual(['/', '/about', ...shown, '/contact'])
  const { inBar, behindMore } = splitPlaces(settings)
  expect(pathsOf(inBar)).toEqual(['/', '/skills', '/projects', '/contact'])
  expect(pathsOf(behindMore)).toEqual(['/about', '/experiences'])
})

test('the CV that is saved and the résumé follow it', () => {
  const titles = (order: string) =>
    cvContent(siteData({ settings: { sections_order: order } })).parts.map(({ title }) => title)
  expect(titles('')).toEqual(['Experiencia', 'Proyectos', 'Educación', 'Habilidades'])
  expect(titles('skill,education')).toEqual([
    'Habilidades',
    'Educación',
    'Experiencia',
    'Proyectos',
  ])
  const lists = (order: string) =>
    Object.keys(
      resumeOf(siteData({ settings: { sections_order: order } }), {
        publicUrl: 'https://a.example',
      }),
    ).slice(2)
  expect(lists('')).toEqual(['projects', 'work', 'education', 'skills'])
  expect(lists('skill,education')).toEqual(['skills', 'education', 'projects', 'work'])
})

test('it is a text like the other lists of sections, and read by their names', () => {
  expect(parseSetting('sections_order', ` ${given.join(',')} `)).toBe(given.join(','))
  expect(parseSetting('sections_order', '')).toBe('')
  expect(parseSetting('sections_order', ['skill'])).toBeUndefined()
  expect(parseSetting('sections_order', 'a'.repeat(501))).toBeUndefined()
  expect(settingError('sections_order', 7)).toBe(valueErrors.setting)
  const words = wordsOf({ on: 'settings' }, { name: 'sections_order', value: 'skill,experience' })
  expect(words).toMatch(/^Habilidades, Experiencia, Proyectos, Educación, /)
})

test('what is on or off is said in words wherever two values are compared', () => {
  const said = ['true', 'false'].map((value) =>
    wordsOf({ on: 'settings' }, { name: 'contact_enabled', value }),
  )
  expect(said).toEqual(['Sí', 'No'])
  expect(wordsOf({ on: 'settings' }, { name: 'notice_seconds', value: '4' })).toBe('4')
})
