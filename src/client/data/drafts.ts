import { clear, createStore, get, type UseStore } from 'idb-keyval'
import type { Draft } from '#contract/fields.ts'
import { logProblem } from '#client/platform/log.ts'
import { writeNow } from './write-now.ts'

/** What the owner typed and has not saved yet, kept on this device only. */
export interface SavedDraft {
  /** The id the new entry will get; the entry's own on an edit form. */
  readonly id: string
  /** The version the edit started from; 0 for a new entry. */
  readonly version: number
  /** A new entry's fields, or only the changed ones of an edit. */
  readonly fields: Draft
  /** The queue of changes has it: it is no form's any more, unless the server's no gives it back. */
  readonly isQueued?: boolean
}

const prefix = 'tintero-draft:'
const reopenPrefix = 'tintero-reopen:'

/** The draft kept under a form's key; what the queue has, and anything unreadable, counts as none. */
export function readDraft(form: string, storage: Storage = localStorage): SavedDraft | undefined {
  const draft = readKept(form, storage)
  return draft?.isQueued ? undefined : draft
}

/** Whether the queue of changes has what this form kept last. */
export function isDraftQueued(form: string, storage: Storage = localStorage): boolean {
  return readKept(form, storage)?.isQueued === true
}

/**
 * Notes that the queue has an entry's draft now, or that the form has it back. Without it a page that is closed before it
 * hears of its change would offer the draft again, and a new entry made of it would write over the one just made.
 */
export function markDraftQueued(
  id: string,
  isQueued: boolean,
  storage: Storage = localStorage,
): void {
  for (const form of draftForms(storage)) {
    const draft = readKept(form, storage)
    if (draft?.id === id) saveDraft(form, { ...draft, isQueued }, storage)
  }
}

function readKept(form: string, storage: Storage): SavedDraft | undefined {
  try {
    return parseDraft(JSON.parse(storage.getItem(prefix + form) ?? 'null'))
  } catch {
    return undefined // damaged by hand or by another version: there is nothing to recover
  }
}

/** Keeps the draft; false when the device has no room for it, so that the owner can be warned before leaving. */
export function saveDraft(
  form: string,
  draft: SavedDraft,
  storage: Storage = localStorage,
): boolean {
  try {
    storage.setItem(prefix + form, JSON.stringify(draft))
    return true
  } catch (error) {
    logProblem('A draft could not be kept', error)
    return false
  }
}

/** Forgets the draft and its picture. */
export function dropDraft(form: string, storage: Storage = localStorage): void {
  storage.removeItem(prefix + form)
  void dropDraftImage(form)
}

/** The keys of the forms that have a draft. */
export function draftForms(storage: Storage = localStorage): readonly string[] {
  return Object.keys(storage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
}

/** Forgets every draft of this device, pictures included. */
export async function dropAllDrafts(): Promise<void> {
  for (const form of draftForms()) localStorage.removeItem(prefix + form)
  await withPictures((pictures) => clear(pictures))
}

/** The picture chosen in a form and not uploaded yet. */
export async function readDraftImage(form: string): Promise<File | undefined> {
  const image = await withPictures<unknown>((pictures) => get(form, pictures))
  return image instanceof File ? image : undefined
}

export async function saveDraftImage(form: string, image: File): Promise<void> {
  await withPictures((pictures) => writeNow(pictures, [[form, image]]))
}

async function dropDraftImage(form: string): Promise<void> {
  await withPictures((pictures) => writeNow(pictures, [[form, undefined]]))
}

/** Remembers over the next load that the form was cut off by a failure and opens again by itself. */
export function reopenLater(form: string): void {
  sessionStorage.setItem(reopenPrefix + form, '1')
}

/** Whether the form is to open by itself; asked once. */
export function takeReopen(form: string): boolean {
  const isAsked = sessionStorage.getItem(reopenPrefix + form) !== null
  sessionStorage.removeItem(reopenPrefix + form)
  return isAsked
}

let store: UseStore | undefined

/** Uses the pictures' store; a browser that refuses one only loses the picture of a draft, which is logged. */
async function withPictures<T>(run: (pictures: UseStore) => Promise<T>): Promise<T | undefined> {
  try {
    store ??= createStore('tintero-drafts', 'pictures')
    return await run(store)
  } catch (error) {
    logProblem("A draft's picture could not be reached", error)
    return undefined
  }
}

function parseDraft(stored: unknown): SavedDraft | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { id, version, fields, isQueued } = stored as Partial<Record<keyof SavedDraft, unknown>>
  if (typeof id !== 'string' || typeof version !== 'number') return undefined
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string')
  return { id, version, fields: Object.fromEntries(texts), ...(isQueued === true && { isQueued }) }
}
