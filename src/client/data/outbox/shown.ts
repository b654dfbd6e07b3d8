import { useSyncExternalStore } from 'react'
import type { Person } from '#contract/person.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings.ts'
import type { ShownEntry, SyncState } from './overlay.ts'

/** The server's rows with the owner's queued changes on top. */
export interface Overlay {
  readonly entries: (section: string, rows: readonly Entry[]) => readonly ShownEntry[]
  readonly settings: (values: SettingValues) => SettingValues
  readonly person: (person: Person) => Person & { readonly sync?: SyncState }
}

/*
 * A place for the queue to lay its changes over the pages. A visitor's page holds only this place: the queue's own code
 * comes with the owner, or with a message that could not be sent.
 */
const listeners = new Set<() => void>()
let overlay: Overlay | undefined

/** Lays other changes over every page; undefined when there are none to show. */
export function setOverlay(next: Overlay | undefined): void {
  overlay = next
  for (const listener of listeners) listener()
}

/** A section's entries as this person is to see them. */
export function useShownEntries(section: string, rows: readonly Entry[]): readonly ShownEntry[] {
  return useOverlay()?.entries(section, rows) ?? rows
}

/** The profile as this person is to see it. */
export function useShownPerson(person: Person): Person & { readonly sync?: SyncState } {
  return useOverlay()?.person(person) ?? person
}

/** The settings as this person is to see them; undefined while they are not read yet. */
export function useShownSettings<V extends SettingValues | undefined>(
  values: V,
): V | SettingValues {
  const current = useOverlay()
  return current && values ? current.settings(values) : values
}

function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => overlay,
    () => undefined,
  )
}
