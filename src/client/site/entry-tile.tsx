import type { ReactNode } from 'react'
import { altField, altOf } from '#contract/images/alternative-text.ts'
import { placeholders } from '#contract/images/image.ts'
import type { Display, Entry } from '#contract/sections/section.ts'
import { Picture } from './picture.tsx'

interface EntryTileProps {
  readonly display: Extract<Display, { kind: 'icon' }>
  readonly entry: Entry
  readonly load?: 'first' | 'soon' | undefined
  readonly controls?: ReactNode
}

/** An entry as an icon with its name under it. */
export function EntryTile({ display, entry: { fields }, load, controls }: EntryTileProps) {
  const name = fields[display.title] ?? ''
  return (
    <div className="card tile">
      <span className="plate">
        <Picture
          address={fields[display.image]}
          placeholder={placeholders.logo}
          alt={altOf(fields, name)}
          title={name}
          sizes="50px"
          box={[50, 50]}
          load={load}
        />
      </span>
      {/* The picture says the name, unless it says something else. */}
      <span aria-hidden={!fields[altField]}>{name}</span>
      {controls}
    </div>
  )
}
