import { useQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { fullName, paragraphsOf } from '#contract/person.ts'
import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { skill } from '#contract/sections/skill.ts'
import { texts } from '#contract/texts.ts'
import { entriesQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { CvSection } from './cv-section.tsx'
import { CvWays } from './cv-ways.tsx'
import { Portrait } from './portrait.tsx'
import { visibleSections } from './shell/navigation.ts'

/** The sections of the CV, the most telling first. */
export const cvSections: readonly Section[] = [experience, project, education, skill]

const summaryParagraphs = 2
/** More entries with descriptions than this do not fit one page; then projects keep name and date only. */
const fitsOnePage = 14

/** Everything on one sheet of paper; whoever comes to save it gets the print dialog at once. */
export function Cv() {
  const { data: person } = useSuspenseQuery(personQuery)
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const lists = useQueries({ queries: cvSections.map(entriesQuery) })
  const visible = visibleSections(settings)
  const shown = cvSections.flatMap((section, index) =>
    visible.includes(section) ? [{ section, entries: lists[index]?.data ?? [] }] : [],
  )
  const described = shown.filter(({ section }) => section.display.kind === 'card')
  const isLong = described.reduce((sum, { entries }) => sum + entries.length, 0) > fitsOnePage
  const summary = paragraphsOf(person.fields['description'] ?? '').slice(0, summaryParagraphs)
  usePrintOnArrival(lists.every(({ isPending }) => !isPending))
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
        {shown.map(({ section, entries }) => (
          <CvSection
            key={section.key}
            section={section}
            entries={entries}
            isBrief={isLong && section === project}
          />
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
function usePrintOnArrival(isComplete: boolean): void {
  const isAsked = useLocation({ select: ({ state }) => state.print === true })
  useEffect(() => {
    if (isAsked && isComplete) print()
  }, [isAsked, isComplete])
}
