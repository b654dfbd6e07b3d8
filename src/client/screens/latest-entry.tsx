import { Link } from '@tanstack/react-router'
import { placeholders } from '#contract/image.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { Picture } from '#client/sections/picture.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface LatestEntryProps {
  readonly section: Section
  readonly entry: Entry
}

/** A section's newest entry in one line that leads to its list. */
export function LatestEntry({ section, entry: { fields } }: LatestEntryProps) {
  const { display, words, path } = section
  const fact = display.kind === 'card' ? fields[display.fact.field] : undefined
  const isPhoto = display.kind === 'card' && display.layout === 'grid'
  const picture = (
    <Picture
      className={isPhoto ? 'thumb' : ''}
      address={fields[display.image]}
      placeholder={isPhoto ? placeholders.card : placeholders.logo}
      alt=""
      sizes="64px"
      box={[64, 64]}
      load="soon"
    />
  )
  return (
    <Link className="card mini" to={path}>
      {isPhoto ? picture : <span className="plate">{picture}</span>}
      <span>
        <span className="kicker">{[words.noun, fact].filter(Boolean).join(' · ')}</span>
        <b>{fields[display.title]}</b>
      </span>
      <Icon name="next" />
    </Link>
  )
}
