import type { Entry, Section } from '#contract/sections/section.ts'

interface CvSectionProps {
  readonly section: Section
  /** In the server's order. */
  readonly entries: readonly Entry[]
  /** Only names and dates. */
  readonly isBrief: boolean
}

/** One section of the CV; a section without entries leaves no gap. */
export function CvSection({ section, entries, isBrief }: CvSectionProps) {
  const { title, display, order } = section
  if (entries.length === 0) return null
  const shown = order === 'newest-first' ? entries.toReversed() : entries
  if (display.kind === 'icon') {
    return (
      <section>
        <h2>{title}</h2>
        <p className="names">{shown.map(({ fields }) => fields[display.title]).join(' · ')}</p>
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
            <p className="duration">{fields[display.fact.field]}</p>
            {!isBrief && <p className="description">{fields[display.body]}</p>}
          </article>
        ))}
      </div>
    </section>
  )
}
