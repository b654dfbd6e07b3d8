import { Fragment } from 'react'
import { safeHref } from '#contract/link.ts'
import type { SettingValues } from '#contract/settings.ts'

interface CvWaysProps {
  readonly settings: SettingValues
}

/** Where she lives and how to reach her, in one line; on paper the addresses have to be readable. */
export function CvWays({ settings }: CvWaysProps) {
  const { location_text, email, linkedin_url, github_url } = settings
  const links = [linkedin_url, github_url].flatMap((link) => {
    const href = safeHref(link)
    return href ? [{ href, text: href.replace(/^https?:\/\/(?:www\.)?|\/$/g, '') }] : []
  })
  const ways = [
    ...(location_text ? [{ text: location_text }] : []),
    ...(email ? [{ text: email, href: `mailto:${email}` }] : []),
    ...links,
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
