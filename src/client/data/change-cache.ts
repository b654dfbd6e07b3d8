import type { QueryClient } from '@tanstack/react-query'
import { calls, parseEntry, parsePerson } from '#contract/api.ts'
import type { Entry } from '#contract/sections/section.ts'
import { forget } from '#client/platform/api-copy.ts'
import type { Change } from './change.ts'
import { entriesQuery, personQuery, settingsQuery } from './queries.ts'

/** Puts the server's answer to a change into the cache at once and asks again for what depends on it. */
export async function showChange(
  queryClient: QueryClient,
  change: Change,
  answer: unknown,
): Promise<void> {
  const { queryKey } = queryOf(change)
  await queryClient.cancelQueries({ queryKey })
  await forget(kindOf(change))
  if (change.kind === 'person') {
    queryClient.setQueryData(personQuery.queryKey, parsePerson(answer))
  } else if (change.kind === 'settings') {
    queryClient.setQueryData(settingsQuery.queryKey, (old) => old && { ...old, ...change.patch })
  } else {
    const row = change.kind === 'remove' ? undefined : parseEntry(change.section, answer)
    const query = entriesQuery(change.section)
    queryClient.setQueryData(query.queryKey, (old) => old && withRow(old, change.id, row))
  }
  await queryClient.invalidateQueries({ queryKey })
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

function queryOf(change: Change): { readonly queryKey: readonly unknown[] } {
  if (change.kind === 'person') return personQuery
  return change.kind === 'settings' ? settingsQuery : entriesQuery(change.section)
}

/** What the calls name the kind of thing that was changed. */
function kindOf(change: Change): string {
  if (change.kind === 'person') return calls.person
  return change.kind === 'settings' ? calls.config : change.section.key
}
