import { expect, test } from 'vitest'
import { withoutHidden } from '#contract/entries/hidden.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { visitorsSite } from '#server/pages/hidden.ts'

const entry = (id: string, fields = {}) => ({ id, version: 1, fields: { name: id, ...fields } })

/** What pages, their data, the CV, links and the static copy are made from. */
const site = {
  person: { version: 1, fields: {} },
  settings: { ...defaultSettings, sections_hidden: experience.key },
  entries: {
    [project.key]: [entry('a'), entry('b', { hidden: 'true' }), entry('c', { hidden: '' })],
    [experience.key]: [entry('d')],
  },
}

test('visitors get neither hidden entries nor hidden sections; what her résumé says has those', () => {
  const ids = (entries: Readonly<Record<string, readonly { readonly id: string }[]>>) =>
    Object.fromEntries(Object.entries(entries).map(([key, list]) => [key, list.map((e) => e.id)]))
  expect(ids(visitorsSite(site).entries)).toEqual({ [project.key]: ['a', 'c'] })
  expect(ids(withoutHidden(site).entries)).toEqual({
    [project.key]: ['a', 'c'],
    [experience.key]: ['d'],
  })
})
