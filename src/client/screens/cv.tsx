import { useIsFetching, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { fullName, paragraphsOf } from '#contract/person.ts'
import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { skill } from '#contract/sections/skill.ts'
import { texts } from '#contract/texts.ts'
import { useShownSettings } from '#client/data/outbox/shown.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { CvSection } from './cv-section.tsx'
import { CvWays } from './cv-ways.tsx'
import { Portrait } from './portrait.tsx'
import { visibleSections } from './shell/navigation.ts'

/** The sections of the CV, the most telling first. */
const cvSections: readonly Section[] = [experience, project, education, skill]

const summaryParagraphs = 2

/** Everything on one sheet of paper; whoever comes to save it gets the print dialog at once. */
export function Cv() {
  const { data: person } = useSuspenseQuery(personQuery)
  const settings = useShownSettings(useSuspenseQuery(settingsQuery).data)
  const visible = visibleSections(settings)
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
        {cvSections
          .filter((section) => visible.includes(section))
          .map((section) => (
            <CvSection key={section.key} section={section} />
          ))}
      </div>
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
      <Button className="print" icon="print" onClick={() => print()}>
        {texts.saveCv}
      </Button>
    </div>
  )
}

/** Opens the print dialog once everything is there, when a link asked for it. */
function usePrintOnArrival(): void {
  const isAsked = useLocation({ select: ({ state }) => state.print === true })
  const isComplete = useIsFetching() === 0
  useEffect(() => {
    if (isAsked && isComplete) print()
  }, [isAsked, isComplete])
}
