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
  // By their ids, since an import leaves thousands of changes of as many entries.
  let shown = byId(rows)
  let isChanged = false
  for (const operation of operations) {
    const { subject } = operation
    const isOrder = subject.on === 'order'
    if ((!isOrder && subject.on !== 'entry') || subject.section !== section) continue
    isChanged = true
    if (!isOrder) shown = withEntry(shown, subject.id, { operation, pictureOf })
    else if (!operation.refusal) shown = byId(arranged([...shown.values()], newOrderOf(operation)))
  }
  return isChanged ? [...shown.values()] : rows
}

type Shown = Map<string, ShownEntry>

function byId(rows: readonly ShownEntry[]): Shown {
  return new Map(rows.map((row) => [row.id, row]))
}

/** The queued change of an entry. */
interface Laid extends Pick<Queued, 'pictureOf'> {
  readonly operation: Operation
}

/** The rows with one queued change of an entry on top. */
function withEntry(shown: Shown, id: string, { operation, pictureOf }: Laid): Shown {
  if (operation.verb === 'erase') return shown
  if (operation.verb === 'remove' && !operation.refusal) {
    shown.delete(id)
    return shown
  }
  const change = { fields: valuesOf(operation, pictureOf), sync: syncOf(operation) }
  const known = shown.get(id)
  if (known) {
    const seen = [...(known.seen ?? []), ...changesIn(operation)]
    const fields = { ...known.fields, ...change.fields }
    return shown.set(id, { ...known, ...change, fields, seen, under: known.under ?? known.fields })
  }
  const entry = { id, version: 0, ...change, seen: changesIn(operation) }
  // An update whose row the server no longer has still stands in the list of pending changes.
  if (operation.verb === 'create') return shown.set(id, entry)
  if (operation.verb !== 'restore' || operation.refusal) return shown
  const { version = 0, behind } = operation
  return byId(placeBehind([...shown.values()], { ...entry, version }, behind))
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
