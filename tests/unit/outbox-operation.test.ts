import { expect, test } from 'vitest'
import { fold } from '#client/data/outbox/fold.ts'
import { nextToSend, settle, type Operation } from '#client/data/outbox/operation.ts'

let made = 0
function operation(change: Partial<Operation> = {}): Operation {
  made++
  return {
    id: `op-${made}`,
    subject: { on: 'entry', section: 'proyect', id: 'a' },
    verb: 'update',
    values: { name: 'uno' },
    version: 1,
    label: 'uno',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}
const other = { on: 'entry', section: 'proyect', id: 'b' } as const
const create = (change: Partial<Operation> = {}) => {
  const { version: _, ...rest } = operation({
    verb: 'create',
    values: { name: 'nuevo', repo: 'r' },
    ...change,
  })
  return rest
}

test('an edit of an unsent create becomes part of it', () => {
  const first = create()
  const folded = fold([first], operation({ values: { name: 'mejor' } }))
  expect(folded.operations).toEqual([
    { ...first, values: { name: 'mejor', repo: 'r' }, label: 'uno' },
  ])
  expect(folded.carrier?.id).toBe(first.id)
})

test('an edit of a create that was already tried follows it as an operation of its own', () => {
  const first = create({ tries: 1 })
  const edit = operation()
  expect(fold([first], edit).operations).toEqual([first, edit])
})

test('removing an unsent create leaves nothing to send and frees its picture', () => {
  const first = create({ image: { field: 'image', name: 'foto.png' } })
  const folded = fold([first], operation({ verb: 'remove', values: {} }))
  expect(folded).toEqual({ operations: [], orphans: [first.id] })
})

test('removing an edited entry forgets the unsent edit and keeps its base version', () => {
  const edit = operation({ version: 4 })
  const remove = operation({ verb: 'remove', values: {}, version: 4 })
  expect(fold([edit], remove).operations).toEqual([remove])
})

test('edits of different fields of the person become one operation with both', () => {
  const person = { on: 'person' } as const
  const header = operation({ subject: person, values: { name: 'Ana' } })
  const about = operation({ subject: person, values: { description: 'Hola' } })
  expect(fold([header], about).operations[0]?.values).toEqual({ name: 'Ana', description: 'Hola' })
})

test('an edit of a refused change replaces it and takes the refusal away', () => {
  const refused = operation({ tries: 1, refusal: { code: 'datos-no-validos', reason: 'No.' } })
  const folded = fold([refused], operation({ values: { name: 'corregido' } }))
  expect(folded.operations).toHaveLength(1)
  expect(folded.carrier?.refusal).toBeUndefined()
  expect(folded.carrier?.values).toEqual({ name: 'corregido' })
})

const conflict = {
  code: 'version-cambiada',
  reason: 'No.',
  current: { version: 5, fields: { name: 'suyo', repo: '' } },
}

test('an edit of a change that waits for a choice between two devices leaves the choice to be made', () => {
  const waiting = operation({ values: { name: 'mío' }, tries: 1, refusal: conflict })
  const folded = fold([waiting], operation({ values: { repo: 'r' }, version: 5 }))
  expect(folded.operations).toEqual([{ ...waiting, values: { name: 'mío', repo: 'r' } }])
  expect(folded.isUndecided).toBe(true)
})

test('an edit behind a change that waits for such a choice waits for it too', () => {
  const waiting = operation({ tries: 1, refusal: conflict })
  expect(fold([waiting, operation()], operation()).isUndecided).toBe(true)
})

test('an edit from a newer row does not lift an unsent one over what changed in between', () => {
  const unsent = operation({ values: { name: 'mío' }, version: 1 })
  const folded = fold([unsent], operation({ values: { repo: 'r' }, version: 5 }))
  expect(folded.operations).toEqual([{ ...unsent, values: { name: 'mío', repo: 'r' } }])
})

const refusal = { code: 'datos-no-validos', reason: 'No.' }

test('a correction of a refused change reaches the edits that wait behind it', () => {
  const refused = create({ values: { name: 'mal', repo: 'r' }, tries: 1, refusal })
  const edits = [operation({ values: { name: 'otro', demo: 'd' } }), operation({ subject: other })]
  const folded = fold([refused, ...edits], operation({ values: { name: 'bien' } }))
  const { refusal: _, ...put } = refused
  const corrected = { ...put, values: { name: 'bien', repo: 'r', demo: 'd' }, label: 'uno' }
  expect(folded.operations).toEqual([corrected, edits[1]])
  expect(folded.gathered).toEqual([edits[0]?.id])
})

test('of the pictures of what is put right together only the newest is kept', () => {
  const image = { field: 'image', name: 'foto.png' }
  const queue = [
    operation({ image, tries: 1, refusal }),
    operation({ image }),
    operation({ image }),
  ]
  const folded = fold(queue, operation())
  expect(folded.carrier?.image).toEqual({ ...image, broughtBy: queue[2]?.id })
  expect(folded.orphans).toEqual([queue[0]?.id, queue[1]?.id])
})

test('removing a refused create takes the edits behind it along', () => {
  const queue = [create({ tries: 1, refusal }), operation()]
  expect(fold(queue, operation({ verb: 'remove', values: {} })).operations).toEqual([])
})

test('an edit behind a refused removal stays an operation of its own', () => {
  const queue = [operation({ verb: 'remove', values: {}, tries: 1, refusal }), operation()]
  expect(fold(queue, operation()).operations).toHaveLength(2)
})

test('operations on different entries keep the order in which they were made', () => {
  const queue = [operation(), operation({ subject: other })]
  const added = operation({ subject: { on: 'person' } })
  expect(fold(queue, added).operations).toEqual([...queue, added])
})

test('a refused change holds what follows on the same entry and nothing else', () => {
  const refused = operation({ tries: 1, refusal: { code: 'datos-no-validos', reason: 'No.' } })
  const dependent = operation({ tries: 0 })
  const free = operation({ subject: other })
  expect(nextToSend([refused, dependent, free], { isOwner: true })).toBe(free)
})

test('without a session only messages of visitors are sent', () => {
  const message = create({ subject: { on: 'message', id: 'm' } })
  expect(nextToSend([operation(), message], { isOwner: false })).toBe(message)
})

test('after an applied change the later ones on that entry are based on its new version', () => {
  const first = operation({ version: 1 })
  const second = operation({ version: 1 })
  const elsewhere = operation({ subject: other, version: 1 })
  expect(settle([first, second, elsewhere], first, 2)).toEqual([
    { ...second, version: 2 },
    elsewhere,
  ])
})
