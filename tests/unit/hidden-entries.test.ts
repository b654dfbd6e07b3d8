import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { behindIn, isHidden, parseOwnEntry, type HiddenEntry } from '#contract/entries/hidden.ts'
import { parseEntry } from '#contract/api.ts'
import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import type { Entry } from '#contract/sections/section.ts'
import { entriesQuery, latestQuery } from '#client/data/queries.ts'
import { fold } from '#client/outbox/fold.ts'
import { hiddenKey, storedEntries, withHidden } from '#client/outbox/hidden-entries.ts'
import { orderValues } from '#client/outbox/new-order.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { showApplied } from '#client/outbox/show-applied.ts'
import { titleOf } from '#client/owner/changes/describe-operation.ts'
import { hiddenCount, inGenderOf } from '#client/owner/editor/hidden-words.ts'

const { key } = project
const row = (name: string, fields = {}, version = 1): Entry => ({
  id: name,
  version,
  fields: { name, ...fields },
})
const hides = { hidden: 'true' }
const hidden = (name: string, ...behind: readonly string[]): HiddenEntry => ({
  section: key,
  behind,
  entry: row(name, hides),
})
const named = (entries: readonly Entry[] | undefined) =>
  entries?.map(({ id, ...entry }) => (isHidden(entry) ? `(${id})` : id)).join(' ')

