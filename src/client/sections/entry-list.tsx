import { lazy, Suspense, type ReactNode } from 'react'
import type { Section } from '#contract/sections/section.ts'
import type { ShownEntry } from '#client/data/outbox/overlay.ts'
import { EntryView } from './entry-view.tsx'

// Only the owner's browser ever asks for this code.
const OwnerEntry = lazy(async () => ({ default: (await import('./owner-entry.tsx')).OwnerEntry }))

interface EntryListProps {
  readonly section: Section
  /** In the server's order. */
  readonly entries: readonly ShownEntry[]
  readonly isOwner: boolean
  /** Whether the list was waited for: then its items come in one after the other. */
  readonly isFresh: boolean
}

/** A section's entries in the order and shape its definition asks for. */
export function EntryList({ section, entries, isOwner, isFresh }: EntryListProps) {
  const shown = section.order === 'newest-first' ? entries.toReversed() : entries
  return (
    <ListFrame section={section} className={isFresh ? 'stagger' : ''}>
      {shown.map((entry, index) => (
        <li key={entry.id} className={entry.sync ? `item is-${entry.sync}` : 'item'}>
          <EntryView
            section={section}
            entry={entry}
            load={loadOf(section, index)}
            controls={
              isOwner && (
                <Suspense fallback={null}>
                  <OwnerEntry section={section} entry={entry} />
                </Suspense>
              )
            }
          />
        </li>
      ))}
    </ListFrame>
  )
}

interface ListFrameProps {
  readonly section: Section
  readonly className?: string
  readonly children: ReactNode
}

/** The list element of a section's layout: a timeline is in order, the others are not. */
export function ListFrame({ section: { display }, className = '', children }: ListFrameProps) {
  if (display.kind === 'icon') return <ul className={`tiles ${className}`.trim()}>{children}</ul>
  if (display.layout === 'grid') return <ul className={`grid ${className}`.trim()}>{children}</ul>
  return <ol className={`timeline ${className}`.trim()}>{children}</ol>
}

const atOnce = { grid: 3, timeline: 4, icon: 16 }

function loadOf({ display }: Section, index: number): 'first' | 'soon' | undefined {
  const count = atOnce[display.kind === 'icon' ? 'icon' : display.layout]
  if (index >= count) return undefined
  return index === 0 && display.kind === 'card' && display.layout === 'grid' ? 'first' : 'soon'
}
