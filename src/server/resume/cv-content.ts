import { altOf } from '#contract/images/alternative-text.ts'
import type { SiteData } from '#contract/api.ts'
import { inCvOrder } from '#contract/sections/cv-order.ts'
import { safeHref } from '#contract/link.ts'
import { fullName, paragraphsOf } from '#contract/person/person.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'

/** A text, and where it leads. */
export interface LinkedText {
  readonly text: string
  readonly href?: string
}

interface CvEntry {
  readonly title: string
  readonly duration: string
  /** Her role there, or the institution. */
  readonly underTitle: string
  readonly body: readonly string[]
  readonly links: readonly LinkedText[]
}

interface CvPart {
  readonly title: string
  readonly entries: readonly CvEntry[]
  /** What has a name and nothing else, in one line. */
  readonly names: readonly string[]
}

/** What the CV says, in the order in which it is read. */
export interface CvContent {
  readonly title: string
  readonly name: string
  readonly headline: string
  /** What her picture says to whoever does not see it. */
  readonly portrait: string
  readonly ways: readonly LinkedText[]
  readonly summary: readonly string[]
  readonly parts: readonly CvPart[]
}

const summaryParagraphs = 2
/** More entries than this would make a book of it: then they keep name and date only, as on the page. */
const entriesWithText = 8

/** The CV of what the site shows. */
export function cvContent(site: SiteData): CvContent {
  const { person, settings, entries } = site
  const name = fullName(person)
  return {
    title: `${texts.cv} · ${name}`,
    name,
    headline: person.fields['title'] ?? '',
    portrait: altOf(person.fields, fill(texts.portraitOf, { name })),
    ways: waysOf(site),
    summary: paragraphsOf(person.fields['description'] ?? '').slice(0, summaryParagraphs),
    parts: inCvOrder(sections, settingsOf(settings)).flatMap((section) => {
      const own = entries[section.key] ?? []
      return own.length > 0 ? [partOf(section, own)] : []
    }),
  }
}

/** Where she lives and how to reach her. */
function waysOf({ settings }: SiteData): readonly LinkedText[] {
  const values = settingsOf(settings)
  const { location_text, email } = values
  return [
    ...(location_text ? [{ text: location_text }] : []),
    ...(email ? [{ text: email, href: `mailto:${email}` }] : []),
    ...profilesOf(values).map(({ href, address }) => ({ text: address, href })),
  ]
}

/** A link that can be read on paper. */
function linkTo(link: string, label: string): readonly LinkedText[] {
  const href = safeHref(link)
  if (href === undefined) return []
  const address = href.replace(/^https?:\/\/(?:www\.)?|\/$/g, '')
  return [{ text: `${label}: ${address}`, href }]
}

function partOf({ title, display, order }: Section, own: readonly Entry[]): CvPart {
  const shown = order === 'newest-first' ? own.toReversed() : own
  if (display.kind === 'icon') {
    return { title, entries: [], names: shown.map(({ fields }) => fields[display.title] ?? '') }
  }
  const isBrief = shown.length > entriesWithText
  const entries = shown.map(({ fields }) => ({
    title: fields[display.title] ?? '',
    duration: fields[display.fact.field] ?? '',
    underTitle: fields[display.under ?? ''] ?? '',
    body: isBrief ? [] : paragraphsOf(fields[display.body ?? ''] ?? ''),
    links: isBrief
      ? []
      : display.links.flatMap(({ label, field }) => linkTo(fields[field] ?? '', label)),
  }))
  return { title, entries, names: [] }
}
