import { describe, expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { sinceText, agoText, clockText } from '#client/ui/age-text.ts'
import { differencesOf } from '#client/owner/changes/compare-versions.tsx'
import {
  fixOf,
  isNearLimit,
  operationStatusOf,
  textsLeftOf,
  titleOf,
} from '#client/owner/changes/describe-operation.ts'
import { rescued } from '#client/owner/changes/recall.ts'
import { summaryOf } from '#client/owner/changes/sync-summary.ts'

function operation(change: Partial<Operation> = {}): Operation {
  return {
    id: 'op',
    subject: { on: 'entry', section: 'proyect', id: 'a' },
    verb: 'update',
    values: { name: 'Mareas' },
    label: 'Mareas',
    madeAt: '2031-03-01T10:00:00.000Z',
    tries: 0,
    ...change,
  }
}
const refusal = { code: 'datos-no-validos', reason: 'Revisa los campos marcados.' }
const at = (time: string) => Date.parse(`2031-03-01T${time}Z`)
const status = (wanted: Operation, operations = [wanted], sending?: number) =>
  operationStatusOf(wanted, {
    operations,
    ...(sending !== undefined && { sending: { id: wanted.id, progress: sending } }),
  })

test('on a read-only site a change of the content waits for it to open, a setting for its turn', () => {
  const said = (wanted: Operation) =>
    operationStatusOf(wanted, { operations: [wanted], isReadOnly: true }).text
  expect(said(operation())).toBe(queueTexts.waitingClosed)
  expect(said(operation({ subject: { on: 'settings' }, values: { email: 'a@b.co' } }))).toBe(
    queueTexts.waiting,
  )
})

test('a rescued change says why it waits, and gives its texts', () => {
  const change = rescued(operation({ verb: 'create' }))
  expect(status(change)).toEqual({ tone: 'bad', text: queueTexts.thrownAway })
  expect(fixOf(change)).toBeUndefined()
  expect(textsLeftOf(change)).toMatchObject([{ name: 'name', text: 'Mareas' }])
})

describe.each(sections)('a change of $key', ({ key, words, editPath }) => {
  const subject = { on: 'entry', section: key, id: 'a' } as const

  test('is named by what it does, its kind and its name', () => {
    const titles = (['create', 'update', 'remove'] as const).map((verb) =>
      titleOf(operation({ subject, verb, label: 'Brújula' })),
    )
    expect(titles).toEqual([
      `Crear ${words.noun} «Brújula»`,
      `Modificar ${words.noun} «Brújula»`,
      `Eliminar ${words.noun} «Brújula»`,
    ])
  })

  test('is corrected in the form of its entry', () => {
    expect(fixOf(operation({ subject, refusal }))).toEqual({ to: editPath, params: { id: 'a' } })
  })
})

test.each([
  [{ name: 'Ada' }, undefined, queueTexts.header],
  [{ description: 'Hola' }, undefined, queueTexts.about],
  [{}, { field: 'image', name: 'yo.png' }, queueTexts.about],
  [{ title: 'Poeta' }, { field: 'image', name: 'yo.png' }, queueTexts.profile],
  [{}, undefined, queueTexts.profile],
])(
  'a change of the profile is named after the form it came from: %j %j',
  (values, image, title) => {
    const change = { subject: { on: 'person' }, values, ...(image && { image }) } as const
    expect(titleOf(operation(change))).toBe(title)
  },
)

test.each([
  [{ location_text: 'Rosario' }, 'Modificar ajuste «Ubicación»'],
  [{ location_text: 'Rosario', age_text: '40' }, queueTexts.settings],
])('a change of the settings names the only one it has: %j', (values, title) => {
  expect(titleOf(operation({ subject: { on: 'settings' }, values }))).toBe(title)
})

test.each([
  [{ errors: { title: 'Completa este campo.' } }, '/editProf/$id'],
  [{ errors: { description: 'Completa este campo.' } }, '/editPer/$id'],
])('a refused profile is corrected in the form that has the faulty field', (errors, to) => {
  const values = { title: '', description: '' }
  const refused = operation({
    subject: { on: 'person' },
    values,
    refusal: { ...refusal, ...errors },
  })
  expect(fixOf(refused)).toEqual({ to, params: { id: '1' } })
})

test('a mark on a message is said in words and cannot be corrected, only tried again or discarded', () => {
  const mark = operation({
    subject: { on: 'answer', id: 'm' },
    values: { answered: 'true' },
    label: queueTexts.answered,
    refusal,
  })
  expect(titleOf(mark)).toBe(queueTexts.answered)
  expect(fixOf(mark)).toBeUndefined()
})

test('a refused setting leads to its group', () => {
  const subject = { on: 'settings', key: 'banner_url' } as const
  expect(fixOf(operation({ subject }))).toMatchObject({ to: '/settings', hash: 'aviso' })
  expect(fixOf(operation({ subject: { on: 'settings' } }))).toMatchObject({ hash: '' })
})

test('what has no form of its own cannot be corrected', () => {
  for (const on of ['resume', 'message'] as const)
    expect(fixOf(operation({ subject: { on, id: 'a' }, refusal }))).toBeUndefined()
})

test('nothing corrects a removal, or an entry that is gone', () => {
  expect(fixOf(operation({ verb: 'remove', refusal }))).toBeUndefined()
  expect(fixOf(operation({ refusal: { code: 'no-encontrado', reason: '' } }))).toBeUndefined()
})

const goneRefusal = { code: 'no-encontrado', reason: '' }

test.each(['create', 'update', 'restore'] as const)(
  'the texts of a refused %s stay to be read where the entry is gone for good',
  (verb) => {
    const values = {
      name: 'Mareas',
      description: 'Una\n\nDos',
      demo: '',
      image: '/a.png',
      hidden: '1',
    }
    expect(textsLeftOf(operation({ verb, values, refusal: goneRefusal }))).toEqual([
      { name: 'name', label: 'Nombre del proyecto', text: 'Mareas' },
      { name: 'description', label: 'Descripción', text: 'Una\n\nDos' },
    ])
  },
)

test('what waits, has a form or is a choice between versions keeps its text there, and a removal has none', () => {
  const current = { version: 2, fields: {} }
  for (const change of [
    {},
    { refusal },
    { refusal: { ...goneRefusal, current } },
    { verb: 'remove', refusal: goneRefusal },
    { verb: 'erase', refusal: goneRefusal },
    { subject: { on: 'answer', id: 'm' }, refusal: goneRefusal },
  ] as const)
    expect(textsLeftOf(operation(change))).toEqual([])
})

test('the text for a section that this version does not know stays to be read', () => {
  const subject = { on: 'entry', section: 'otra', id: 'a' } as const
  expect(textsLeftOf(operation({ subject, refusal }))).toEqual([
    { name: 'name', label: 'name', text: 'Mareas' },
  ])
})

test('a change under way tells how much of its picture is up, then only that it is sent', () => {
  const withPicture = operation({ image: { field: 'image', name: 'a.png' } })
  expect(status(withPicture, [withPicture], 0.617)).toEqual({
    tone: 'running',
    text: 'Enviando la imagen (62 %)…',
  })
  expect(status(withPicture, [withPicture], 1).text).toBe(queueTexts.sending)
  expect(status(operation(), [operation()], 0).text).toBe(queueTexts.sending)
})

test('a waiting change says what it waits for', () => {
  const first = operation({ id: '1' })
  const other = operation({ id: '2', subject: { on: 'person' } })
  const same = operation({ id: '3' })
  expect(status(first)).toEqual({ tone: 'waiting', text: queueTexts.waiting })
  expect(status(other, [first, other]).text).toBe(queueTexts.waitingTurn)
  const message = operation({ id: '4', subject: { on: 'message', id: '4' } })
  expect(status(other, [message, other]).text).toBe(queueTexts.waiting)
  expect(status(operation({ tries: 1 })).text).toBe(queueTexts.waitingAnswer)
  expect(status(other, [{ ...first, refusal }, other]).text).toBe(queueTexts.waiting)
  expect(status(same, [{ ...first, refusal }, same]).text).toBe(queueTexts.waitingBlocked)
})

test('an order waits for the refused entry that it moves, and says so', () => {
  const refused = operation({ id: '1', verb: 'create', refusal })
  const order = (moved: string) =>
    operation({
      id: '2',
      subject: { on: 'order', section: 'proyect' },
      values: { moved },
      tries: 1,
    })
  const held = order('x a')
  expect(status(held, [refused, held]).text).toBe(queueTexts.waitingBlocked)
  const free = order('x y')
  expect(status(free, [refused, free]).text).toBe(queueTexts.waitingAnswer)
})

test('a refused change gives the reason, a conflict asks for a choice', () => {
  const current = { version: 2, fields: {} }
  expect(status(operation({ refusal: { code: 'x', reason: 'La imagen supera 10 MB.' } }))).toEqual({
    tone: 'bad',
    text: 'El servidor no lo aceptó: la imagen supera 10 MB.',
  })
  expect(status(operation({ refusal: { ...refusal, current } })).text).toBe(queueTexts.conflict)
  expect(status(operation({ verb: 'remove', refusal: { ...refusal, current } })).text).toBe(
    queueTexts.conflictRemoval,
  )
})

test.each([
  ['10:00:59', queueTexts.now],
  ['09:00:00', queueTexts.now],
  ['10:02:59', 'Hace 2 min'],
  ['11:00:00', 'Hace 1 h'],
])('at %s the age of ten o’clock is %s', (time, text) => {
  expect(sinceText('2031-03-01T10:00:00.000Z', at(time))).toBe(text)
})

test('after a day the age counts days', () => {
  expect(sinceText('2031-02-26T09:00:00.000Z', at('10:00:00'))).toBe('Hace 3 días')
})

test('within a line an age begins small, and under a minute there is none', () => {
  expect(agoText(2 * 60 * 60_000)).toBe('hace 2 h')
  expect(agoText(59_999)).toBeUndefined()
})

test('the time left is minutes and seconds, and nothing once it is over', () => {
  expect(clockText(28_000, 0)).toBe('0:28')
  expect(clockText(60_000, 400)).toBe('1:00')
  expect(clockText(5_000, 5_000)).toBeUndefined()
})

test('the summary counts what was refused before what waits, and never a visitor’s message', () => {
  const message = operation({ subject: { on: 'message', id: 'm' }, verb: 'create' })
  expect(summaryOf([message])).toEqual({ tone: 'ok', count: 0, sentence: queueTexts.empty })
  expect(summaryOf([operation(), message])).toEqual({
    tone: 'pending',
    count: 1,
    sentence: '1 cambio pendiente de sincronizar',
  })
  expect(summaryOf([operation(), operation({ refusal }), operation({ refusal })])).toEqual({
    tone: 'failed',
    count: 2,
    sentence: '2 cambios con errores',
  })
})

test('only texts that differ from the server’s are compared, under the form’s label', () => {
  const values = { name: 'Mareas', description: 'Nueva', image: '/a.png' }
  const theirs = { name: 'Mareas', description: 'Otra', image: '/b.png' }
  expect(differencesOf(operation({ values }), theirs)).toEqual([
    { name: 'description', label: 'Descripción', mine: 'Nueva', theirs: 'Otra' },
  ])
})

test.each([
  ['sections_hidden', 'education', 'Proyectos, Experiencia, Habilidades'],
  ['sections_shown', 'language', 'Idiomas'],
] as const)('of %s the sections that are on are compared', (key, value, mine) => {
  const wanted = operation({ subject: { on: 'settings', key }, values: { [key]: value } })
  // Behind them whatever else is on.
  const words: unknown = expect.stringMatching(new RegExp(`^${mine}(, |$)`))
  expect(differencesOf(wanted, { [key]: '' })).toMatchObject([{ mine: words }])
})

test('the owner is warned a week before the server forgets a change that was on its way', () => {
  const day = 24 * 60 * 60 * 1000
  const after = (days: number) => at('10:00:00') + days * day
  const tried = operation({ tries: 1 })
  expect([22, 23, 29, 31].map((days) => isNearLimit(tried, after(days)))).toEqual([
    false,
    true,
    true,
    true,
  ])
  // Of one that never left the server knows no key.
  expect(isNearLimit(operation(), after(40))).toBe(false)
})
