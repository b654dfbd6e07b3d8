import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName, hasName, paragraphsOf } from '#contract/person/person.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { usePerson, useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { OwnerMark, OwnerPencil } from './owner-pencil.tsx'
import { Portrait } from './portrait.tsx'

export function About() {
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const { fields } = person
  return (
    <section className="about">
      <figure className="photo a-left">
        <Portrait person={person} sizes="(width >= 56rem) 22rem, min(24rem, 92vw)" />
        <OwnerPencil form="about" />
        <OwnerMark sync={person.sync} />
      </figure>
      <div className="a-right">
        <h1 className="caret">
          {fields['title'] ? fill(texts.iAm, { title: fields['title'] }) : texts.about}
        </h1>
        <div className="prose">
          {paragraphsOf(fields['description'] ?? '').map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
        <Facts name={hasName(person) ? fullName(person) : ''} />
        <div className="cta-row">
          <Link className={buttonClass()} to="/contact">
            <Icon name="mail" />
            {texts.contact}
          </Link>
          <Link className={buttonClass({ tone: 'ghost' })} to="/cv" state={{ print: true }}>
            <Icon name="print" />
            {texts.saveCv}
          </Link>
          <a className={buttonClass({ tone: 'ghost' })} href={cvPdfPath} download>
            {texts.downloadCv}
          </a>
        </div>
      </div>
    </section>
  )
}

function Facts({ name }: { readonly name: string }) {
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const facts = [
    [texts.factName, name],
    [texts.factLocation, settings.location_text],
    [texts.factAge, settings.age_text],
    [texts.factAvailability, settings.availability_text],
  ] as const
  return (
    <dl>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
