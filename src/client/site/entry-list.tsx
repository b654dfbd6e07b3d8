import type { ReactNode } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { EntryView } from './entry-view.tsx'

interface EntryListProps {
  readonly section: Section
  /** In the server's order. */
  readonly entries: readonly Entry[]
  /** True when the reader waited for the list: then its items appear one after the other. */
  readonly isFresh: boolean
}

export function EntryList({ section, entries, isFresh }: EntryListProps) {
  const shown = section.order === 'newest-first' ? entries.toReversed() : entries
  return (
    <ListFrame section={section} className={isFresh ? 'stagger' : ''}>
      {shown.map((entry, index) => (
        <li key={entry.id} className="item">
          <EntryView section={section} entry={entry} load={loadOf(section, index)} />
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

/** A timeline is an ordered list, the others are not. */
export function ListFrame({ section: { display }, className = '', children }: ListFrameProps) {
  if (display.kind === 'icon') return <ul className={`tiles ${className}`.trim()}>{children}</ul>
  if (display.layout === 'grid') return <ul className={`grid ${className}`.trim()}>{children}</ul>
  return <ol className={`timeline ${className}`.trim()}>{children}</ol>
}

const atOnce = { grid: 3, timeline: 4, icon: 16 }

/** When the picture of the entry at this place is fetched; undefined for those that are not seen at once. */
export function loadOf({ display }: Section, index: number): 'first' | 'soon' | undefined {
  const count = atOnce[display.kind === 'icon' ? 'icon' : display.layout]
  if (index >= count) return undefined
  return index === 0 && display.kind === 'card' && display.layout === 'grid' ? 'first' : 'soon'
}
