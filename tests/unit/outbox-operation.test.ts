import { expect, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { fold } from '#client/outbox/fold.ts'
import {
  changeSettingOperation,
  eraseEntryOperation,
  removeEntryOperation,
  restoreEntryOperation,
  updateEntryOperation,
  updatePersonOperation,
} from '#client/owner/changes/submit-change.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { discarded, nextToSend, settle } from '#client/outbox/queue-rules.ts'

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
  const edit = operation({ values: { name: 'mejor' } })
  const folded = fold([first], edit)
  expect(folded.operations).toEqual([
    {
      ...first,
      values: { name: 'mejor', repo: 'r' },
      changes: [first.id, edit.id],
      label: 'uno',
    },
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

test('removing an edited entry leaves the unsent edit and its picture before the removal', () => {
  const edit = operation({ version: 4, image: { field: 'image', name: 'foto.png' } })
  const remove = operation({ verb: 'remove', values: {}, version: 4, seen: [edit.id] })
  const { operations, carrier, orphans } = fold([edit], remove)
  expect([operations, carrier, orphans]).toEqual([[edit, remove], remove, []])
  expect(nextToSend(operations, () => true)).toBe(edit)
  expect(settle(operations, edit, 5)).toEqual([{ ...remove, version: 5 }])
  // Brought back, it is as she left it; and the removal alone can be taken back.
  expect(fold(operations, operation({ ...back, version: 4 })).operations).toEqual([edit])
  expect(discarded(operations, remove.id)).toEqual([remove])
  expect(fold(operations, operation({ ...whole })).operations).toEqual(operations)
})

test('removing an entry forgets the edit that was refused, at the version of that', () => {
  const image = { field: 'image', name: 'foto.png' }
  const refused = operation({ version: 5, image, tries: 1, refusal })
  const remove = operation({ verb: 'remove', values: {}, version: 4 })
  const { operations, orphans } = fold([refused], remove)
  expect([operations, orphans]).toEqual([[{ ...remove, version: 5 }], [refused.id]])
})

test('removing an entry whose edit was refused removes nothing that the edit hid', () => {
  const refused = operation({ version: 4, tries: 1, refusal })
  const remove = operation({ verb: 'remove', values: {}, version: 5 })
  expect(fold([refused], remove).operations).toEqual([{ ...remove, version: 4 }])
})

test('removing an entry that waits for a choice between two devices leaves the choice to be made', () => {
  const waiting = operation({ version: 4, tries: 1, refusal: conflict })
  const remove = operation({ verb: 'remove', values: {}, version: 5 })
  const folded = fold([waiting], remove)
  expect(folded.operations).toEqual([{ ...remove, version: 4, refusal: conflict }])
  expect(folded.isUndecided).toBe(true)
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
  const edit = operation({ values: { repo: 'r' }, version: 5 })
  const folded = fold([waiting], edit)
  const changes = [waiting.id, edit.id]
  expect(folded.operations).toEqual([{ ...waiting, values: { name: 'mío', repo: 'r' }, changes }])
  expect(folded.isUndecided).toBe(true)
})

test('an edit behind a change that waits for such a choice waits for it too', () => {
  const waiting = operation({ tries: 1, refusal: conflict })
  expect(fold([waiting, operation()], operation()).isUndecided).toBe(true)
})

test('an edit from a newer row does not lift an unsent one over what changed in between', () => {
  const unsent = operation({ values: { name: 'mío' }, version: 1 })
  const edit = operation({ values: { repo: 'r' }, version: 5 })
  const folded = fold([unsent], edit)
  const changes = [unsent.id, edit.id]
  expect(folded.operations).toEqual([{ ...unsent, values: { name: 'mío', repo: 'r' }, changes }])
})

const refusal = { code: 'datos-no-validos', reason: 'No.' }

test('a correction of a refused change reaches the edits that wait behind it', () => {
  const refused = create({ values: { name: 'mal', repo: 'r' }, tries: 1, refusal })
  const edits = [operation({ values: { name: 'otro', demo: 'd' } }), operation({ subject: other })]
  const correction = operation({ values: { name: 'bien' } })
  const folded = fold([refused, ...edits], correction)
  const { refusal: _, ...put } = refused
  const values = { name: 'bien', repo: 'r', demo: 'd' }
  const changes = [refused.id, edits[0]?.id, correction.id]
  const corrected = { ...put, values, changes, label: 'uno' }
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
  expect(nextToSend([refused, dependent, free], () => true)).toBe(free)
})

test('an order waits for the refused entry that it moves, and for no other', () => {
  const refused = create({ tries: 1, refusal: { code: 'datos-no-validos', reason: 'No.' } })
  const { subject } = refused
  if (subject.on !== 'entry') throw new Error('not an entry')
  const order = (moved: string) =>
    operation({ subject: { on: 'order', section: subject.section }, values: { moved } })
  expect(nextToSend([refused, order(`x ${subject.id}`)], () => true)).toBeUndefined()
  const free = order('x y')
  expect(nextToSend([refused, free], () => true)).toBe(free)
})

test('an order waits for the entry that is to be tried again, and that it moves', () => {
  const paused = create({ tries: 1 })
  const { subject } = paused
  if (subject.on !== 'entry') throw new Error('not an entry')
  const order = (moved: string) =>
    operation({ subject: { on: 'order', section: subject.section }, values: { moved } })
  const others = (each: Operation) => each !== paused
  expect(nextToSend([paused, order(subject.id)], others)).toBeUndefined()
  const free = order('x y')
  expect(nextToSend([paused, free], others)).toBe(free)
})

test('what may not leave now is passed by', () => {
  const message = create({ subject: { on: 'message', id: 'm' } })
  expect(nextToSend([operation(), message], ({ subject }) => subject.on === 'message')).toBe(
    message,
  )
})

test('the change that ends the read-only mode leaves before those that may wait for it', () => {
  const settings = { on: 'settings' } as const
  const opening = operation({ subject: settings, values: { maintenance_readonly: 'false' } })
  const closing = operation({ subject: settings, values: { maintenance_readonly: 'true' } })
  expect(nextToSend([operation(), opening], () => true)).toBe(opening)
  const edit = operation()
  expect(nextToSend([edit, closing], () => true)).toBe(edit)
  // Of the same setting the last one chosen is the last to arrive.
  expect(nextToSend([edit, closing, opening], () => true)).toBe(closing)
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

const whole = { verb: 'remove', values: {} } as const
const back = { verb: 'restore', values: { name: 'uno' }, behind: [] } as const

test('bringing back what was not deleted yet leaves nothing to send', () => {
  const remove = operation(whole)
  expect(fold([remove], operation(back))).toEqual({ operations: [], orphans: [] })
  const refused = operation({ ...whole, tries: 1, refusal: conflict })
  expect(fold([refused], operation(back)).operations).toEqual([])
})

test('what may be deleted already is brought back behind its removal, and edited behind that', () => {
  const remove = operation({ ...whole, tries: 1 })
  const restore = operation(back)
  const { operations, carrier } = fold([remove], restore)
  expect([operations, carrier]).toEqual([[remove, restore], restore])
  const edit = operation()
  expect(fold(operations, edit).operations).toEqual([remove, restore, edit])
  // Asked for twice, it comes back once.
  expect(fold(operations, operation(back)).operations).toEqual(operations)
})

test('what was refused because its entry was gone goes out behind what brings the entry back', () => {
  const gone = { code: 'no-encontrado', reason: 'No.' }
  const before = operation({ subject: other })
  const edit = operation({ tries: 1, refusal: gone, seen: [] })
  const restore = operation({ ...back })
  const { refusal: _, ...again } = edit
  expect(fold([before, edit], restore)).toMatchObject({
    operations: [before, restore, again],
    carrier: restore,
  })
  const { operations } = fold([before, edit], restore)
  expect(operations[2]).not.toHaveProperty('refusal')
  // It was made before, and is not discarded with it; what is made of the restored entry is.
  const later = operation({ seen: [edit.id, restore.id] })
  expect(discarded([...operations, later], restore.id)).toEqual([restore, later])
})

test('deleting again what was to come back leaves it deleted, and waits for what deleted it', () => {
  const remove = operation({ ...whole, tries: 1 })
  const restore = operation(back)
  expect(fold([restore], operation(whole)).operations).toEqual([])
  const folded = fold([remove, restore], operation(whole))
  expect([folded.operations, folded.carrier]).toEqual([[remove], remove])
})

test('an edit takes nothing out of a refused restoring, and goes with it when that is discarded', () => {
  const refused = operation({
    ...back,
    tries: 1,
    refusal: { code: 'no-encontrado', reason: 'No.' },
  })
  const edit = operation()
  const { operations } = fold([refused], edit)
  expect(operations).toEqual([refused, edit])
  expect(discarded(operations, refused.id)).toEqual([refused, edit])
})

test('what is erased for good is part of nothing else', () => {
  const remove = operation({ ...whole, tries: 1 })
  const erase = operation({ verb: 'erase', values: {} })
  expect(fold([remove], erase).operations).toEqual([remove, erase])
})

test('a return to an earlier version joins nothing that waits, so that what waits becomes a version too', () => {
  const edit = operation()
  const goBack = operation({ values: { name: 'antes' }, seen: [edit.id], isReturn: true })
  expect(fold([edit], goBack).operations).toEqual([edit, goBack])
  expect(fold([create()], goBack).operations).toHaveLength(2)
  const later = operation({ values: { repo: 'r' }, seen: [edit.id, goBack.id] })
  expect(fold([edit, goBack], later).operations).toMatchObject([
    edit,
    { ...goBack, values: { name: 'antes', repo: 'r' } },
  ])
})

test('whatever is made over something says over which version of it', () => {
  const row = { id: 'a', version: 3, seen: ['op'], fields: { name: 'antes' } }
  const base = { version: 3, seen: ['op'] }
  const edit = { base, values: { name: 'después' } }
  expect(updateEntryOperation(project, row, edit)).toMatchObject(base)
  expect(updatePersonOperation(row.fields, edit)).toMatchObject(base)
  expect(removeEntryOperation(project, row)).toMatchObject(base)
  for (const make of [restoreEntryOperation, eraseEntryOperation])
    expect(make(project, row, [])).toMatchObject({ version: 3 })
  expect(changeSettingOperation('age_text', '32', '31')).toMatchObject({ before: '31' })
})
