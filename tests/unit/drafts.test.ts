import { expect, test } from 'vitest'
import { changedFields } from '#client/data/changed-fields.ts'
import {
  draftForms,
  isDraftQueued,
  markDraftQueued,
  readDraft,
  saveDraft,
} from '#client/data/drafts.ts'

const draft = { id: '0190b0f4-0000-7000-8000-000000000001', version: 3, fields: { name: 'Faro' } }

/** Storage as the browser's, with room for so many characters; its keys are its own properties there too. */
function storageOf(entries: Readonly<Record<string, string>> = {}, room = 1000): Storage {
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new Error('QuotaExceededError')
      storage[key] = value
    },
    removeItem: (key: string) => void delete storage[key],
  }
  const storage: Record<string, string> = Object.create(methods) as Record<string, string>
  return Object.assign(storage, entries) as unknown as Storage
}

test('a kept draft comes back as it was', () => {
  const storage = storageOf()
  expect(saveDraft('proyect-new', draft, storage)).toBe(true)
  expect(readDraft('proyect-new', storage)).toEqual(draft)
})

test('a draft is kept for its own form only', () => {
  const storage = storageOf()
  saveDraft('proyect-new', draft, storage)
  expect(readDraft('skill-new', storage)).toBeUndefined()
})

test('a device without room says so instead of throwing', () => {
  expect(saveDraft('proyect-new', draft, storageOf({}, 10))).toBe(false)
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '7',
  '{"id":1,"version":1,"fields":{}}',
  '{"id":"a","version":1}',
])('what is no draft (%s) is read as none', (stored) => {
  const storage = storageOf({ 'tintero-draft:skill-new': stored })
  expect(readDraft('skill-new', storage)).toBeUndefined()
})

test('a field that is no text is left out of a draft', () => {
  const stored = JSON.stringify({ ...draft, fields: { name: 'Faro', icon: 7 } })
  const storage = storageOf({ 'tintero-draft:skill-new': stored })
  expect(readDraft('skill-new', storage)?.fields).toEqual({ name: 'Faro' })
})

test('the forms with a draft are found among other things on the device', () => {
  const storage = storageOf({ theme: 'dark' })
  saveDraft('proyect-new', draft, storage)
  saveDraft('skill-7', draft, storage)
  expect(draftForms(storage).toSorted()).toEqual(['proyect-new', 'skill-7'])
})

test('only fields with another text count as changed', () => {
  const stored = { name: 'Faro', description: 'Uno', duration: '' }
  const values = { name: 'Faro', description: 'Dos', duration: '' }
  expect(changedFields(stored, values)).toEqual({ description: 'Dos' })
})

test('white space around a text and the kind of its line breaks are no change', () => {
  expect(changedFields({ description: 'a\nb' }, { description: ' a\r\nb\n' })).toEqual({})
})

test('a field that was never stored counts as changed once it has a text', () => {
  expect(changedFields({}, { name: 'Faro', repo: '' })).toEqual({ name: 'Faro' })
})

test('a draft that the queue has is no form’s, until it is given back', () => {
  const storage = storageOf()
  saveDraft('proyect-new', draft, storage)
  saveDraft('skill-new', { ...draft, id: 'another' }, storage)
  markDraftQueued(draft.id, true, storage)
  expect(readDraft('proyect-new', storage)).toBeUndefined()
  expect(isDraftQueued('proyect-new', storage)).toBe(true)
  expect(readDraft('skill-new', storage)).toMatchObject({ id: 'another' })
  markDraftQueued(draft.id, false, storage)
  expect(readDraft('proyect-new', storage)).toMatchObject(draft)
  expect(isDraftQueued('proyect-new', storage)).toBe(false)
})
