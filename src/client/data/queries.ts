import { queryOptions } from '@tanstack/react-query'
import { calls, parseEntries, parsePerson, savedCopyHeader, type SiteData } from '#contract/api.ts'
import { personId } from '#contract/limits.ts'
import type { ListPart } from '#contract/list-pages.ts'
import type { Person } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { settingsOf, type SettingValues } from '#contract/settings.ts'
import { callApi, type ApiAnswer } from './api.ts'
import { getSession } from './session.ts'

export const personQuery = queryOptions<Person>({ queryKey: ['person'] })
export const settingsQuery = queryOptions<SettingValues>({ queryKey: ['settings'] })

/** A section's entries in the server's order, oldest first. */
export const entriesQuery = (section: Section) =>
  queryOptions<readonly Entry[]>({ queryKey: ['entries', section.key] })

/** Only a section's last entry, so that a page which shows no more need not carry the list; invalidated with it. */
export const latestQuery = (section: Section) =>
  queryOptions<Entry | null>({ queryKey: ['entries', section.key, 'latest'] })

/**
 * One page of a section's list as the server drew it, where the list has more than one; nobody asks for it again, since the
 * browser reads the whole list behind it. Page 0 is beyond them all.
 */
export const listPartQuery = (section: Section, page: number) =>
  queryOptions<ListPart>({ queryKey: ['entries', section.key, page] })

/** Gives the answer to a query key: from the API in the browser, from the database's rows on the server. */
export type ReadSite = (key: readonly unknown[], held?: unknown) => Promise<unknown>

const answerWithinMs = 20_000

/**
 * Reads the site through the API, with the session's token when there is one. What the page has `held` so far stays when
 * only the device's copy answers: the copy may be older than a change that arrived since.
 */
export const readSiteFromApi: ReadSite = async ([what, key, part], held) => {
  const section = what === 'entries' ? sectionOf(key) : undefined
  const { json, headers } = await get(section?.key ?? publicPath(what))
  if (held !== undefined && headers.has(savedCopyHeader)) return held
  if (!section) return what === 'person' ? parsePerson(json) : settingsOf(json)
  const entries = parseEntries(section, json)
  return part === 'latest' ? (entries.at(-1) ?? null) : entries
}

const publicPath = (what: unknown) =>
  what === 'person' ? `${calls.personDetail}/${personId}` : calls.config

/** Reads the site from what the server already holds. */
export const readSiteFrom =
  (data: SiteData): ReadSite =>
  async ([what, key, part]) => {
    if (what === 'person') return data.person
    if (what === 'settings') return settingsOf(data.settings)
    const entries = data.entries[sectionOf(key).key] ?? []
    return part === 'latest' ? (entries.at(-1) ?? null) : entries
  }

function get(path: string): Promise<ApiAnswer> {
  const signal = AbortSignal.timeout(answerWithinMs)
  return callApi('GET', path, { token: getSession().token, signal })
}

function sectionOf(key: unknown): Section {
  const section = sections.find((candidate) => candidate.key === key)
  if (!section) throw new TypeError(`no query for ${String(key)}`)
  return section
}
