import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample } from '#contract/sample.ts'
import { vcardOf } from '#contract/person/vcard.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { siteData, type SiteDataOptions } from '#tests/support/site-data.ts'

const address = 'https://lucia.example'

function cardOf(parts: SiteDataOptions = {}): string {
  const { person, settings } = siteData(parts)
  return vcardOf({ person, settings: settingsOf(settings), address })
}

/** The properties as an address book reads them: lines put together, escapes undone. */
function read(card: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  for (const line of card.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)) {
    const [, name = '', value = ''] = /^([A-Z]+)(?:;[^:]*)?:(.*)$/s.exec(line) ?? []
    const text = value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    found[name] = [...(found[name] ?? []), text]
  }
  return found
}

test('the sample’s card names her, what she does and where she is found', () => {
  expect(read(cardOf())).toEqual({
    BEGIN: ['VCARD'],
    VERSION: ['3.0'],
    N: ['Ejemplo;Lucía;;;'],
    FN: ['Lucía Ejemplo'],
    TITLE: ['Desarrolladora full stack'],
    EMAIL: ['lucia@example.com'],
    ADR: [';;;Ciudad Ejemplo;;;'],
    URL: [address, sample.settings.linkedin_url, sample.settings.github_url],
    END: ['VCARD'],
  })
})

test('what she has not written is not in it, and a card without a name has the site’s', () => {
  const empty = { name: '', lastname: '', title: '' }
  const settings = { email: '', location_text: '', linkedin_url: '', github_url: 'javascript:1' }
  expect(read(cardOf({ person: empty, settings }))).toEqual({
    BEGIN: ['VCARD'],
    VERSION: ['3.0'],
    N: ['Mi portafolio;;;;'],
    FN: ['Mi portafolio'],
    URL: [address],
    END: ['VCARD'],
  })
})

test('any text comes back as written, in lines of at most 75 bytes that cut no letter', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((text) => {
    return text.isWellFormed() && !/[\r\0]/.test(text)
  })
  fc.assert(
    fc.property(word, word, (name, title) => {
      const card = cardOf({ person: { name, lastname: '', title } })
      for (const line of card.split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line.isWellFormed()).toBe(true)
      }
      expect(read(card)).toMatchObject({ FN: [name], TITLE: [title] })
    }),
  )
})

test('a line break in a name adds no property', () => {
  const card = cardOf({ person: { title: 'a\r\nEMAIL:x@y.z\nNOTE:b' } })
  expect(read(card)).toMatchObject({
    TITLE: ['a\nEMAIL:x@y.z\nNOTE:b'],
    EMAIL: ['lucia@example.com'],
  })
})
