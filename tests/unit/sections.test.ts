import { describe, expect, test } from 'vitest'
import { entryToJson, parseEntry } from '#contract/api.ts'
import { emptyValues, imageFieldOf } from '#contract/fields.ts'
import { pageMeta } from '#contract/page-heads.ts'
import { sections } from '#contract/sections/index.ts'
import { checkValues } from '#contract/validate.ts'
import { sourceFiles, withoutComments } from '#tests/support/source.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const nobody = { version: 1, fields: {} }

describe.each(sections)('$title', (section) => {
  const required = Object.keys(section.fields).filter((name) => section.fields[name]?.required)
  const filled = Object.fromEntries(Object.keys(section.fields).map((name) => [name, 'x']))

  test('its definition is data and nothing else', () => {
    expect(JSON.parse(JSON.stringify(section))).toEqual(section)
  })

  test('an empty draft is refused with one message per required field', () => {
    const checked = checkValues(section.fields, 'create', emptyValues(section.fields))
    expect(checked.ok ? {} : Object.keys(checked.errors)).toEqual(required)
  })

  test('its picture and what says so may be absent, nothing else', () => {
    const image = imageFieldOf(section.fields)
    const may = Object.keys(section.fields).filter((name) => !required.includes(name))
    expect(may.includes(image ?? '')).toBe(section.images !== undefined)
    const others = may.filter((name) => name !== image)
    expect(others.every((name) => section.fields[name]?.hint !== undefined)).toBe(true)
    expect(required).toContain(section.display.title)
  })

  test('an entry survives the way through JSON', () => {
    const entry = { id, version: 3, fields: filled }
    expect(parseEntry(section, JSON.parse(JSON.stringify(entryToJson(entry))))).toEqual(entry)
  })

  test('its page and its forms have titles of their own', () => {
    const paths = [section.path, section.addPath, section.editPath.replace('$id', id)]
    const titles = paths.map((path) => pageMeta(path, nobody).title)
    expect(new Set(titles).size).toBe(3)
    expect(titles.every((title) => title !== pageMeta('/nothing', nobody).title)).toBe(true)
  })
})

test('no two sections share a key, an address or an image name', () => {
  const taken = sections.flatMap(({ key, path, addPath, editPath, images }) =>
    [key, path, addPath, editPath].concat(Object.values(images ?? {})),
  )
  expect(taken.filter((name, i) => taken.indexOf(name) !== i)).toEqual([])
})

test('no code outside the definitions names a section, so that another one needs only data', () => {
  const ownCode = sourceFiles('src/**').filter(
    ({ path }) => !/contract\/sections\/|server\/db\/sample/.test(path),
  )
  const names = sections.flatMap(({ key, path, images }) => [
    key,
    path,
    ...(images ? [images.type] : []),
  ])
  const literal = new RegExp(`['"\`](?:${names.join('|')})['"\`]`)
  const naming = ownCode.filter(({ text }) => literal.test(withoutComments(text)))
  expect(naming.map(({ path }) => path)).toEqual([])
  expect(ownCode.length).toBeGreaterThan(30)
})
