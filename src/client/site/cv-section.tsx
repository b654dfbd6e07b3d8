import { useQuery } from '@tanstack/react-query'
import { entriesOnCv, rowsOn } from '#contract/entries/list-pages.ts'
import { fill } from '#contract/text.ts'
import { cvTexts } from '#contract/texts/cv.ts'
import type { Section } from '#contract/sections/section.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { useDrawnPart } from './list-page.tsx'

interface CvSectionProps {
  readonly section: Section
}

/** With more cards than this the rest would leave the page, so they show name and date only. */
const cardsWithText = 8

export function CvSection({ section }: CvSectionProps) {
  const { title, display, order, path } = section
  const query = useQuery(entriesQuery(section))
  const drawn = useDrawnPart(section, 'cv', query)
  const { data: whole = [] } = query
  const { entries, count } = drawn ?? {
    entries: rowsOn(section, whole, 1, entriesOnCv),
    count: whole.length,
  }
  if (entries.length === 0) return null
  const shown = order === 'newest-first' ? entries.toReversed() : entries
  const left = count - entries.length
  // A plain link, like every link of this page.
  const rest = left > 0 && <a href={path}>{fill(cvTexts.moreInSection, { n: left, title })}</a>
  const isBrief = shown.length > cardsWithText
  if (display.kind === 'icon') {
    return (
      <section>
        <h2>{title}</h2>
        <p className="names">
          {shown.map(({ fields }) => fields[display.title]).join(' · ')}
          {rest && ' · '}
          {rest}
        </p>
      </section>
    )
  }
  return (
    <section>
      <h2>{title}</h2>
      <div className={display.layout === 'grid' ? 'entries pairs' : 'entries'}>
        {shown.map(({ id, fields }) => (
          <article key={id}>
            <h3>{fields[display.title]}</h3>
            <Line className="duration" text={fields[display.fact.field]} />
            <Line className="names" text={fields[display.under ?? '']} />
            {!isBrief && <Line className="description" text={fields[display.body ?? '']} />}
          </article>
        ))}
        {rest}
      </div>
    </section>
  )
}

interface LineProps {
  readonly className: string
  readonly text: string | undefined
}

function Line({ className, text }: LineProps) {
  return text ? <p className={className}>{text}</p> : null
}
