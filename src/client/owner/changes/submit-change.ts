import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import type { NewOrder } from '#contract/entries/order.ts'
import { fullName } from '#contract/person/person.ts'
import type { Section } from '#contract/sections/section.ts'
import type { OwnKey } from '#contract/settings/settings.ts'
import { importTexts } from '#contract/texts/import.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { askToLast } from '#client/browser/lasting.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { orderValues } from '#client/outbox/new-order.ts'
import type { Operation, Row } from '#client/outbox/operation.ts'
import { pageOutbox, presentAccount } from '#client/outbox/page-outbox.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { picturePlace } from '#client/outbox/upload-picture.ts'
import { briefOrder } from './brief-order.ts'

/** What the change's maker saw: the server's version and the queued changes on top of it. */
export type Base = Required<Pick<Row, 'version' | 'seen'>>

/** What a change of this row is based on, so that the server can tell a conflict. */
export function baseOf({ version, seen = [] }: Row): Base {
  return { version, seen }
}

/** The id is made in the browser. */
export function createEntryOperation(section: Section, id: string, values: FieldValues): Operation {
  const label = values[section.display.title] ?? ''
  const { [hiddenField]: hidden, ...shown } = values
  const sent = hidden ? values : shown
  return made({ subject: entryOf(section, id), verb: 'create', values: sent, label })
}

/** An entry of a résumé may leave out fields that a form requires. */
export function importEntryOperation(section: Section, id: string, values: FieldValues): Operation {
  return { ...createEntryOperation(section, id, values), isImported: true }
}

/** Keeps what a résumé says that has no place on the site; undefined forgets it. */
export function keepResumeOperation(id: string, said: string | undefined): Operation {
  const subject = { on: 'resume', id } as const
  const label = importTexts.keptPart
  if (said === undefined) return made({ subject, verb: 'remove', values: {}, label })
  return made({ subject, verb: 'create', values: { said }, label })
}

/** The queue keeps nothing of the message's text. */
export function markAnsweredOperation(id: string, answered: boolean): Operation {
  const subject = { on: 'answer', id } as const
  const label = answered ? queueTexts.answered : queueTexts.unanswered
  return made({ subject, verb: 'update', values: { answered: String(answered) }, label })
}

interface Edit {
  readonly base: Base
  /** Only the changed fields. */
  readonly values: FieldValues
}

/** The change of an entry's values, named after the entry as it will be. */
export function updateEntryOperation(
  section: Section,
  { id, fields }: Known,
  { base, values }: Edit,
): Operation {
  const { title } = section.display
  const label = values[title] ?? fields[title] ?? ''
  return made({ subject: entryOf(section, id), verb: 'update', values, label, ...base })
}

/** Brings back an earlier text, which may lack fields that the forms have come to require. */
export function returning(edit: Operation): Operation {
  return { ...edit, isReturn: true, isImported: true }
}

type Known = Pick<Row, 'fields'> & { readonly id: string }

/** The move of an entry into the bin. */
export function removeEntryOperation(section: Section, entry: Known & Row): Operation {
  const label = entry.fields[section.display.title] ?? ''
  const subject = entryOf(section, entry.id)
  return made({ subject, verb: 'remove', values: {}, label, ...baseOf(entry) })
}

/** The entry is shown as it was until the server confirms. */
export function restoreEntryOperation(
  section: Section,
  { id, fields, version }: Known & Pick<Row, 'version'>,
  behind: readonly string[],
): Operation {
  const label = fields[section.display.title] ?? ''
  const subject = entryOf(section, id)
  return made({ subject, verb: 'restore', values: fields, label, version, behind })
}

/** The new order of a section's entries. */
export function orderEntriesOperation(section: Section, order: NewOrder): Operation {
  const subject = { on: 'order', section: section.key } as const
  const values = orderValues(briefOrder(order))
  return made({ subject, verb: 'update', values, label: section.title })
}

/** The end of an entry that lies in the bin, for good. */
export function eraseEntryOperation(
  section: Section,
  { id, fields, version }: Known & Pick<Row, 'version'>,
): Operation {
  const label = fields[section.display.title] ?? ''
  return made({ subject: entryOf(section, id), verb: 'erase', values: {}, label, version })
}

/** `fields` are the profile's present values. */
export function updatePersonOperation(fields: FieldValues, { base, values }: Edit): Operation {
  const label = fullName({ version: 0, fields: { ...fields, ...values } })
  return made({ subject: { on: 'person' }, verb: 'update', values, label, ...base })
}

/** The value replaces `before`. */
export function changeSettingOperation(key: OwnKey, value: string, before: string): Operation {
  const { label } = settingWords[key]
  const subject = { on: 'settings', key } as const
  return made({ subject, verb: 'update', values: { [key]: value }, before, label })
}

function entryOf(section: Section, id: string) {
  return { on: 'entry', section: section.key, id } as const
}

function made(change: Omit<Operation, 'id' | 'madeAt' | 'tries' | 'owner'>): Operation {
  const owner = presentAccount()
  const madeAt = new Date().toISOString()
  return { id: newId(), madeAt, tries: 0, ...change, ...(owner?.account && { owner }) }
}

interface SubmitOptions {
  readonly queryClient: QueryClient
  readonly picture?: Blob | undefined
  /** Without a form to return to, a refused change stays in the queue with the reason. */
  readonly isFormless?: boolean
  /** What is typed over the thing is no part of the change, and stays with its forms. */
  readonly leavesDrafts?: boolean
  /** The share of the picture that is sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/**
 * Keeps a change of the owner on this device and sends it as soon as possible; no other function calls the write
 * routes, but for the one below. Resolves with the server's answer, or with `queued` when it waits.
 */
export async function submitChange(
  change: Operation,
  { queryClient, picture, ...options }: SubmitOptions,
): Promise<ChangeResult> {
  // The browser asks only during the press that sends the change.
  void askToLast()
  const operation = { ...change, ...imageOf(change, picture) }
  // Busy from the first moment: until the change is on disk a reload would lose it.
  return whileBusy(() => pageOutbox(queryClient).add(operation, { picture, ...options }))
}

/** Keeps several changes at once, all of them or none, each sent as soon as possible; resolves to whether they outlive this page. */
export async function submitChanges(
  changes: readonly Operation[],
  queryClient: QueryClient,
): Promise<boolean> {
  void askToLast()
  const { isKept } = await whileBusy(() => pageOutbox(queryClient).addAll(changes))
  return isKept
}

/** As `submitChanges`, for changes that must outlive this page; throws where the device does not keep them, and nothing is changed then. */
export async function submitKeptChanges(
  changes: readonly Operation[],
  queryClient: QueryClient,
): Promise<void> {
  void askToLast()
  await whileBusy(() => pageOutbox(queryClient).addAll(changes, true))
}

function imageOf(change: Operation, picture: Blob | undefined): Pick<Operation, 'image'> {
  const { field } = picturePlace(change)
  if (!picture || field === undefined) return {}
  return { image: { field, name: picture instanceof File ? picture.name : '' } }
}
