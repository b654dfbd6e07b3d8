import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { calls } from '#contract/api.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { keptPicture } from '#contract/picture-widths.ts'
import { personId } from '#contract/limits.ts'
import { keptLimits } from '#contract/offline.ts'
import { personFields } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { SettingValues } from '#contract/settings.ts'
import { typedTitleUrl } from '#contract/typed-title.ts'
import { askToKeep } from '#client/platform/worker.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from './queries.ts'

/** Answers younger than this are not asked for again only to be kept. */
const youngMs = 10 * 60 * 1000
const apiBase: string = import.meta.env.VITE_API_BASE ?? '/api/'

/**
 * Makes the whole site readable without a connection: reads in what the other pages show, and has the worker keep every
 * public answer and picture. What cannot be read now is left to the next visit.
 */
export async function warmUp(queryClient: QueryClient): Promise<void> {
  const keys = [personQuery, settingsQuery, ...sections.map(entriesQuery)].map(
    ({ queryKey }): QueryKey => queryKey,
  )
  const old = keys.filter((queryKey) => !isYoung(queryClient, queryKey))
  await Promise.allSettled(old.map((queryKey) => queryClient.query({ queryKey })))
  for (const section of sections) {
    const entries = queryClient.getQueryData(entriesQuery(section).queryKey)
    if (entries) queryClient.setQueryData(latestQuery(section).queryKey, entries.at(-1) ?? null)
  }
  const addresses = [...answersToKeep(), ...picturesToKeep(queryClient)]
  askToKeep(addresses.map((address) => new URL(address, location.href).href))
}

function isYoung(queryClient: QueryClient, queryKey: QueryKey): boolean {
  const { dataUpdatedAt = 0 } = queryClient.getQueryState(queryKey) ?? {}
  return Date.now() - dataUpdatedAt < youngMs
}

function answersToKeep(): readonly string[] {
  const paths = [
    `${calls.personDetail}/${personId}`,
    calls.config,
    ...sections.map(({ key }) => key),
  ]
  return paths.map((path) => apiBase + path)
}

/** The site's own pictures, the profile's first; those of other hosts may not allow it. */
export function picturesToKeep(queryClient: QueryClient): readonly string[] {
  const person = queryClient.getQueryData(personQuery.queryKey)
  const settings = queryClient.getQueryData(settingsQuery.queryKey)
  const entries = sections.flatMap((section) => {
    const rows = queryClient.getQueryData(entriesQuery(section).queryKey) ?? []
    return rows.map(({ fields }) => fields[imageFieldOf(section.fields) ?? ''] ?? '')
  })
  const portrait = person?.fields[imageFieldOf(personFields) ?? ''] ?? ''
  const titles = settings ? titlesOf(person?.fields['title'] ?? '', settings) : []
  const own = [portrait, ...entries].filter((address) => /^\/(?!\/)/.test(address))
  return [...titles, ...new Set(own.map(keptPicture))].slice(0, keptLimits.images)
}

/** The drawings of the title that this site makes; none where another service draws it. */
function titlesOf(title: string, settings: SettingValues): readonly string[] {
  const { typing_image_url: service, typing_color_dark: dark, typing_color_light: light } = settings
  if (service !== '') return []
  return [dark, light].flatMap((color) =>
    (['wide', 'narrow'] as const).map((variant) => typedTitleUrl(title, color, variant)),
  )
}
