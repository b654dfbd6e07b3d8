import type { ReactNode } from 'react'
import { altField, altOf } from '#contract/images/alternative-text.ts'
import { placeholders } from '#contract/images/image.ts'
import { safeHref } from '#contract/link.ts'
import type { Display, Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Picture } from './picture.tsx'

interface EntryViewProps {
  readonly section: Section
  readonly entry: Entry
  /** When its picture is fetched; see `Picture`. */
  readonly load?: 'first' | 'soon' | undefined
  readonly controls?: ReactNode
  /** Told to the owner within a card. */
  readonly note?: ReactNode
}

export function EntryView({ section, ...rest }: EntryViewProps) {
  const { display } = section
  if (display.kind === 'icon') return <EntryTile display={display} {...rest} />
  if (display.layout === 'grid') return <GridCard display={display} {...rest} />
  return <TimelineCard display={display} {...rest} />
}

interface CardProps extends Omit<EntryViewProps, 'section'> {
  readonly display: Extract<Display, { kind: 'card' }>
}

function GridCard({ display, entry, load, controls, note }: CardProps) {
  return (
    <>
      <article className="card grid-card">
        {display.image && (
          <figure>
            <Picture
              address={entry.fields[display.image]}
              placeholder={placeholders.card}
              alt={altOf(entry.fields)}
              sizes="(width >= 76rem) 23rem, (width >= 46rem) 46vw, 92vw"
              box={[760, 440]}
              load={load}
            />
          </figure>
        )}
        <div className="body">
          <CardText display={display} entry={entry} note={note} />
        </div>
      </article>
      {controls}
    </>
  )
}

function TimelineCard({ display, entry, load, controls, note }: CardProps) {
  return (
    <>
      <span className="plate">
        <Picture
          address={entry.fields[display.image ?? '']}
          placeholder={placeholders.logo}
          alt={altOf(entry.fields)}
          sizes="56px"
          box={[56, 56]}
          load={load}
        />
      </span>
      <article className="card">
        <CardText display={display} entry={entry} note={note} />
      </article>
      {controls}
    </>
  )
}

function CardText({ display, entry: { fields }, note }: CardProps) {
  const name = fields[display.title] ?? ''
  const body = fields[display.body ?? '']
  const under = fields[display.under ?? '']
  const fact = fields[display.fact.field]
  return (
    <>
      <hgroup>
        <h2>{name}</h2>
        {under && <p className="duration">{under}</p>}
      </hgroup>
      {body && <p className="description">{body}</p>}
      {note}
      <div className="card-end">
        {fact && (
          <p className="duration">
            <b>{display.fact.label}</b> {fact}
          </p>
        )}
        <div className="ext-links">
          {display.links.map(({ label, field }) => (
            <EntryLink key={field} label={label} link={fields[field]} name={name} />
          ))}
        </div>
      </div>
    </>
  )
}

interface EntryLinkProps {
  readonly label: string
  readonly link: string | undefined
  readonly name: string
}

/** Opens in a new tab; a value that is no web address is shown as text. */
function EntryLink({ label, link, name }: EntryLinkProps) {
  if (!link?.trim()) return null
  const href = safeHref(link)
  if (!href) {
    return (
      <p className="duration">
        <b>{label}:</b> {link}
      </p>
    )
  }
  return (
    <a
      className="ext-link"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={fill(texts.opensElsewhere, { label, name })}
    >
      {label} <Icon name="ext" />
    </a>
  )
}

interface EntryTileProps extends Omit<EntryViewProps, 'section' | 'note'> {
  readonly display: Extract<Display, { kind: 'icon' }>
}

function EntryTile({ display, entry: { fields }, load, controls }: EntryTileProps) {
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
