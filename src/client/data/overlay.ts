import type { Person } from '#contract/person/person.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { OwnSettings, SettingValues } from '#contract/settings/settings.ts'
import { createStore, useStore } from '#client/ui/store.ts'

/** Where a shown thing stands with the server; absent when both agree. */
export type SyncState = 'pending' | 'failed'

export interface ShownEntry extends Entry {
  readonly sync?: SyncState
  /** The queued changes that are shown in it, by id. */
  readonly seen?: readonly string[]
}

export type ShownPerson = Person & Pick<ShownEntry, 'sync' | 'seen'>

/** The server's rows with the owner's queued changes on top. */
export interface Overlay {
  /** Where it is asked for the whole, with the entries that only she sees. */
  readonly entries: (
    section: string,
    rows: readonly Entry[],
    isWhole?: boolean,
  ) => readonly ShownEntry[]
  readonly settings: (values: SettingValues) => OwnSettings
  readonly person: (person: Person) => ShownPerson
}

/*
 * A place for the queue to lay its changes over the pages. A visitor's page holds only this place: the queue's own code
 * comes with the owner, or with a message that could not be sent.
 */
const overlay = createStore<Overlay | undefined>(undefined)

/** Lays other changes over every page; undefined when there are none to show. */
export function setOverlay(next: Overlay | undefined): void {
  overlay.set(next)
}

/** A section's entries as this person is to see them; the whole list has those that only its owner sees, for her. */
export function useEntries(
  section: string,
  rows: readonly Entry[],
  isWhole?: boolean,
): readonly ShownEntry[] {
  return useOverlay()?.entries(section, rows, isWhole) ?? rows
}

/** The profile as this person is to see it. */
export function usePerson(person: Person): ShownPerson {
  return useOverlay()?.person(person) ?? person
}

/** The settings as this person is to see them; undefined while they are not read yet. */
export function useSettings<V extends SettingValues | undefined>(values: V): V | OwnSettings {
  const current = useOverlay()
  return current && values ? current.settings(values) : values
}

/** What is laid over the pages, for whoever looks at several of them at once. */
export function useOverlay(): Overlay | undefined {
  return useStore(overlay, undefined)
}
