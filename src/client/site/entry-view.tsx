import type { ReactNode } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { GridCard, TimelineCard } from './entry-card.tsx'
import { EntryTile } from './entry-tile.tsx'

interface EntryViewProps {
  readonly section: Section
  readonly entry: Entry
  /** When its picture is fetched; see `Picture`. */
  readonly load?: 'first' | 'soon' | undefined
  /** The owner's tools for this entry. */
  readonly controls?: ReactNode
  /** What the owner is told within a card. */
  readonly note?: ReactNode
}

/** One entry as every page shows it, drawn as its section's definition says. */
export function EntryView({ section, ...rest }: EntryViewProps) {
  const { display } = section
  if (display.kind === 'icon') return <EntryTile display={display} {...rest} />
  if (display.layout === 'grid') return <GridCard display={display} {...rest} />
  return <TimelineCard display={display} {...rest} />
}
