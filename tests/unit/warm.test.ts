import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { entriesQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { pagesToKeep, picturesToKeep } from '#client/offline/warm.ts'
import { mostKeptEntries } from '#contract/offline/kept-page.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { typedTitleUrl } from '#contract/typed-title.ts'

/** A cache that holds a profile, a project and two skills. */
function cacheWith(service: string): QueryClient {
  const client = new QueryClient()
  client.setQueryData(personQuery.queryKey, {
    version: 1,
    fields: { title: 'Astrónoma', image: '/media/aa.1600x1200.webp' },
  })
  client.setQueryData(settingsQuery.queryKey, { ...defaultSettings, typing_image_url: service })
  const row = (id: string, fields: Readonly<Record<string, string>>) => ({ id, version: 1, fields })
  client.setQueryData(entriesQuery(project).queryKey, [row('1', { image: 'https://b.test/x.png' })])
  client.setQueryData(entriesQuery(skill).queryKey, [
    row('1', { icon: '/media/bb.50x50.svg' }),
    row('2', { icon: '/media/bb.50x50.svg' }),
    row('3', { icon: '' }),
  ])
  return client
}

test('the site’s own pictures are kept once each, photographs in the width of a phone', () => {
  const kept = picturesToKeep(cacheWith('https://titles.test'), 'wide')
  expect(kept).toEqual(['/media/aa.1600x1200-640.webp', '/media/bb.50x50.svg'])
})

test('the typed title is kept for both themes, as wide as this screen shows it', () => {
  for (const variant of ['wide', 'narrow'] as const) {
    const titles = picturesToKeep(cacheWith(''), variant).filter((one) => one.includes('typing'))
    const { typing_color_dark: dark, typing_color_light: light } = defaultSettings
    expect(titles).toEqual([dark, light].map((color) => typedTitleUrl('Astrónoma', color, variant)))
  }
})

test('a page of too many entries is drawn by the shell where it is needed, and never fetched to be kept', () => {
  const [few, many] = [mostKeptEntries, mostKeptEntries + 1].map((count) =>
    pagesToKeep(sections, count),
  )
  expect(few).toContain('/cv')
  expect(many).toEqual(few?.filter((path) => path !== '/cv'))
})
