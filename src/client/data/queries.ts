import { queryOptions } from '@tanstack/react-query'
import { calls, parseEntries, parsePerson, savedCopyHeader, type SiteData } from '#contract/api.ts'
import { personId } from '#contract/limits.ts'
import type { ListPart } from '#contract/entries/list-pages.ts'
import type { Person } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { settingsOf, type SettingValues } from '#contract/settings/settings.ts'
import { callApi } from './api.ts'
import { getSession } from './session.ts'

export const personQuery = queryOptions<Person>({ queryKey: ['person'] })
export const settingsQuery = queryOptions<SettingValues>({ queryKey: ['settings'] })

/** In the server's order, oldest first. */
export const entriesQuery = (section: Section) =>
  queryOptions<readonly Entry[]>({ queryKey: ['entries', section.key] })

/** Lets a page that shows only the last entry do without the list; invalidated with it. */
export const latestQuery = (section: Section) =>
  queryOptions<Entry | null>({ queryKey: ['entries', section.key, 'latest'] })

/**
 * One page of a section's list, or the CV's part of it, as the server drew it. It is never asked for again, since the
 * browser reads the whole list behind it. Page 0 is beyond all pages.
 */
export const listPartQuery = (section: Section, part: number | 'cv') =>
  queryOptions<ListPart>({ queryKey: ['entries', section.key, part] })

/** Reads from the API in the browser and from the database's rows on the server. */
export type ReadSite = (key: readonly unknown[], present?: unknown) => Promise<unknown>

/**
 * Carries the session's token when there is one. What the page has so far, `present`, stays when only the device's copy
 * answers: the copy may be older than a change that arrived since. What has the answer already brings a `call` of its own.
 */
export const readSiteFromApi = async (
  queryKey: readonly unknown[],
  present?: unknown,
  call: typeof callApi = callApi,
): Promise<unknown> => {
  const [what, key, part] = queryKey
  const { json, headers } = await call('GET', pathOf(queryKey) ?? '', {
    token: getSession().token,
  })
  if (present !== undefined && headers.has(savedCopyHeader)) return present
  if (what === 'person') return parsePerson(json)
  if (what === 'settings') return settingsOf(json)
  const entries = parseEntries(sectionOf(key), json)
  return part === 'latest' ? (entries.at(-1) ?? null) : entries
}

/** Undefined for a query that is not the site's. */
export function pathOf([what, key]: readonly unknown[]): string | undefined {
  if (what === 'person') return `${calls.personDetail}/${personId}`
  if (what === 'settings') return calls.config
  return what === 'entries' ? (key as string) : undefined
}

export const readSiteFrom =
  (data: SiteData): ReadSite =>
  async ([what, key, part]) => {
    if (what === 'person') return data.person
    if (what === 'settings') return settingsOf(data.settings)
    const entries = data.entries[sectionOf(key).key] ?? []
    return part === 'latest' ? (entries.at(-1) ?? null) : entries
  }

function sectionOf(key: unknown): Section {
  const section = sections.find((candidate) => candidate.key === key)
  if (!section) throw new TypeError(`no query for ${String(key)}`)
  return section
}
