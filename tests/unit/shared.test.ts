import { expect, test } from 'vitest'
import { maxTextLength } from '#contract/limits.ts'
import { withShared } from '#client/outbox/shared.ts'

const shared = { title: 'Faro', text: 'Un faro', url: 'https://faro.test' }

test('what is shared fills the name, the description and the link of a project', () => {
  expect(withShared({}, shared)).toEqual({
    name: 'Faro',
    description: 'Un faro',
    demo: 'https://faro.test',
  })
})

test('what was typed before stays', () => {
  expect(withShared({ name: 'Mío', demo: '' }, shared)).toMatchObject({
    name: 'Mío',
    demo: 'https://faro.test',
  })
})

test('a link that comes inside the words becomes the project’s link', () => {
  const words = { title: '', text: 'Mira https://faro.test/a?b=1 hoy', url: '' }
  expect(withShared({}, words)).toEqual({
    description: 'Mira  hoy',
    demo: 'https://faro.test/a?b=1',
  })
})

test('of a text nobody would type no more is taken than any field holds', () => {
  const endless = { title: 'x'.repeat(maxTextLength + 1), text: '', url: '' }
  expect(withShared({}, endless)).toEqual({ name: 'x'.repeat(maxTextLength) })
})
