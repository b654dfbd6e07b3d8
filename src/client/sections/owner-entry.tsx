import type { Section } from '#contract/sections/section.ts'
import type { ShownEntry } from '#client/data/outbox/overlay.ts'
import { OwnerControls } from './owner-controls.tsx'
import { SyncMark } from './sync-mark.tsx'

interface OwnerEntryProps {
  readonly section: Section
  readonly entry: ShownEntry
}

/** What the owner's list adds to one entry: how it stands with the server, and her tools. */
export function OwnerEntry({ section, entry }: OwnerEntryProps) {
  const { id, sync } = entry
  return (
    <>
      {sync && (
        <SyncMark
          sync={sync}
          subject={{ on: 'entry', section: section.key, id }}
          isSmall={section.display.kind === 'icon'}
        />
      )}
      <OwnerControls section={section} entry={entry} />
    </>
  )
}
