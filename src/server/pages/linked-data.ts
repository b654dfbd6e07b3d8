import type { SiteData } from '#contract/api.ts'
import { safeHref } from '#contract/link.ts'
import { entriesPerPage, listAt, partOf } from '#contract/entries/list-pages.ts'
import { fullName } from '#contract/person/person.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { locale } from '#contract/text.ts'

type Node = Readonly<Record<string, unknown>>

interface Place {
  readonly path: string
  readonly data: SiteData
  /** Scheme and host of every address, without a final slash. */
  readonly publicUrl: string
}

/** What the page is about, in the words of schema.org; undefined for pages that are about nothing. */
export function linkedData({ path, data, publicUrl }: Place): Node | undefined {
  const name = fullName(data.person)
  const url = `${publicUrl}${path}`
  if (path === '/') {
    const site = {
      '@type': 'WebSite',
      name,
      url,
      inLanguage: locale,
      about: { '@id': me(publicUrl) },
    }
    return graph(site, person(data, publicUrl))
  }
  if (path === '/about') {
    const mainEntity = { '@id': me(publicUrl) }
    const page = { '@type': 'ProfilePage', url, inLanguage: locale, mainEntity }
    return graph(page, person(data, publicUrl))
  }
  if (path === '/contact') {
    const page = {
      '@type': 'ContactPage',
      url,
      inLanguage: locale,
      about: { '@id': me(publicUrl) },
    }
    return graph(page, person(data, publicUrl))
  }
  const list = listAt(path)
  if (!list) return undefined
  const { section, page } = list
  const { entries, count } = partOf(data, list)
  return graph({
    '@type': 'ItemList',
    name: section.title,
    url,
    numberOfItems: count,
    itemListElement: asShown(section, entries).map((entry, i) =>
      listed(section, entry, (page - 1) * entriesPerPage + i + 1),
    ),
  })
}

const me = (publicUrl: string) => `${publicUrl}/#person`

function graph(...nodes: readonly Node[]): Node {
  return { '@context': 'https://schema.org', '@graph': nodes }
}

function person({ person: { fields }, settings }: SiteData, publicUrl: string): Node {
  const profiles = profilesOf(settingsOf(settings)).map(({ href }) => href)
  return present({
    '@type': 'Person',
    '@id': me(publicUrl),
    name: [fields['name'], fields['lastname']].filter(Boolean).join(' '),
    givenName: fields['name'],
    familyName: fields['lastname'],
    jobTitle: fields['title'],
    image: absolute(fields['image'] ?? '', publicUrl),
    url: `${publicUrl}/`,
    sameAs: profiles.length > 0 ? profiles : undefined,
  })
}

function asShown({ order }: Section, entries: readonly Entry[]): readonly Entry[] {
  return order === 'newest-first' ? entries.toReversed() : entries
}

function listed({ display }: Section, { fields }: Entry, position: number): Node {
  const name = fields[display.title]
  if (display.kind === 'icon') return { '@type': 'ListItem', position, name }
  const links = display.links.map(({ field }) => safeHref(fields[field] ?? ''))
  const item = present({
    '@type': 'Thing',
    name,
    description: fields[display.body ?? ''],
    url: links.find((link) => link !== undefined),
  })
  return { '@type': 'ListItem', position, item }
}

/** The address with scheme and host, undefined for one that has none and is not ours. */
function absolute(address: string, publicUrl: string): string | undefined {
  if (/^\/[^/]/.test(address)) return `${publicUrl}${address}`
  return /^https?:\/\//.test(address) ? address : undefined
}

function present(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value && value !== ''))
}