function operation(change: Partial<Operation>): Operation {
  return {
    id: 'op',
    subject: { on: 'entry', section: key, id: 'B' },
    verb: 'update',
    values: {},
    label: 'B',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}

/** A page that has read what visitors see and what is hidden. */
function pageWith(shown: readonly Entry[], own: readonly HiddenEntry[]): QueryClient {
  const queryClient = new QueryClient()
  queryClient.setQueryData(entriesQuery(project).queryKey, shown)
  queryClient.setQueryData(latestQuery(project).queryKey, shown.at(-1) ?? null)
  queryClient.setQueryData(hiddenKey, own)
  return queryClient
}

/** What visitors see, what the owner sees, and the latest entry of all visitors. */
function readings(queryClient: QueryClient) {
  return {
    shown: named(queryClient.getQueryData(entriesQuery(project).queryKey)),
    whole: named(storedEntries(queryClient, project)),
    latest: queryClient.getQueryData(latestQuery(project).queryKey)?.id,
  }
}

const abc = [row('A'), row('B'), row('C')]
const id = '0190b5c6-0000-7000-8000-000000000001'

test('only an answer to its owner can say that an entry is hidden', () => {
  const json = { id, version: 1, name: 'Radio', hidden: 'true' }
  expect(isHidden(parseEntry(project, json))).toBe(false)
  expect(isHidden(parseOwnEntry(project, json))).toBe(true)
  expect('hidden' in parseOwnEntry(project, { ...json, hidden: '' }).fields).toBe(false)
})

test('hidden entries stand in their places among what everybody sees', () => {
  const own = [hidden('H'), hidden('I', 'H'), hidden('J', 'B'), hidden('K', 'B', 'J')]
  expect(named(withHidden(key, abc, own))).toBe('(H) (I) A B (J) (K) C')
  expect(named(withHidden(experience.key, abc, own))).toBe('A B C')
  // What it stood behind has gone.
  expect(named(withHidden(key, [row('A')], [hidden('K', 'A', 'J')]))).toBe('A (K)')
})

test('of an entry that was read both ways the newer reading counts', () => {
  const read = (version: number) => [{ ...hidden('B', 'A'), entry: row('B', hides, version) }]
  expect(named(withHidden(key, abc, read(2)))).toBe('A (B) C')
  expect(named(withHidden(key, abc, read(1)))).toBe('A B C')
})

test('a place is told for whoever has only what visitors see, and for whoever has all', () => {
  const places = Array.from('aBc', (name) => ({ id: name, isHidden: name !== 'B' }))
  expect([0, 1, 2, 3].map((index) => behindIn(places, index))).toEqual([
    [],
    ['a'],
    ['B'],
    ['B', 'c'],
  ])
})

test('what is hidden leaves the list that the device keeps, and comes back to its place', async () => {
  const own = pageWith([row('A'), { ...row('B'), id }, row('C')], [])
  const subject = { on: 'entry', section: key, id } as const
  const hide = operation({ subject, values: hides })
  await showApplied(own, hide, { id, version: 2, name: 'B', ...hides })
  expect(readings(own)).toEqual({ shown: 'A C', whole: `A (${id}) C`, latest: 'C' })
  await showApplied(own, operation({ subject, values: { hidden: '' } }), {
    id,
    version: 3,
    name: 'B',
  })
  expect(readings(own)).toEqual({ shown: `A ${id} C`, whole: `A ${id} C`, latest: 'C' })
})

test('the latest entry that everybody sees is never a hidden one', async () => {
  const subject = { on: 'entry', section: key, id } as const
  const page = pageWith([row('A'), { ...row('B'), id }], [])
  await showApplied(page, operation({ subject }), { id, version: 2, name: 'B', ...hides })
  expect(readings(page).latest).toBe('A')
  await showApplied(page, operation({ subject }), { id, version: 3, name: 'B' })
  expect(readings(page).latest).toBe(id)
  const made = { subject, verb: 'create' } as const
  const other = pageWith([row('A')], [])
  await showApplied(other, operation(made), { id, version: 1, name: 'B', ...hides })
  expect(readings(other)).toEqual({ shown: 'A', whole: `A (${id})`, latest: 'A' })
})

test('an order holds for hidden entries, also until they are read again', async () => {
  const page = pageWith([row('A'), row('C')], [hidden('B', 'A')])
  const values = orderValues({ order: ['B', 'C', 'A'], moved: ['B', 'A'] })
  await showApplied(page, operation({ subject: { on: 'order', section: key }, values }), {})
  expect(readings(page)).toEqual({ shown: 'C A', whole: '(B) C A', latest: 'A' })
})

test('what waits is folded: hidden before it was sent it is made hidden, hidden and shown again it is neither', () => {
  const create = operation({ id: 'c', verb: 'create', values: { name: 'B' } })
  const hide = operation({ id: 'h', values: hides, seen: ['c'] })
  const made = fold([create], hide)
  expect(made.operations.map(({ verb, values }) => [verb, values])).toEqual([
    ['create', { name: 'B', hidden: 'true' }],
  ])
  const edit = operation({ id: 'e', version: 3, values: { name: 'Be' }, seen: [] })
  const both = fold([edit], operation({ id: 'h', version: 3, values: hides, seen: ['e'] }))
  expect(both.operations.map(({ values }) => values)).toEqual([{ name: 'Be', hidden: 'true' }])
  const removed = fold(both.operations, operation({ id: 'r', verb: 'remove', seen: ['e', 'h'] }))
  // So that it is hidden in the bin, too, and comes back so.
  expect(removed.operations.map(({ verb }) => verb)).toEqual(['update', 'remove'])
})

test('the list of changes says what a change of this field alone does', () => {
  expect(titleOf(operation({ values: hides }))).toBe('Ocultar proyecto «B»')
  expect(titleOf(operation({ values: { hidden: '' } }))).toBe('Publicar proyecto «B»')
  expect(titleOf(operation({ values: { name: 'B', hidden: '' } }))).toBe('Modificar proyecto «B»')
})

test('the words go with the noun', () => {
  const words = ['Oculto', 'Oculta'] as const
  const said = [project, experience, education, skill].map((section) => inGenderOf(section, words))
  expect(said).toEqual(['Oculto', 'Oculta', 'Oculto', 'Oculta'])
  expect(hiddenCount(project, [...abc, row('D', hides)])).toBe('3 publicados · 1 oculto')
  expect(hiddenCount(experience, [row('A'), row('D', hides), row('E', hides)])).toBe(
    '1 publicada · 2 ocultas',
  )
  expect(hiddenCount(project, abc)).toBe(undefined)
})
