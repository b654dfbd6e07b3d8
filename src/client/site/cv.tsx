import { useIsFetching, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Fragment, useEffect } from 'react'
import { inCvOrder } from '#contract/sections/cv-order.ts'
import { fullName, paragraphsOf } from '#contract/person/person.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { CvSection } from './cv-section.tsx'
import { Portrait } from './portrait.tsx'
import { visibleSections } from './shell/navigation.ts'
import { TakenOver } from './taken-over.tsx'

const summaryParagraphs = 2

/** A visitor who comes to save it gets the print dialog at once. */
export function Cv() {
  const { data: person } = useSuspenseQuery(personQuery)
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const summary = paragraphsOf(person.fields['description'] ?? '').slice(0, summaryParagraphs)
  usePrintOnArrival()
  return (
    <main id="contenido">
      <CvTools />
      <div className="cv">
        <header>
          <div>
            <h1>{fullName(person)}</h1>
            <p className="title">{person.fields['title']}</p>
            <CvWays settings={settings} />
          </div>
          <Portrait person={person} sizes="25mm" />
        </header>
        <p className="summary">{summary.join(' ')}</p>
        {inCvOrder(visibleSections(settings), settings).map((section) => (
          <CvSection key={section.key} section={section} />
        ))}
      </div>
      <TakenOver />
    </main>
  )
}

function CvTools() {
  return (
    <div className="cv-tools">
      {/* A plain link: the page around it is drawn anew, so it need not be known here. */}
      <a className={buttonClass({ tone: 'quiet' })} href="/about">
        <Icon name="back" />
        {texts.about}
      </a>
      <a className={buttonClass({ tone: 'ghost' })} href={cvPdfPath} download>
        {texts.downloadCv}
      </a>
      <Button className="print" icon="print" onClick={() => print()}>
        {texts.saveCv}
      </Button>
    </div>
  )
}

function usePrintOnArrival(): void {
  const isAsked = useLocation({ select: ({ state }) => state.print === true })
  const isComplete = useIsFetching() === 0
  useEffect(() => {
    if (isAsked && isComplete) print()
  }, [isAsked, isComplete])
}

interface CvWaysProps {
  readonly settings: SettingValues
}

/** Shows the addresses themselves, because on paper a link's name leads nowhere. */
function CvWays({ settings }: CvWaysProps) {
  const { location_text, email } = settings
  const ways = [
    ...(location_text ? [{ text: location_text }] : []),
    ...(email ? [{ text: email, href: `mailto:${email}` }] : []),
    ...profilesOf(settings).map(({ href, address }) => ({ href, text: address })),
  ]
  return (
    <p className="ways">
      {ways.map(({ text, ...way }, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          {'href' in way ? <a href={way.href}>{text}</a> : text}
        </Fragment>
      ))}
    </p>
  )
}
