import { expect, test } from 'vitest'
import { ageText } from '#contract/settings/age.ts'
import { parseSettings } from '#contract/settings/kinds.ts'
import { fold } from '#client/outbox/fold.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { overlayEntries, overlayPerson, overlaySettings } from '#client/outbox/overlay-rows.ts'

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
    seen: ['op'],
    under: rows[0]?.fields,
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
    seen: ['op-c'],
  })
})

test('a queued removal hides the entry, a refused one shows it as failed', () => {
  const removal = operation({ verb: 'remove' })
  expect(shown(removal).map(({ id }) => id)).toEqual(['b'])
  const refused = shown({ ...removal, refusal: { code: 'prohibido', reason: 'No.' } })
  expect(refused[0]).toMatchObject({ id: 'a', sync: 'failed' })
})

test('an edit that waits before the removal, refused or not, shows nothing of the entry', () => {
  const edit = operation({ values: { name: 'Nuevo' } })
  const removal = operation({ id: 'op-r', verb: 'remove' })
  expect(shown(edit, removal).map(({ id }) => id)).toEqual(['b'])
  const refused = { ...edit, refusal: { code: 'prohibido', reason: 'No.' } }
  expect(shown(refused, removal).map(({ id }) => id)).toEqual(['b'])
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
    operation({ id: 'op-2', subject: { on: 'person' }, values: { description: 'Chau' } }),
  ]
  expect(overlayPerson(person, { operations: queued, pictureOf: () => undefined })).toEqual({
    version: 2,
    fields: { name: 'Eva', description: 'Chau', image: '' },
    sync: 'pending',
    seen: ['op', 'op-2'],
    under: person.fields,
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

test('a queued birth date is shown as the age that follows from it, and a queued end of it as none', () => {
  const change = { subject: { on: 'settings', key: 'birth_date' }, verb: 'update' } as const
  const born = operation({ ...change, values: { birth_date: '1992-03-14' } })
  const values = parseSettings({ age_text: 'Treinta y tantos', location_text: 'Salta' })
  const age = ageText('1992-03-14', new Date())
  expect(overlaySettings(values, [born])).toEqual({
    ...values,
    birth_date: '1992-03-14',
    age_text: age,
  })
  const typed = operation({ ...change, values: { age_text: '41' } })
  expect(overlaySettings(values, [born, typed])).toMatchObject({ age_text: age })
  const ended = operation({ ...change, values: { birth_date: '' } })
  expect(overlaySettings({ ...values, age_text: age }, [ended])).toMatchObject({ age_text: '' })
})

const returning = (behind: readonly string[]) =>
  operation({
    id: 'op-r',
    subject: { on: 'entry', section: 'proyect', id: 'r' },
    verb: 'restore',
    values: { name: 'R' },
    version: 7,
    behind,
  })
const idsWith = (behind: readonly string[]) => shown(returning(behind)).map(({ id }) => id)

test('what is to come back stands in its place at once, at the version it had', () => {
  expect(idsWith([])).toEqual(['r', 'a', 'b'])
  expect(idsWith(['a'])).toEqual(['a', 'r', 'b'])
  // Behind the last that is still there.
  expect(idsWith(['a', 'b', 'gone'])).toEqual(['a', 'b', 'r'])
  expect(idsWith(['gone'])).toEqual(['r', 'a', 'b'])
  expect(shown(returning(['a']))[1]).toEqual({
    id: 'r',
    version: 7,
    fields: { name: 'R' },
    sync: 'pending',
    seen: ['op-r'],
  })
})

test('erasing from the bin changes no list', () => {
  expect(shown(operation({ verb: 'erase' }))).toEqual(rows)
})

const ordering = (change: Partial<Operation> = {}) =>
  operation({
    id: 'op-o',
    subject: { on: 'order', section: 'proyect' },
    values: { order: 'b a', moved: 'b' },
    ...change,
  })

test('a queued order shows at once, over what was queued before it, until it is refused', () => {
  const ids = (...queued: Operation[]) => shown(...queued).map(({ id }) => id)
  expect(ids(ordering())).toEqual(['b', 'a'])
  expect(ids(returning(['a']), ordering())).toEqual(['b', 'a', 'r'])
  expect(ids(ordering({ subject: { on: 'order', section: 'skill' } }))).toEqual(['a', 'b'])
  expect(ids(ordering({ refusal: { code: 'x', reason: 'No.' } }))).toEqual(['a', 'b'])
})

test('two orders are two operations: each holds what was moved in it', () => {
  const [first, second] = [ordering(), ordering({ id: 'op-p' })]
  expect(fold([first], second).operations).toEqual([first, second])
})
