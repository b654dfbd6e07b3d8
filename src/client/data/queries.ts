import { queryOptions } from '@tanstack/react-query'
import { calls, parseEntries, parsePerson, type SiteData } from '#contract/api.ts'
import { personId } from '#contract/limits.ts'
import type { Person } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { parseSettings, type SettingValues } from '#contract/settings.ts'
import { callApi } from './api.ts'

export const personQuery = queryOptions<Person>({ queryKey: ['person'] })
export const settingsQuery = queryOptions<SettingValues>({ queryKey: ['settings'] })

/** A section's entries in the server's order, oldest first. */
export const entriesQuery = (section: Section) =>
  queryOptions<readonly Entry[]>({ queryKey: ['entries', section.key] })

/** Where the answer to a query key comes from: the API in the browser, the database's rows on the server. */
export type ReadSite = (key: readonly unknown[]) => Promise<unknown>

/** Reads the site through the API, with the session's token when there is one. */
export const readSiteFromApi =
  (token: () => string | undefined): ReadSite =>
  async ([what, key]) => {
    const get = async (path: string) => (await callApi('GET', path, { token: token() })).json
    if (what === 'person') return parsePerson(await get(`${calls.personDetail}/${personId}`))
    if (what === 'settings') return parseSettings(await get(calls.config))
    const section = sectionOf(key)
    return parseEntries(section, await get(section.key))
  }

/** Reads the site from what the server already holds. */
export const readSiteFrom =
  (data: SiteData): ReadSite =>
  async ([what, key]) => {
    if (what === 'person') return data.person
    if (what === 'settings') return parseSettings(data.settings)
    return data.entries[sectionOf(key).key] ?? []
  }

function sectionOf(key: unknown): Section {
  const section = sections.find((candidate) => candidate.key === key)
  if (!section) throw new TypeError(`no query for ${String(key)}`)
  return section
}
