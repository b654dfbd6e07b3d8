import { hash } from 'node:crypto'
import type { SiteData } from '#contract/api.ts'
import { safeHref } from '#contract/link.ts'
import type { LinkPlace } from '#contract/links.ts'
import { linesOf } from '#contract/settings/profiles.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { bannerEnd, settingsOf, type SettingKey } from '#contract/settings/settings.ts'
import { settingWords } from '#contract/texts/setting-words.ts'

/** With every place that holds it. */
export interface PublicLink {
  /** Names the link in the table, because addresses are longer than an index takes. */
  readonly key: string
  /** As it is stored. */
  readonly link: string
  readonly href: string
  readonly places: readonly LinkPlace[]
}

const linkSettings = [
  'linkedin_url',
  'github_url',
  'profile_urls',
  'banner_url',
] as const satisfies readonly SettingKey[]

/** Each link once, as visitors get it. */
export function publicLinks(site: SiteData, now: Date): readonly PublicLink[] {
  const settings = settingsOf(site.settings)
  const isOver = now.getTime() > bannerEnd(settings) || settings.banner_text === ''
  const ofSettings = linkSettings
    .filter((key) => key !== 'banner_url' || !isOver)
    .flatMap((key) =>
      linesOf(settings[key]).map((link) => ({
        link,
        place: { setting: key, label: settingWords[key].label },
      })),
    )
  const ofEntries = sections.flatMap((section) =>
    (site.entries[section.key] ?? []).flatMap((entry) => linksOf(section, entry)),
  )
  const byAddress = new Map<string, PublicLink>()
  for (const { link, place } of [...ofEntries, ...ofSettings]) {
    const href = safeHref(link)
    if (href === undefined) continue
    const places = [...(byAddress.get(href)?.places ?? []), place]
    byAddress.set(href, { key: keyOf(href), link, href, places })
  }
  return [...byAddress.values()]
}

function linksOf({ key, fields, display }: Section, { id, fields: values }: Entry) {
  const labels = display.kind === 'card' ? display.links : []
  const name = values[display.title] ?? ''
  return Object.keys(fields)
    .filter((field) => fields[field]?.kind === 'url')
    .map((field) => {
      const label = labels.find((shown) => shown.field === field)?.label ?? fields[field]?.label
      return { link: values[field] ?? '', place: { section: key, id, label: label ?? field, name } }
    })
}

function keyOf(href: string): string {
  return hash('sha256', href, 'base64url')
}
