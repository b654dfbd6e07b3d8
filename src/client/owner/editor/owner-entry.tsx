import { isHidden } from '#contract/entries/hidden.ts'
import type { Section } from '#contract/sections/section.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { DeadLinkBadge } from './dead-link.tsx'
import { HiddenBadge, PublishBar } from './hidden-mark.tsx'
import { OwnerControls } from './owner-controls.tsx'
import { SyncMark } from '#client/owner/changes/sync-mark.tsx'

interface OwnerEntryProps {
  readonly section: Section
  readonly entry: ShownEntry
  /** The list that it stands in, in the server's order. */
  readonly list: readonly ShownEntry[]
}

/** What the owner's list adds to one entry: how it stands with the server, and her tools. */
export function OwnerEntry({ section, entry, list }: OwnerEntryProps) {
  const { id, sync } = entry
  return (
    <>
      {!sync && isHidden(entry) && <HiddenBadge section={section} />}
      {!sync && !isHidden(entry) && <DeadLinkBadge section={section} entry={entry} />}
      {sync && (
        <SyncMark
          sync={sync}
          subject={{ on: 'entry', section: section.key, id }}
          isSmall={section.display.kind === 'icon'}
        />
      )}
      <OwnerControls section={section} entry={entry} list={list} />
      {isHidden(entry) && section.display.kind === 'icon' && (
        <PublishBar section={section} entry={entry} />
      )}
    </>
  )
}
