import { expect, test } from 'vitest'
import { pageMeta } from '#contract/page-heads.ts'
import { fullName, hasName } from '#contract/person/person.ts'

const named = { version: 1, fields: { name: 'Ana', lastname: 'Paz', title: 'Ingeniera' } }
const empty = { version: 1, fields: { name: '', lastname: '', title: '' } }

test('a profile is called by name and surname', () => {
  expect(fullName(named)).toBe('Ana Paz')
  expect(fullName({ version: 1, fields: { name: 'Ana', lastname: '' } })).toBe('Ana')
})

test('a site begun empty has a name of its own until its owner writes hers', () => {
  expect(hasName(empty)).toBe(false)
  expect(pageMeta('/', empty).title).toBe('Inicio · Mi portafolio')
})
