import type { LastChange } from '#contract/api.ts'
import type { FieldValues } from '#contract/fields.ts'
import type { SettingKey } from '#contract/settings/settings.ts'
import { messageTexts } from '#contract/texts/message.ts'

/** What an operation is about; operations of one subject reach the server in the order they were made. */
export type Subject =
  | { readonly on: 'entry'; readonly section: string; readonly id: string }
  | { readonly on: 'person' }
  /** The order of a section's entries. */
  | { readonly on: 'order'; readonly section: string }
  /** One setting by its key; without one, those that an earlier version of the product changed together. */
  | { readonly on: 'settings'; readonly key?: string }
  /** A part of an imported résumé that has no place on the site. */
  | { readonly on: 'resume'; readonly id: string }
  /** The owner's mark on a message that she has answered it. */
  | { readonly on: 'answer'; readonly id: string }
  | { readonly on: 'message'; readonly id: string }

/** The code of a refusal that needs no server: this device itself has a change that the form never saw. */
export const changedHere = 'cambiado-aqui'

/** The server's no: shown with its reason, never dropped without the person's word. */
export interface Refusal {
  readonly code: string
  readonly reason: string
  readonly errors?: Readonly<Record<string, string>>
  /** The server's values when somebody changed them meanwhile, to be put side by side. */
  readonly current?: Row & { readonly changed?: LastChange }
}

/** An account, with the name that people know it by. */
export interface Account {
  readonly account: string
  readonly userName: string
}

/** A thing as somebody sees it who is about to change it. */
export interface Row {
  readonly version: number
  readonly fields: FieldValues
  /** The queued changes that are in these fields, by id. */
  readonly seen?: readonly string[]
  /** The server's fields below those changes. */
  readonly under?: FieldValues
}

/** One change waiting for the server. */
export interface Operation {
  /** UUID v7, sent as the Idempotency-Key; the picture that it brings is kept under it. */
  readonly id: string
  readonly subject: Subject
  /** `restore` brings a deleted entry back, `erase` ends it for good. */
  readonly verb: 'create' | 'update' | 'remove' | 'restore' | 'erase'
  /**
   * The whole draft of a create or message, the changed fields of an update, what a restored entry shows until the server says
   * so, nothing for a remove but what it takes back.
   */
  readonly values: FieldValues
  /** The version this was based on, sent as If-Match. */
  readonly version?: number
  /**
   * The changes of this device's queue that its maker had in view: others are not written over unasked. Absent in what an
   * earlier version of the product kept, which counts as having seen all.
   */
  readonly seen?: readonly string[]
  /** The entries that a restored one stands behind, as far as they are there. */
  readonly behind?: readonly string[]
  /** The value that a setting was chosen in place of; absent in what an earlier version kept. */
  readonly before?: string
  /** The changes that became this one, where it is not one alone. */
  readonly changes?: readonly string[]
  /** The picture field and file name; the picture itself is kept apart, see `pictureId`. */
  readonly image?: {
    readonly field: string
    readonly name: string
    readonly broughtBy?: string
    /** Where it is stored once it is up: another upload may get another address, and every try has to send the same. */
    readonly address?: string
  }
  /** It comes from a résumé, or takes it back: either may leave out what a form insists on. */
  readonly isImported?: true
  /** It brings an earlier version back: what waits before it goes out first, so that this becomes a version too. */
  readonly isReturn?: true
  /** Whose change it is: it goes out under no other account. Absent in visitors' messages and in what an earlier version kept. */
  readonly owner?: Account
  /** What a visitor's form tells beside the message: the field only robots fill, and its age in milliseconds. */
  readonly form?: { readonly honeypot: string; readonly ageMs?: number; readonly mark?: string }
  /** What the person calls the thing, for the list of pending changes. */
  readonly label: string
  readonly madeAt: string
  /** How often it was handed to the network; 0 means the server cannot know of it. */
  readonly tries: number
  readonly refusal?: Refusal
}

/** The id under which an operation's picture is kept: of the operation that brought it, which may have been merged into this one. */
export function pictureId({ id, image }: Operation): string {
  return image?.broughtBy ?? id
}

/** The ids of the changes that an operation carries. */
export function changesIn({ id, changes }: Operation): readonly string[] {
  return changes ?? [id]
}

/** Whether the operation belongs to another account than this one; what names none belongs to nobody else. */
export function isForeign({ owner }: Operation, present: Account | undefined): boolean {
  if (!owner || !present) return false
  // A session from before accounts had a name of their own.
  if (present.account === '') return owner.userName !== present.userName
  return owner.account !== present.account
}

/** Whether both are one account's, on the same thing. */
export function isSameThing(a: Operation, b: Operation): boolean {
  return a.owner?.account === b.owner?.account && isSameSubject(a.subject, b.subject)
}

/** A name that operations on the same thing share; all settings of an account share one, since some operations are about several. */
export function thingOf({ owner, subject }: Operation): string {
  const { on, section, id }: { on: string; section?: string; id?: string } = subject
  return JSON.stringify([owner?.account, on, section, id])
}

/** Settings without a key are the same as any one setting. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  if (a.on !== b.on) return false
  if (a.on === 'entry' && b.on === 'entry') return a.section === b.section && a.id === b.id
  if (a.on === 'message' && b.on === 'message') return a.id === b.id
  if (a.on === 'order' && b.on === 'order') return a.section === b.section
  if (a.on === 'resume' && b.on === 'resume') return a.id === b.id
  if (a.on === 'answer' && b.on === 'answer') return a.id === b.id
  if (a.on === 'settings' && b.on === 'settings') {
    return a.key === undefined || b.key === undefined || a.key === b.key
  }
  return true
}

/** What waits together when the server asks for time: its limits and its read-only mode are about one of these. */
export type Lane = 'content' | 'settings' | 'messages'

/** Whatever is neither a message nor a setting is content, parts of résumés and marks of the owner included. */
export function laneOf({ on }: Subject): Lane {
  if (on === 'message') return 'messages'
  return on === 'settings' ? 'settings' : 'content'
}

/** Whether it ends the read-only mode, in which the server takes no content. */
export function endsReadOnly({ subject, values }: Operation): boolean {
  return subject.on === 'settings' && values[readOnlyKey] === 'false'
}

const readOnlyKey: SettingKey = 'maintenance_readonly'

/** The refusal of a message that nobody but the visitor may send any more. */
export const tooOld: Refusal = { code: 'vencido', reason: messageTexts.expired }

/** Whether it is the device, not the server, that stopped the operation. */
export function isTooOld({ refusal }: Operation): boolean {
  return refusal?.code === tooOld.code
}

/** The code that holds a change which the browser threw away with the site's data, until the person says what is to become of it. */
export const thrownAway = 'borrado-aqui'

/** Whether the server said no, so that it certainly has not done it. */
export function isRefused({ refusal }: Pick<Operation, 'refusal'>): boolean {
  return refusal !== undefined && refusal.code !== thrownAway
}

/** Whether it edits an entry that the server has no more: it may come back from the bin. */
export function isOfGone({ subject, verb, refusal }: Operation): boolean {
  return subject.on === 'entry' && verb === 'update' && refusal?.code === 'no-encontrado'
}

/** Whether the server may have done it although nobody heard so. */
export function mayBeDone(operation: Operation): boolean {
  return operation.tries > 0 && !isRefused(operation)
}
