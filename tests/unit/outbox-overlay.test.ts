import { expect, test } from 'vitest'
import { parseSettings } from '#contract/setting-kinds.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import { overlayEntries, overlayPerson, overlaySettings } from '#client/data/outbox/overlay.ts'

const rows = [
  { id: 'a', version: 3, fields: { name: 'A', image: '/a.png' } },
  { id: 'b', version: 1, fields: { name: 'B', image: '' } },
]
function operation(change: Partial<Operation>): Operation {
  return {
    id: 'op',
    subject: { on: 'entry', section: 'proyect', id: 'a' },
    verb: 'update',
    values: {},
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}
const shown = (...operations: Operation[]) =>
  overlayEntries('proyect', rows, { operations, pictureOf: ({ id }) => `blob:${id}` })

test('without queued changes the rows are shown as they are', () => {
  expect(shown()).toEqual(rows)
})

test('a queued edit shows at once and is marked as pending', () => {
  expect(shown(operation({ values: { name: 'Nuevo' } }))[0]).toEqual({
    id: 'a',
    version: 3,
    fields: { name: 'Nuevo', image: '/a.png' },
    sync: 'pending',
  })
})

test('a queued create stands last in the server order, with its chosen picture', () => {
  const create = operation({
    id: 'op-c',
    subject: { on: 'entry', section: 'proyect', id: 'c' },
    verb: 'create',
    values: { name: 'C', image: '' },
    image: { field: 'image', name: 'c.png' },
  })
  expect(shown(create)[2]).toEqual({
    id: 'c',
    version: 0,
    fields: { name: 'C', image: 'blob:op-c' },
    sync: 'pending',
  })
})

test('a queued removal hides the entry, a refused one shows it as failed', () => {
  const removal = operation({ verb: 'remove' })
  expect(shown(removal).map(({ id }) => id)).toEqual(['b'])
  const refused = shown({ ...removal, refusal: { code: 'prohibido', reason: 'No.' } })
  expect(refused[0]).toMatchObject({ id: 'a', sync: 'failed' })
})

test('changes of another section leave the list alone', () => {
  const elsewhere = operation({
    subject: { on: 'entry', section: 'skill', id: 'a' },
    values: { name: 'X' },
  })
  expect(shown(elsewhere)).toEqual(rows)
})

test('both person forms show together', () => {
  const person = { version: 2, fields: { name: 'Ana', description: 'Hola', image: '' } }
  const queued = [
    operation({ subject: { on: 'person' }, values: { name: 'Eva' } }),
    operation({ subject: { on: 'person' }, values: { description: 'Chau' }, tries: 1 }),
  ]
  expect(overlayPerson(person, { operations: queued, pictureOf: () => undefined })).toEqual({
    version: 2,
    fields: { name: 'Eva', description: 'Chau', image: '' },
    sync: 'pending',
  })
})

test('settings are shown with what is queued, the last change of each', () => {
  const change = { subject: { on: 'settings' }, verb: 'update' } as const
  const values = overlaySettings(parseSettings({ age_text: '40', location_text: 'Salta' }), [
    operation({ ...change, values: { age_text: '41' } }),
    operation({ ...change, values: { age_text: '42' } }),
  ])
  expect(values).toMatchObject({ age_text: '42', location_text: 'Salta' })
})
