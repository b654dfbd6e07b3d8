import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { safeHref } from '#contract/link.ts'
import { fullName, hasName, paragraphsOf } from '#contract/person/person.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import type { Section, Entry } from '#contract/sections/section.ts'
import { bannerEnd, inOrder, type SettingValues } from '#contract/settings/settings.ts'
import { lengthOf } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { useEntries, usePerson, useSettings } from '#client/data/overlay.ts'
import { latestQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { TypedTitle } from './typed-title.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { OwnerMark, OwnerPencil } from './owner-pencil.tsx'
import { Portrait } from './portrait.tsx'
import { visibleSections } from './shell/navigation.ts'
import { EntryThumb } from './entry-thumb.tsx'

// As any section: its route comes from the list of sections, not from this one's own path.
const { path: projectsPath }: Section = project

export const latestSections: readonly Section[] = [experience, project]

/** The name is set smaller from so many letters, and smaller still from the second. */
const longNameFrom = 19
const longestNameFrom = 34

export function Home() {
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const { fields } = person
  const name = fullName(person)
  const visible = visibleSections(settings)
  const [lead] = paragraphsOf(fields['description'] ?? '')
  return (
    <>
      <Banner settings={settings} />
      <section className="hero">
        <div className="a-left">
          {hasName(person) && <p className="hello">{texts.hello}</p>}
          <h1 className={sizeOf(name)}>{name}</h1>
          <div className="title-row">
            <TypedTitle title={fields['title'] ?? ''} settings={settings} />
            <OwnerPencil form="header" />
          </div>
          <OwnerMark sync={person.sync} />
          {lead && <p className="lead">{lead}</p>}
          <div className="cta">
            {visible.includes(project) && (
              <Link className={buttonClass()} to={projectsPath}>
                {texts.seeProjects}
              </Link>
            )}
            <Link className={buttonClass({ tone: 'ghost' })} to="/contact">
              <Icon name="mail" />
              {texts.contact}
            </Link>
          </div>
        </div>
        <figure className="portrait a-zoom">
          <Portrait person={person} sizes="(width >= 56rem) 22rem, 7rem" />
          {settings.availability_text && (
            <figcaption className="chip">
              <span className="dot" />
              {settings.availability_text}
            </figcaption>
          )}
        </figure>
      </section>
      <Latest settings={settings} />
    </>
  )
}

function sizeOf(name: string): string | undefined {
  const length = lengthOf(name)
  if (length < longNameFrom) return undefined
  return length < longestNameFrom ? 'long' : 'xlong'
}

function Banner({ settings }: { readonly settings: SettingValues }) {
  const { banner_text: words, banner_url: link } = settings
  const [now] = useState(Date.now)
  if (!words || now > bannerEnd(settings)) return null
  return <p className="alert banner">{link ? <a href={safeHref(link)}>{words}</a> : words}</p>
}

function Latest({ settings }: { readonly settings: SettingValues }) {
  const visible = visibleSections(settings)
  const latest = [useLatest(experience, visible), useLatest(project, visible)]
  const shown = inOrder(
    latest.filter((line) => line !== undefined),
    settings,
  )
  if (shown.length === 0) return null
  return (
    <section className="latest">
      <header>
        <h2>{texts.latest}</h2>
      </header>
      <div className="duo">
        {shown.map(({ key, section, entry }) => (
          <LatestEntry key={key} section={section} entry={entry} />
        ))}
      </div>
    </section>
  )
}

function useLatest(section: Section, visible: readonly Section[]) {
  const { data } = useQuery(latestQuery(section))
  const entry = useEntries(section.key, data ? [data] : []).at(-1)
  return entry && visible.includes(section) ? { key: section.key, section, entry } : undefined
}

interface LatestEntryProps {
  readonly section: Section
  readonly entry: Entry
}

function LatestEntry({ section, entry }: LatestEntryProps) {
  const { fields } = entry
  const { display, words, path } = section
  const fact = display.kind === 'card' ? fields[display.fact.field] : undefined
  return (
    <Link className="card mini" to={path}>
      <EntryThumb section={section} entry={entry} size={64} load="soon" />
      <span>
        <span className="kicker">{[words.noun, fact].filter(Boolean).join(' · ')}</span>
        <b>{fields[display.title]}</b>
      </span>
      <Icon name="next" />
    </Link>
  )
}
