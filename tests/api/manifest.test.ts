import { expect, test } from 'vitest'
import { sample } from '#contract/sample.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { manifestOf } from '#server/pages/manifest.ts'

const person = (fields: Readonly<Record<string, string>>) => ({
  version: 1,
  fields: { ...sample.person, ...fields },
})
const manifest = (fields = {}, settings = {}) =>
  JSON.parse(
    manifestOf({
      person: person(fields),
      settings: { ...defaultSettings, ...settings },
      entries: {},
    }),
  ) as Record<string, unknown> & { shortcuts: { url: string }[] }

test('the application carries the profile’s name, short where home screens have no room', () => {
  const long = manifest({ name: 'Ana María', lastname: 'Fernández Ocampo' })
  expect(long).toMatchObject({ name: 'Ana María Fernández Ocampo', short_name: 'Ana María' })
  expect(manifest({ name: 'Ana', lastname: 'Paz' })['short_name']).toBe('Ana Paz')
})

test('its shortcuts lead to the projects, the card and the contact form, without a hidden section', () => {
  const urls = ({ shortcuts }: { shortcuts: { url: string }[] }) => shortcuts.map(({ url }) => url)
  expect(urls(manifest())).toEqual(['/projects', '/card', '/contact'])
  expect(urls(manifest({}, { sections_hidden: 'proyect' }))).toEqual(['/card', '/contact'])
})

test('it takes a photo, a link and words from other applications', () => {
  expect(manifest()['share_target']).toMatchObject({
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'photo' }] },
  })
})
