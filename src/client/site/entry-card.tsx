import type { ReactNode } from 'react'
import { altOf } from '#contract/images/alternative-text.ts'
import { placeholders } from '#contract/images/image.ts'
import { safeHref } from '#contract/link.ts'
import type { Display, Entry } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Picture } from './picture.tsx'

interface CardProps {
  readonly display: Extract<Display, { kind: 'card' }>
  readonly entry: Entry
  readonly load?: 'first' | 'soon' | undefined
  readonly controls?: ReactNode
  readonly note?: ReactNode
}

/** An entry as a card under its picture; cards stand side by side. */
export function GridCard({ display, entry, load, controls, note }: CardProps) {
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

/** An entry as a card along a line, its logo on the line. */
export function TimelineCard({ display, entry, load, controls, note }: CardProps) {
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
  const fact = fields[display.fact.field]
  return (
    <>
      <h2>{name}</h2>
      {body && <p className="description">{body}</p>}
      {note}
      <div className="card-end">
        {fact && (
          <p className="duration">
            <b>{display.fact.label}</b> {fact}
          </p>
        )}
        {display.links.map(({ label, field }) => (
          <EntryLink key={field} label={label} link={fields[field] ?? ''} name={name} />
        ))}
      </div>
    </>
  )
}

interface EntryLinkProps {
  readonly label: string
  readonly link: string
  readonly name: string
}

/** A link in a new tab; what is no web address is read as the text it is. */
function EntryLink({ label, link, name }: EntryLinkProps) {
  const href = safeHref(link)
  if (link.trim() === '') return null
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
