import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'
import { createEntryOperation, updateEntryOperation } from '#client/owner/changes/submit-change.ts'
import { changesIn, isRefused, type Operation, type Refusal } from '#client/outbox/operation.ts'
import type { Outbox } from '#client/outbox/outbox.ts'
import type { Submission } from './use-entry-form.ts'

/** What the form of a new entry has sent, and does not know the end of. */
export interface EntryTry {
  /** The entry. */
  readonly id: string
  /** The changes of it, the one that makes it first. */
  readonly changes: readonly string[]
  readonly name: string
  readonly filling: number
}

interface Trying {
  readonly before: EntryTry | undefined
  readonly outbox: Pick<Outbox, 'getState' | 'isTaken' | 'takeBack'>
}

/**
 * The change that makes the entry of this form, in place of what was tried before and certainly did not arrive; where that may
 * have arrived, one that goes behind it. What has another name by now, or was typed after the form was emptied, is another
 * entry: the earlier one stays.
 */
export async function nextTry(
  section: Section,
  { id: fresh, filling, values }: Pick<Submission, 'id' | 'filling' | 'values'>,
  { before, outbox }: Trying,
): Promise<EntryTry & { readonly change: Operation }> {
  const name = nameOf(section, values)
  if (before?.name === name && before.filling === filling) {
    await takeBackUnsent(before, outbox)
    if (mayBeMade(before, outbox)) {
      const { id, changes } = before
      const base = { version: 0, seen: changes }
      const change = updateEntryOperation(section, { id, fields: values }, { base, values })
      return { ...before, changes: [...changes, change.id], change }
    }
  }
  // The server makes no entry under the id of one that was deleted.
  const id = before ? newId() : fresh
  const change = createEntryOperation(section, id, values)
  return { id, changes: [change.id], name, filling, change }
}

/** Whether the change was refused because the entry was deleted or changed elsewhere: it stays so. */
export function isElsewhere(refusal: Refusal): boolean {
  return refusal.current !== undefined || refusal.code === 'no-encontrado'
}

/** Takes out of the queue what was never sent, or was refused, unless it leaves in this moment. */
async function takeBackUnsent(
  { id: entry, changes }: EntryTry,
  { getState, takeBack }: Trying['outbox'],
): Promise<void> {
  const queued = getState().operations.filter(
    ({ subject }) => subject.on === 'entry' && subject.id === entry,
  )
  // What was changed of it in another place would go with it.
  if (!queued.flatMap(changesIn).every((id) => changes.includes(id))) return
  for (const operation of queued) {
    const { id, tries } = operation
    if (tries === 0 || isRefused(operation)) await takeBack(id, tries)
  }
}

/** Whether the server has the entry, or is to get it. */
function mayBeMade(
  { changes: [creation = ''] }: EntryTry,
  { getState, isTaken }: Trying['outbox'],
): boolean {
  const isQueued = getState().operations.some((one) => changesIn(one).includes(creation))
  return isQueued || isTaken(creation)
}

/** What tells an entry from another. */
function nameOf({ display }: Section, values: FieldValues): string {
  const under = display.kind === 'card' ? display.under : undefined
  return JSON.stringify([values[display.title], values[under ?? '']])
}
