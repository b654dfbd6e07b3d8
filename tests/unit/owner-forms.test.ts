import { v7 as newId } from 'uuid'
import { describe, expect, test } from 'vitest'
import { headerFields } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { withRow } from '#client/outbox/show-applied.ts'
import { picturePlace } from '#client/outbox/upload-picture.ts'
import { isUnsaved, markUnsaved, quiet, whileBusy } from '#client/data/unsaved.ts'
import { pictureType } from '#client/browser/picture.ts'
import { formRows } from '#client/owner/editor/form-rows.ts'
import { duplicateNote } from '#client/owner/editor/section-form.tsx'

const rowOf = (id: string, name = id) => ({ id, version: 1, fields: { name } })
const operationOn = (what: Pick<Operation, 'subject' | 'verb'>): Operation => ({
  ...what,
  id: newId(),
  values: {},
  label: '',
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
})
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

describe.each(sections)('$title', (section) => {
  test('every field but the picture stands in the form once, in its order', () => {
    const names = Object.keys(section.fields).filter(
      (name) => section.fields[name]?.kind !== 'image',
    )
    expect(formRows(section.fields).flat()).toEqual(names)
  })
})

const pictured = sections.flatMap((section) =>
  section.images ? [{ ...section, images: section.images }] : [],
)

test.each(pictured)(
  'a new picture of $title is named by a fresh id and another one by the entry',
  ({ key, images }) => {
    const subject = { on: 'entry', section: key, id: '7' } as const
    const created = picturePlace(operationOn({ subject, verb: 'create' }))
    const updated = picturePlace(operationOn({ subject, verb: 'update' }))
    expect(created.type).toBe(images.type)
    expect(created.name).toMatch(new RegExp(`^${images.newName}${uuid}$`))
    expect(updated.name).toBe(`${images.editName}7`)
  },
)

test('two short fields that belong together share a line', () => {
  expect(formRows(experience.fields)).toEqual([
    ['name'],
    ['description'],
    ['duration', 'info'],
    ['role'],
  ])
  expect(formRows(headerFields)).toEqual([['name', 'lastname'], ['title']])
  expect(formRows(project.fields)).toEqual([
    ['name'],
    ['description'],
    ['duration'],
    ['repo', 'demo'],
  ])
})

test("the profile's picture is kept under the only profile there is", () => {
  const place = picturePlace(operationOn({ subject: { on: 'person' }, verb: 'update' }))
  expect(place).toEqual({ type: 'Person', name: 'perfil_1', field: 'image' })
})

test('a saved row takes its place, a new one comes last and a deleted one goes', () => {
  const rows = [rowOf('a'), rowOf('b')]
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).join()
  expect(withRow(rows, 'a', rowOf('a', 'nuevo'))[0]?.fields.name).toBe('nuevo')
  expect(ids(withRow(rows, 'c', rowOf('c')))).toBe('a,b,c')
  expect(ids(withRow(rows, 'a', undefined))).toBe('b')
})

test('another entry with the same name is mentioned, whatever its letters or spaces', () => {
  const entries = [rowOf('a', 'Faro Áureo')]
  expect(duplicateNote(project, entries, { id: 'b', name: ' faro áureo ' })).not.toBe('')
  expect(duplicateNote(project, entries, { id: 'b', name: 'Faro' })).toBe('')
})

test('an empty name is no double of another one', () => {
  expect(duplicateNote(project, [rowOf('a', '')], { id: 'b', name: ' ' })).toBe('')
})

test("an entry's own name is not mentioned to itself", () => {
  const entries = [rowOf('a', 'Faro')]
  expect(duplicateNote(project, entries, { id: 'a', name: 'Faro' })).toBe('')
})

test.each([
  ['foto.JPG', '', 'image/jpeg'],
  ['foto.jpeg', 'application/octet-stream', 'image/jpeg'],
  ['logo.svg', 'image/svg+xml', 'image/svg+xml'],
  ['image.png', 'image/png', 'image/png'],
  ['pegada', 'image/png', 'image/png'],
  ['foto.gif', 'image/gif', undefined],
  ['foto.heic', 'image/jpeg', undefined],
  ['pegada', 'text/plain', undefined],
])('the file %s of type «%s» is taken as %s', (name, type, expected) => {
  expect(pictureType({ name, type })).toBe(expected)
})

test('a reload waits for a write under way', async () => {
  let finish = () => {}
  const writing = whileBusy(() => new Promise<void>((resolve) => (finish = resolve)))
  let isQuiet = false
  const reload = quiet('').then(() => (isQuiet = true))
  await Promise.resolve()
  expect(isQuiet).toBe(false)
  finish()
  await Promise.all([writing, reload])
  expect(isQuiet).toBe(true)
})

test("a reload waits for another form's text but not for its own", async () => {
  markUnsaved('skill-new', true)
  await quiet('skill-new')
  let isQuiet = false
  const waiting = quiet('proyect-new').then(() => (isQuiet = true))
  await Promise.resolve()
  expect([isUnsaved('skill-new'), isQuiet]).toEqual([true, false])
  markUnsaved('skill-new', false)
  await waiting
  expect([isUnsaved('skill-new'), isQuiet]).toEqual([false, true])
})
