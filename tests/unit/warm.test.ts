import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { entriesQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { picturesToKeep } from '#client/offline/warm.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'

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
  const kept = picturesToKeep(cacheWith('https://titles.test'))
  expect(kept).toEqual(['/media/aa.1600x1200-640.webp', '/media/bb.50x50.svg'])
})

test('the typed title is kept for both themes and widths', () => {
  const titles = picturesToKeep(cacheWith('')).filter((address) => address.includes('typing'))
  expect(new Set(titles).size).toBe(4)
  expect(titles.filter((address) => address.includes('Astr'))).toHaveLength(4)
})
