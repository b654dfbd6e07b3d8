import { useSuspenseQuery } from '@tanstack/react-query'
import { placeholders } from '#contract/images/image.ts'
import { fullName } from '#contract/person/person.ts'
import { texts } from '#contract/texts/site.ts'
import { usePerson } from '#client/data/overlay.ts'
import { personQuery } from '#client/data/queries.ts'
import { Picture } from '#client/site/picture.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface SitePreviewProps {
  readonly title: string
  readonly theme: string
  /** The notice over the page; none when empty. */
  readonly notice?: string | undefined
  /** Whether the notice is a link. */
  readonly isLink?: boolean
}

/** In its own theme; nothing in it can be pressed. */
export function SitePreview({ title, theme, notice, isLink }: SitePreviewProps) {
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const name = fullName(person)
  return (
    <div className="live">
      <p>
        <Icon name="eye" />
        {title}
      </p>
      <div className={`mini-site ${theme}`} aria-hidden="true">
        <div className="mini-bar">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>{name}</span>
        </div>
        {notice ? <div className="mini-notice">{isLink ? <u>{notice}</u> : notice}</div> : null}
        <div className="mini-page">
          <div>
            <small>{texts.hello}</small>
            <b>{name}</b>
            <em>{person.fields['title']}</em>
          </div>
          <Picture
            address={person.fields['image']}
            placeholder={placeholders.person}
            alt=""
            sizes="4.5rem"
            box={[72, 72]}
          />
        </div>
      </div>
    </div>
  )
}
