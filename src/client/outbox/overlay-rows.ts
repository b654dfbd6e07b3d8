import type { QueryClient } from '@tanstack/react-query'
import { withAge } from '#contract/settings/age.ts'
import type { FieldValues } from '#contract/fields.ts'
import { arranged } from '#contract/entries/order.ts'
import type { Person } from '#contract/person/person.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { OwnSettings, SettingValues } from '#contract/settings/settings.ts'
import type { ShownEntry, ShownPerson, SyncState } from '#client/data/overlay.ts'
import { newOrderOf } from './new-order.ts'
import { changesIn, type Operation, type Row, type Subject } from './operation.ts'
import { placeBehind } from './place.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { storedEntries } from './hidden-entries.ts'
import { sectionOf } from './section-of.ts'

/** The picture a queued operation brings, as an address the page can show. */
type PictureOf = (operation: Operation) => string | undefined

/** The queue as it is laid over the server's rows. */
export interface Queued {
  readonly operations: readonly Operation[]
  readonly pictureOf: PictureOf
}

/** A list as its owner sees it: the server's rows with the queued changes on top; the rows themselves stay untouched. */
export function overlayEntries(
  section: string,
  rows: readonly Entry[],
  { operations, pictureOf }: Queued,
): readonly ShownEntry[] {
  return operations.reduce<readonly ShownEntry[]>((shown, operation) => {
    const { subject } = operation
    if (subject.on === 'order' && subject.section === section && !operation.refusal) {
      return arranged(shown, newOrderOf(operation))
    }
    if (subject.on !== 'entry' || subject.section !== section) return shown
    if (operation.verb === 'remove' && !operation.refusal) {
      return shown.filter(({ id }) => id !== subject.id)
    }
    if (operation.verb === 'erase') return shown
    const change = { fields: valuesOf(operation, pictureOf), sync: syncOf(operation) }
    const known = shown.find(({ id }) => id === subject.id)
    if (!known) {
      // An update whose row the server no longer has still stands in the list of pending changes.
      const entry = { id: subject.id, version: 0, ...change, seen: changesIn(operation) }
      if (operation.verb === 'restore') {
        const { version = 0, behind } = operation
        return operation.refusal ? shown : placeBehind(shown, { ...entry, version }, behind)
      }
      return operation.verb === 'create' ? [...shown, entry] : shown
    }
    const seen = [...(known.seen ?? []), ...changesIn(operation)]
    const fields = { ...known.fields, ...change.fields }
    const merged = { ...known, ...change, fields, seen, under: known.under ?? known.fields }
    return shown.map((entry) => (entry === known ? merged : entry))
  }, rows)
}

/** The profile as its owner sees it. */
export function overlayPerson(person: Person, { operations, pictureOf }: Queued): ShownPerson {
  return operations
    .filter(({ subject }) => subject.on === 'person')
    .reduce<ShownPerson>(
      (shown, operation) => ({
        ...shown,
        fields: { ...shown.fields, ...valuesOf(operation, pictureOf) },
        sync: syncOf(operation),
        seen: [...(shown.seen ?? []), ...changesIn(operation)],
        under: shown.under ?? shown.fields,
      }),
      person,
    )
}

/** The settings as their owner sees them. */
export function overlaySettings(
  values: SettingValues,
  operations: readonly Operation[],
): OwnSettings {
  const shown = operations
    .filter(({ subject }) => subject.on === 'settings')
    .reduce<OwnSettings>(
      // Without the date it is what was once written, which this device does not know.
      (before, { values: { birth_date: birth, ...rest } }) => ({
        ...before,
        ...(birth !== undefined && { birth_date: birth, age_text: '' }),
        ...rest,
      }),
      values,
    )
  return withAge(shown, shown.birth_date ?? '', new Date())
}

function syncOf(operation: Operation): SyncState {
  return operation.refusal ? 'failed' : 'pending'
}

function valuesOf(operation: Operation, pictureOf: PictureOf): FieldValues {
  if (operation.verb === 'remove') return {}
  const picture = operation.image && pictureOf(operation)
  if (!operation.image || picture === undefined) return operation.values
  return { ...operation.values, [operation.image.field]: picture }
}

/** What a form opened now would start from: the page's row with the queue on top; undefined for what the page has not read. */
export function rowShown(
  queryClient: QueryClient,
  subject: Subject,
  queued: Queued,
): Row | undefined {
  if (subject.on === 'person') {
    const person = queryClient.getQueryData(personQuery.queryKey)
    return person && overlayPerson(person, queued)
  }
  if (subject.on === 'settings') {
    const { key } = subject
    const values = queryClient.getQueryData(settingsQuery.queryKey)
    if (!values || key === undefined) return undefined
    const shown = Object.entries(overlaySettings(values, queued.operations))
    return { version: 0, fields: Object.fromEntries(shown.filter(([name]) => name === key)) }
  }
  if (subject.on !== 'entry') return undefined
  const rows = storedEntries(queryClient, sectionOf(subject))
  return overlayEntries(subject.section, rows, queued).find(({ id }) => id === subject.id)
}
