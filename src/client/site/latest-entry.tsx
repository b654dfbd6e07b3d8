import { Link } from '@tanstack/react-router'
import type { Entry, Section } from '#contract/sections/section.ts'
import { EntryThumb } from './entry-thumb.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface LatestEntryProps {
  readonly section: Section
  readonly entry: Entry
}

/** A section's newest entry in one line that leads to its list. */
export function LatestEntry({ section, entry }: LatestEntryProps) {
  const { fields } = entry
  const { display, words, path } = section
  const fact = display.kind === 'card' ? fields[display.fact.field] : undefined
  return (
    <Link className="card mini" to={path}>
      <EntryThumb section={section} entry={entry} size={64} load="soon" />
      <span>
        <span className="kicker">{[words.noun, fact].filter(Boolean).join(' · ')}</span>
        <b>{fields[display.title]}</b>
      </span>
      <Icon name="next" />
    </Link>
  )
}
