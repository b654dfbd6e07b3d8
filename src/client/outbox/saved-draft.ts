import type { FieldValues } from '#contract/fields.ts'
import { cleanText } from '#contract/text.ts'
import type { Framing } from '#client/browser/crop.ts'
import type { Operation } from './operation.ts'

/** What the owner typed and has not saved yet, kept on this device only. */
export interface SavedDraft {
  /** The id the new entry will get; the entry's own on an edit form. */
  readonly id: string
  /** The version the edit started from; 0 for a new entry. */
  readonly version: number
  /** A new entry's fields, or only the changed ones of an edit. */
  readonly fields: FieldValues
  /** What the form showed in those fields before they were changed. */
  readonly base?: FieldValues
  /** Which part of its picture is to be seen; absent for the whole. */
  readonly framing?: Framing
  /** Which of its fields, and `sharedPicture`, were filled with what was shared to the installed app. */
  readonly shared?: readonly string[]
  /** The key under which that was kept for it: what is there still has been taken. */
  readonly sharedKey?: IDBValidKey
  /** The id is what a résumé knows the entry by, so that it stays. */
  readonly keepsId?: true
  /** The queue of changes has it: it is no form's any more, unless the server's no gives it back. */
  readonly isQueued?: boolean
  /** Whose it is: no other account is shown it, or writes over it. Absent in what an earlier version kept. */
  readonly account?: string
}

/** A draft as it was kept; undefined for anything else. */
export function parseDraft(stored: unknown): SavedDraft | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { id, version, fields, base, framing, shared, sharedKey, isQueued, keepsId, account } =
    stored as Partial<Record<keyof SavedDraft, unknown>>
  const texts = textsOf(fields)
  if (typeof id !== 'string' || typeof version !== 'number' || !texts) return undefined
  const before = textsOf(base)
  return {
    id,
    version,
    fields: texts,
    ...(before && { base: before }),
    ...(isFraming(framing) && { framing }),
    ...(Array.isArray(shared) && { shared: shared.filter((name) => typeof name === 'string') }),
    ...(sharedKey !== undefined && { sharedKey: sharedKey as IDBValidKey }),
    ...(isQueued === true && { isQueued }),
    ...(keepsId === true && { keepsId }),
    ...(typeof account === 'string' && { account }),
  }
}

/**
 * Whether a change of its entry carries all of a draft. Another tab's does not, nor does one from elsewhere, and whoever typed the
 * draft still has it to send.
 */
export function isCarried(
  { fields }: SavedDraft,
  { values, image }: Pick<Operation, 'values' | 'image'>,
): boolean {
  const names = Object.keys(fields)
  if (names.length === 0) return image !== undefined
  return names.every(
    (name) => name in values && cleanText(fields[name] ?? '') === cleanText(values[name] ?? ''),
  )
}

function isFraming(value: unknown): value is Framing {
  if (typeof value !== 'object' || value === null) return false
  const { ratio, at } = value as Partial<Record<keyof Framing, unknown>>
  return typeof ratio === 'number' && typeof at === 'number'
}

function textsOf(fields: unknown): FieldValues | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts)
}
