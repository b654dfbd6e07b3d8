import { safeHref } from '../link.ts'
import type { SettingValues } from './settings.ts'
import { texts } from '../texts/site.ts'

/** A page of hers on another site. */
interface Profile {
  readonly icon: string
  readonly label: string
  readonly href: string
  /** The address as it is read on paper. */
  readonly address: string
}

type ProfileSettings = Pick<SettingValues, 'linkedin_url' | 'github_url'> & {
  /** Absent from what a device has kept since before there were any. */
  readonly profile_urls?: string
}

/** The profiles that the settings name, each once, in the order in which they are shown; what is no address is left out. */
export function profilesOf(settings: ProfileSettings): readonly Profile[] {
  const profiles = [
    { icon: 'linkedin', label: texts.linkedin, link: settings.linkedin_url },
    { icon: 'github', label: texts.github, link: settings.github_url },
    ...linesOf(settings.profile_urls).map((link) => ({ icon: 'user', label: '', link })),
  ].flatMap(({ icon, label, link }) => {
    const href = safeHref(link)
    if (!href) return []
    const address = href.replace(/^https?:\/\/(?:www\.)?|\/$/g, '')
    return [{ icon, label: label || address.replace(/[/?#].*/, ''), href, address }]
  })
  const addresses = profiles.map(({ href }) => href)
  return profiles.filter(({ href }, place) => addresses.indexOf(href) === place)
}

/** The lines of a setting that is a list, without the empty ones. */
export function linesOf(value = ''): readonly string[] {
  return value.split('\n').filter(Boolean)
}
