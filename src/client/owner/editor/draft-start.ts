import { cleanText } from '#contract/text.ts'
import type { FieldValues } from '#contract/fields.ts'
import type { KeptDraft } from '#client/owner/drafts/entry-drafts.ts'
import type { SavedDraft } from '#client/outbox/saved-draft.ts'
import type { FramedPicture } from './framed-picture.ts'

/** The draft of an earlier page, with its picture as the form shows and sends it. */
export interface OpenDraft extends Omit<KeptDraft, 'picture'> {
  readonly picture?: FramedPicture | undefined
  /** Whose the form is: what is kept of it late is hers, too, whoever is signed in by then. */
  readonly account: string
}

interface Opening {
  readonly kept: OpenDraft
  /** What the form shows without a draft. */
  readonly stored: FieldValues
  readonly makeId: () => string
  readonly version: number
}

interface DraftStart {
  readonly id: string
  /** The version that the form has seen. */
  readonly version: number
  readonly values: FieldValues
  readonly picture?: FramedPicture | undefined
  /** Whether the device has the texts that the form begins with. */
  readonly isRecovered: boolean
  /** A draft typed over an older version of the same fields: the form shows the newer version and offers the draft. */
  readonly earlier?:
    | { readonly fields: FieldValues; readonly picture?: FramedPicture | undefined }
    | undefined
}

/**
 * Puts the draft's differing texts over the stored ones. A draft of fields that changed since it was typed is not put
 * over them: the person then sees the newer text first, so nothing is a conflict.
 */
export function startOf({ kept, stored, makeId, version }: Opening): DraftStart {
  const { draft, picture } = kept
  const changed = Object.entries(draft?.fields ?? {}).filter(
    ([name, value]) => name in stored && !isSame(value, stored[name]),
  )
  const begin = { id: draft?.id ?? makeId(), version, values: stored, isRecovered: false }
  if (changed.length === 0 && !picture) return begin
  const fields = Object.fromEntries(changed)
  if (draft && changed.some(([name]) => isOverOlder(draft, { name, stored, version }))) {
    return { ...begin, earlier: { fields, picture } }
  }
  const isRecovered = kept.isUnkept !== true
  return { ...begin, values: { ...stored, ...fields }, picture, isRecovered }
}

interface Look {
  readonly name: string
  readonly stored: FieldValues
  readonly version: number
}

function isOverOlder(draft: SavedDraft, { name, stored, version }: Look): boolean {
  const before = draft.base?.[name]
  // Drafts of earlier builds recorded only the version.
  return before === undefined ? draft.version < version : !isSame(before, stored[name])
}

function isSame(a: string, b = ''): boolean {
  return cleanText(a) === cleanText(b)
}
