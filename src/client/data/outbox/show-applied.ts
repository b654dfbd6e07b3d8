import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { calls, parseEntry, parsePerson } from '#contract/api.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from '../queries.ts'
import type { Operation } from './operation.ts'
import { sectionOf } from './section-of.ts'

/** Puts the server's answer to an operation into the cache, before the operation leaves the queue: nothing flickers. */
export async function showApplied(
  queryClient: QueryClient,
  operation: Operation,
  json: unknown,
): Promise<void> {
  const { subject } = operation
  const queryKey = queryKeyOf(operation)
  if (!queryKey) return
  await queryClient.cancelQueries({ queryKey })
  if (subject.on === 'person') {
    queryClient.setQueryData(personQuery.queryKey, parsePerson(json))
  } else if (subject.on === 'settings') {
    queryClient.setQueryData(
      settingsQuery.queryKey,
      (old) => old && { ...old, ...operation.values },
    )
  } else if (subject.on === 'entry') {
    const section = sectionOf(subject)
    const row = operation.verb === 'remove' ? undefined : parseEntry(section, json)
    showEntry(queryClient, section, { id: subject.id, row, isNew: operation.verb === 'create' })
  }
}

interface Applied {
  readonly id: string
  /** Undefined for one that was removed. */
  readonly row: Entry | undefined
  readonly isNew: boolean
}

/** Shows an entry as it now is in its list and, where it is the last, on its own. */
function showEntry(queryClient: QueryClient, section: Section, { id, row, isNew }: Applied): void {
  const { queryKey } = entriesQuery(section)
  queryClient.setQueryData(queryKey, (old) => old && withRow(old, id, row))
  const list = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(latestQuery(section).queryKey, (old) => {
    if (old === undefined || (old?.id !== id && !isNew)) return old
    // Without the list nobody knows what stood before: nothing is shown, as while the removal waited, until it is read anew.
    return row ?? list?.at(-1) ?? null
  })
}

/** The list with the row in its place, at the end when it is new, or without it when it is gone. */
export function withRow(
  entries: readonly Entry[],
  id: string,
  row: Entry | undefined,
): readonly Entry[] {
  if (row === undefined) return entries.filter((entry) => entry.id !== id)
  const isKnown = entries.some((entry) => entry.id === id)
  return isKnown ? entries.map((entry) => (entry.id === id ? row : entry)) : [...entries, row]
}

/** What is to be read anew after this operation; undefined for a message, which nobody reads here. */
export function queryKeyOf({ subject }: Operation): QueryKey | undefined {
  if (subject.on === 'person') return personQuery.queryKey
  if (subject.on === 'settings') return settingsQuery.queryKey
  return subject.on === 'entry' ? entriesQuery(sectionOf(subject)).queryKey : undefined
}

/** What the calls name the kind of thing that was changed; undefined for a message. */
export function kindOf({ subject }: Operation): string | undefined {
  if (subject.on === 'message') return undefined
  if (subject.on === 'entry') return subject.section
  return subject.on === 'settings' ? calls.config : calls.person
}
