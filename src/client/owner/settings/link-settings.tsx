import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { placeWords, type DeadLink, type LinkPlace } from '#contract/links.ts'
import { sections } from '#contract/sections/index.ts'
import { settingPlaces, settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { linkTexts } from '#contract/texts/links.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { dayOf, deadTitle } from './link-words.ts'
import { linksQuery, useDeadLinks } from './links.ts'
import { withinSettings } from './within-settings.ts'

export function LinkSettings() {
  const { data: status, error } = useQuery(linksQuery)
  const dead = useDeadLinks()
  const well = status?.lookedAt === null ? linkTexts.notYet : linkTexts.allWell
  const words = status ? well : error ? linkTexts.unread : linkTexts.about
  return (
    <div className="card links">
      <div className="setting">
        <div>
          <b>{linkTexts.title}</b>
          {dead.length === 0 ? (
            <p>{words}</p>
          ) : (
            <p className="field-error">
              <Icon name="warn" />
              {deadTitle(dead)}
            </p>
          )}
        </div>
      </div>
      {dead.map((link) => (
        <DeadRow key={link.link} {...link} />
      ))}
    </div>
  )
}

function DeadRow({ link, since, places }: DeadLink) {
  return places.map((place) => (
    <div key={keyOf(place)} className="setting">
      <div>
        <b>{placeWords(place)}</b>
        <p className="address">{link}</p>
        <p>{fill(linkTexts.since, { date: dayOf(since) })}</p>
      </div>
      <WayTo {...place} />
    </div>
  ))
}

/** Two entries may have one name. */
function keyOf(place: LinkPlace): string {
  return 'section' in place ? `${place.id} ${place.label}` : place.setting
}

function WayTo(place: LinkPlace) {
  const label = `${linkTexts.edit}: ${placeWords(place)}`
  if (!('section' in place)) {
    const words = Object.entries(settingWords).find(([key]) => key === place.setting)?.[1]
    return (
      <Link
        className={buttonClass({ tone: 'ghost', small: true })}
        {...withinSettings}
        hash={words ? settingPlaces[words.group] : ''}
        aria-label={label}
      >
        {linkTexts.edit}
      </Link>
    )
  }
  const section = sections.find(({ key }) => key === place.section)
  if (!section) return null
  return (
    <Link
      className={buttonClass({ tone: 'ghost', small: true })}
      to={section.editPath}
      params={{ id: place.id }}
      aria-label={label}
    >
      {linkTexts.edit}
    </Link>
  )
}
