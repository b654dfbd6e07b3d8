import type { FieldValues } from '#contract/fields.ts'
import type { Person } from '#contract/person/person.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { OwnSettings, SettingValues } from '#contract/settings/settings.ts'
import { createStore, useStore } from '#client/ui/store.ts'

/** Absent when the device and the server agree. */
export type SyncState = 'pending' | 'failed'

export interface ShownEntry extends Entry {
  readonly sync?: SyncState
  /** The ids of the queued changes that it shows. */
  readonly seen?: readonly string[]
  /** The server's fields below those changes. */
  readonly under?: FieldValues
}

export type ShownPerson = Person & Pick<ShownEntry, 'sync' | 'seen' | 'under'>

export interface Overlay {
  readonly entries: (
    section: string,
    rows: readonly Entry[],
    isWhole?: boolean,
  ) => readonly ShownEntry[]
  readonly settings: (values: SettingValues) => OwnSettings
  readonly person: (person: Person) => ShownPerson
}

/*
 * The queue lays its changes over the pages here. A visitor's page holds only this place: the queue's own code comes
 * with the owner, or with a message that could not be sent.
 */
const overlay = createStore<Overlay | undefined>(undefined)

/** Undefined when there is nothing to lay over. */
export function setOverlay(next: Overlay | undefined): void {
  overlay.set(next)
}

/** With the owner's queued changes on top; for her, a whole list includes the entries that only she sees. */
export function useEntries(
  section: string,
  rows: readonly Entry[],
  isWhole?: boolean,
): readonly ShownEntry[] {
  return useOverlay()?.entries(section, rows, isWhole) ?? rows
}

/** The profile as the owner sees it, with her queued changes; for visitors as it is. */
export function usePerson(person: Person): ShownPerson {
  return useOverlay()?.person(person) ?? person
}

/** Undefined while the settings are not read yet. */
export function useSettings<V extends SettingValues | undefined>(values: V): V | OwnSettings {
  const current = useOverlay()
  return current && values ? current.settings(values) : values
}

/** What lies over the data because of queued changes; undefined for visitors. */
export function useOverlay(): Overlay | undefined {
  return useStore(overlay, undefined)
}
