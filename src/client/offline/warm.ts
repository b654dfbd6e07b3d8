import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ownHeader } from '#contract/api.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { keptPicture } from '#contract/images/picture-widths.ts'
import { allPagesPath, mostKeptEntries, type GivenPage } from '#contract/offline/kept-page.ts'
import { cacheNames, keptLimits } from '#contract/offline/offline.ts'
import { siteReads } from '#contract/offline/site-reads.ts'
import { pages } from '#contract/pages.ts'
import { personFields } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { hiddenSections, type SettingValues } from '#contract/settings/settings.ts'
import { narrowTitles, typedTitleUrl, type TitleVariant } from '#contract/typed-title.ts'
import { askToKeep } from './worker.ts'
import { workerCaches } from '#client/browser/closable.ts'
import { keptSince } from '#client/browser/early/kept-page.ts'
import { apiBase } from '#client/data/api.ts'
import {
  entriesQuery,
  latestQuery,
  pathOf,
  personQuery,
  readSiteFromApi,
  settingsQuery,
} from '#client/data/queries.ts'
import { getSession, isAdmin, isSomebody } from '#client/data/session.ts'

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
  await readTogether(queryClient, keys).catch(() => undefined)
  const old = keys.filter((queryKey) => !isYoung(queryClient, queryKey))
  await Promise.allSettled(old.map((queryKey) => queryClient.query({ queryKey })))
  for (const section of sections) {
    const entries = queryClient.getQueryData(entriesQuery(section).queryKey)
    if (entries) queryClient.setQueryData(latestQuery(section).queryKey, entries.at(-1) ?? null)
  }
  const variant = matchMedia(narrowTitles).matches ? 'narrow' : 'wide'
  const pictures = picturesToKeep(queryClient, variant)
  const addresses = [
    ...siteReads(kept).map((path) => apiBase + path),
    ...pagesToKeep(kept, countEntries(queryClient, kept)),
    ...pictures,
  ]
  askToKeep(addresses.map((address) => new URL(address, location.href).href))
}

/** A section that visitors have not is none of theirs to read without a connection; the owner goes on writing in hers. */
export function sectionsToKeep(settings: SettingValues | undefined): readonly Section[] {
  if (!settings || isAdmin(getSession())) return sections
  const hidden = hiddenSections(settings)
  return sections.filter(({ key }) => !hidden.includes(key))
}

/** Nothing is that was read before a visit to which the server had news to tell. */
function isYoung(queryClient: QueryClient, queryKey: QueryKey): boolean {
  const { dataUpdatedAt = 0, isInvalidated } = queryClient.getQueryState(queryKey) ?? {}
  return Date.now() - dataUpdatedAt < youngMs && !(isInvalidated && keptSince())
}

/**
 * Takes what a device lacks that has nothing yet from the answer with all pages, which the worker has asked for and asks for
 * again. Rejects when nobody answered, or nothing could be kept; what it does not bring is read by itself.
 */
async function readTogether(queryClient: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  // A session is shown more than visitors are.
  if (isSomebody(getSession()) || connection?.saveData) return
  const copies = await workerCaches()?.open(cacheNames.api)
  if (!copies || (await copies.keys()).length > 0) return
  const all = await fetch(allPagesPath, { redirect: 'error' })
  if (!all.ok || !all.headers.has(ownHeader)) return
  const given = (await all.json()) as Readonly<Record<string, GivenPage>>
  for (const queryKey of keys) {
    const path = apiBase + pathOf(queryKey)
    const one = given[path]
    if (!one) continue
    // A copy says of when it is.
    const headers = new Headers({ ...one.headers, Date: all.headers.get('Date') ?? '' })
    await copies.put(new URL(path, location.href), new Response(one.text, { headers }))
    if (isYoung(queryClient, queryKey)) continue
    const answer = { status: 200, json: JSON.parse(one.text) as unknown, headers }
    const data = await readSiteFromApi(queryKey, undefined, async () => answer)
    queryClient.setQueryData(queryKey, data)
  }
}

function countEntries(queryClient: QueryClient, kept: readonly Section[]): number {
  const rows = kept.map((section) => queryClient.getQueryData(entriesQuery(section).queryKey) ?? [])
  return rows.flat().length
}

/**
 * The pages that the server draws for everybody, but for one that is too long; none where the settings come from Firebase,
 * because the server does not know what such a page shows.
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
