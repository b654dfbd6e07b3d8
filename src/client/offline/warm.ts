import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { calls } from '#contract/api.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { keptPicture } from '#contract/images/picture-widths.ts'
import { mostKeptEntries } from '#contract/offline/kept-page.ts'
import { personId } from '#contract/limits.ts'
import { keptLimits } from '#contract/offline/offline.ts'
import { pages } from '#contract/pages.ts'
import { personFields } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { hiddenSections, type SettingValues } from '#contract/settings/settings.ts'
import { narrowTitles, typedTitleUrl, type TitleVariant } from '#contract/typed-title.ts'
import { askToKeep } from './worker.ts'
import { apiBase } from '#client/data/api.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { getSession, isAdmin } from '#client/data/session.ts'

/** Answers younger than this are not asked for again only to be kept. */
const youngMs = 10 * 60 * 1000

/**
 * Makes the whole site readable without a connection: reads in what the other pages show, and has the worker keep every
 * public answer and picture. What cannot be read now is left to the next visit.
 */
export async function warmUp(queryClient: QueryClient): Promise<void> {
  const kept = sectionsToKeep(queryClient.getQueryData(settingsQuery.queryKey))
  const keys = [personQuery, settingsQuery, ...kept.map(entriesQuery)].map(
    ({ queryKey }): QueryKey => queryKey,
  )
  const old = keys.filter((queryKey) => !isYoung(queryClient, queryKey))
  await Promise.allSettled(old.map((queryKey) => queryClient.query({ queryKey })))
  for (const section of sections) {
    const entries = queryClient.getQueryData(entriesQuery(section).queryKey)
    if (entries) queryClient.setQueryData(latestQuery(section).queryKey, entries.at(-1) ?? null)
  }
  const variant = matchMedia(narrowTitles).matches ? 'narrow' : 'wide'
  const pictures = picturesToKeep(queryClient, variant)
  const addresses = [
    ...answersToKeep(kept),
    ...pagesToKeep(kept, countEntries(queryClient, kept)),
    ...pictures,
  ]
  askToKeep(addresses.map((address) => new URL(address, location.href).href))
}

/** A section that visitors have not is none of theirs to read without a connection; the owner goes on writing in hers. */
function sectionsToKeep(settings: SettingValues | undefined): readonly Section[] {
  if (!settings || isAdmin(getSession())) return sections
  const hidden = hiddenSections(settings)
  return sections.filter(({ key }) => !hidden.includes(key))
}

function isYoung(queryClient: QueryClient, queryKey: QueryKey): boolean {
  const { dataUpdatedAt = 0 } = queryClient.getQueryState(queryKey) ?? {}
  return Date.now() - dataUpdatedAt < youngMs
}

function answersToKeep(kept: readonly Section[]): readonly string[] {
  const paths = [`${calls.personDetail}/${personId}`, calls.config, ...kept.map(({ key }) => key)]
  return paths.map((path) => apiBase + path)
}

function countEntries(queryClient: QueryClient, kept: readonly Section[]): number {
  const rows = kept.map((section) => queryClient.getQueryData(entriesQuery(section).queryKey) ?? [])
  return rows.flat().length
}

/**
 * The pages that the server draws for everybody, but for one that is too long. None where the settings come from Firebase: what such a page shows, the
 * server does not know.
 */
export function pagesToKeep(kept: readonly Section[], entries: number): readonly string[] {
  if (import.meta.env.VITE_FIREBASE_CONFIG) return []
  const left = new Set(sections.filter((one) => !kept.includes(one)).map(({ path }) => path))
  return pages
    .filter(({ kind, path }) => kind === undefined && !left.has(path))
    .filter((page) => page.entries !== 'cv' || entries <= mostKeptEntries)
    .map(({ path }) => path)
}

/** The site's own pictures, the profile's first; those of other hosts may not allow it. */
export function picturesToKeep(queryClient: QueryClient, variant: TitleVariant): readonly string[] {
  const person = queryClient.getQueryData(personQuery.queryKey)
  const settings = queryClient.getQueryData(settingsQuery.queryKey)
  const entries = sections.flatMap((section) => {
    const rows = queryClient.getQueryData(entriesQuery(section).queryKey) ?? []
    return rows.map(({ fields }) => fields[imageFieldOf(section.fields) ?? ''] ?? '')
  })
  const portrait = person?.fields[imageFieldOf(personFields) ?? ''] ?? ''
  const titles = settings ? titlesOf(person?.fields['title'] ?? '', settings, variant) : []
  const own = [portrait, ...entries].filter((address) => /^\/(?!\/)/.test(address))
  return [...titles, ...new Set(own.map(keptPicture))].slice(0, keptLimits.images)
}

/** The drawings of the title that this site makes, for both themes; none where another service draws it. */
function titlesOf(
  title: string,
  settings: SettingValues,
  variant: TitleVariant,
): readonly string[] {
  const { typing_image_url: service, typing_color_dark: dark, typing_color_light: light } = settings
  return service === '' ? [dark, light].map((color) => typedTitleUrl(title, color, variant)) : []
}
