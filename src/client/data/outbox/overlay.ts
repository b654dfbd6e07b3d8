import type { Draft } from '#contract/fields.ts'
import type { Person } from '#contract/person.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings.ts'
import type { Operation } from './operation.ts'

/** Where a shown thing stands with the server; absent when both agree. */
export type SyncState = 'pending' | 'failed'

export interface ShownEntry extends Entry {
  readonly sync?: SyncState
}

/** The picture a queued operation brings, as an address the page can show. */
export type PictureOf = (operation: Operation) => string | undefined

/** A list as its owner sees it: the server's rows with the queued changes on top; the rows themselves stay untouched. */
export function overlayEntries(
  section: string,
  rows: readonly Entry[],
  { operations, pictureOf }: { operations: readonly Operation[]; pictureOf: PictureOf },
): readonly ShownEntry[] {
  return operations.reduce<readonly ShownEntry[]>((shown, operation) => {
    const { subject } = operation
    if (subject.on !== 'entry' || subject.section !== section) return shown
    if (operation.verb === 'remove' && !operation.refusal) {
      return shown.filter(({ id }) => id !== subject.id)
    }
    const change = { fields: valuesOf(operation, pictureOf), sync: syncOf(operation) }
    const known = shown.find(({ id }) => id === subject.id)
    if (!known) {
      // An update whose row the server no longer has still stands in the list of pending changes.
      if (operation.verb !== 'create') return shown
      return [...shown, { id: subject.id, version: 0, ...change }]
    }
    const merged = { ...known, fields: { ...known.fields, ...change.fields }, sync: change.sync }
    return shown.map((entry) => (entry === known ? merged : entry))
  }, rows)
}

/** The profile as its owner sees it. */
export function overlayPerson(
  person: Person,
  { operations, pictureOf }: { operations: readonly Operation[]; pictureOf: PictureOf },
): Person & { readonly sync?: SyncState } {
  return operations
    .filter(({ subject }) => subject.on === 'person')
    .reduce<Person & { readonly sync?: SyncState }>(
      (shown, operation) => ({
        ...shown,
        fields: { ...shown.fields, ...valuesOf(operation, pictureOf) },
        sync: syncOf(operation),
      }),
      person,
    )
}

/** The settings as their owner sees them. */
export function overlaySettings(
  values: SettingValues,
  operations: readonly Operation[],
): SettingValues {
  return operations
    .filter(({ subject }) => subject.on === 'settings')
    .reduce<SettingValues>((shown, change) => ({ ...shown, ...change.values }), values)
}

function syncOf(operation: Operation): SyncState {
  return operation.refusal ? 'failed' : 'pending'
}

function valuesOf(operation: Operation, pictureOf: PictureOf): Draft {
  if (operation.verb === 'remove') return {}
  const picture = operation.image && pictureOf(operation)
  if (!operation.image || picture === undefined) return operation.values
  return { ...operation.values, [operation.image.field]: picture }
}
