import { altOf } from '#contract/images/alternative-text.ts'
import { placeholders } from '#contract/images/image.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Picture } from './picture.tsx'

interface EntryThumbProps {
  readonly section: Section
  readonly entry: Entry
  /** The length of its edges, in pixels. */
  readonly size: number
  readonly load?: 'soon'
}

export function EntryThumb({ section: { display, icon }, entry, size, ...rest }: EntryThumbProps) {
  if (!display.image) {
    return (
      <span className="plate">
        <Icon name={icon} />
      </span>
    )
  }
  const isPhoto = display.kind === 'card' && display.layout === 'grid'
  const picture = (
    <Picture
      className={isPhoto ? 'thumb' : ''}
      address={entry.fields[display.image]}
      placeholder={isPhoto ? placeholders.card : placeholders.logo}
      alt={altOf(entry.fields)}
      sizes={`${size}px`}
      box={[size, size]}
      {...rest}
    />
  )
  return isPhoto ? picture : <span className="plate">{picture}</span>
}
