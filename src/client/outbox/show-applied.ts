import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { calls, parsePerson } from '#contract/api.ts'
import { isHidden, parseOwnEntry } from '#contract/entries/hidden.ts'
import type { Message, MessagePage } from '#contract/messages/messages.ts'
import { arranged } from '#contract/entries/order.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { birthDateQuery } from './birth-date.ts'
import { changeEntries, hiddenKey } from './hidden-entries.ts'
import type { Operation } from './operation.ts'
import { newOrderOf } from './new-order.ts'
import { placeBehind } from './place.ts'
import { knownSection, sectionOf } from './section-of.ts'

/** The owner's list of what was deleted. */
export const binKey = ['bin'] as const

/** Puts the server's answer to an operation into the cache, before the operation leaves the queue: nothing flickers. */
export async function showApplied(
  queryClient: QueryClient,
  operation: Operation,
  json: unknown,
): Promise<void> {
  const { subject } = operation
  if (subject.on === 'answer') return showAnswered(queryClient, subject.id, json)
  const queryKey = queryKeyOf(operation)
  if (!queryKey) return
  // What is on its way may be older than this change.
  await queryClient.cancelQueries({ queryKey })
  if (subject.on === 'entry' || subject.on === 'order') {
    for (const key of [hiddenKey, binKey]) await queryClient.cancelQueries({ queryKey: key })
    void queryClient.invalidateQueries({ queryKey: binKey })
  }
  if (subject.on === 'person') {
    queryClient.setQueryData(personQuery.queryKey, parsePerson(json))
  } else if (subject.on === 'settings') {
    showSettings(queryClient, operation, json)
  } else if (subject.on === 'order') {
    showOrder(queryClient, sectionOf(subject), operation)
  } else if (subject.on === 'entry') {
    const { verb, behind } = operation
    if (verb === 'erase') return
    const section = sectionOf(subject)
    const row = verb === 'remove' ? undefined : parseOwnEntry(section, json)
    showEntry(queryClient, section, { id: subject.id, row, isNew: verb === 'create', behind })
  }
}

/** Shows what was set; the birth date is not among what the device keeps for everybody, only the age that the server told. */
function showSettings(queryClient: QueryClient, { values }: Operation, json: unknown): void {
  const { birth_date: birth, ...others } = values
  const { age_text: age } = (json ?? {}) as Partial<SettingValues>
  if (birth !== undefined) queryClient.setQueryData(birthDateQuery.queryKey, birth)
  queryClient.setQueryData(
    settingsQuery.queryKey,
    (old) => old && { ...old, ...others, ...(age !== undefined && { age_text: age }) },
  )
}

/** Everything about the owner's messages begins with it in the cache. */
export const messagesKey = ['messages'] as const
export const foldersKey = [...messagesKey, 'folder'] as const

/** Shows a message as it is now marked, and has its folder read anew. */
async function showAnswered(queryClient: QueryClient, id: string, json: unknown): Promise<void> {
  const { answeredAt } = json as Pick<Message, 'answeredAt'>
  await queryClient.cancelQueries({ queryKey: messagesKey })
  queryClient.setQueriesData<MessagePage>({ queryKey: foldersKey }, (list) => {
    if (!list) return list
    const marked = list.messages.map((one) => (one.id === id ? { ...one, answeredAt } : one))
    return { ...list, messages: marked }
  })
  void queryClient.invalidateQueries({ queryKey: messagesKey })
}

/** Shows a section's entries in the order that was asked for. */
function showOrder(queryClient: QueryClient, section: Section, operation: Operation): void {
  const { queryKey } = entriesQuery(section)
  changeEntries(queryClient, section, (rows) => arranged(rows, newOrderOf(operation)))
  const last = queryClient.getQueryData(queryKey)?.at(-1)
  if (last) queryClient.setQueryData(latestQuery(section).queryKey, (old) => old && last)
}

interface AppliedEntry {
  readonly id: string
  /** Undefined for one that was removed. */
  readonly row: Entry | undefined
  readonly isNew: boolean
  /** What it stands behind, where it has come back. */
  readonly behind: readonly string[] | undefined
}

/** Shows an entry as it now is in its list and, where it is the last that everybody sees, on its own. */
function showEntry(
  queryClient: QueryClient,
  section: Section,
  { id, row, isNew, behind }: AppliedEntry,
): void {
  const { queryKey } = entriesQuery(section)
  const before = queryClient.getQueryData(queryKey)
  const wasSeen = before?.some((entry) => entry.id === id) ?? true
  changeEntries(queryClient, section, (rows) => withRow(rows, id, row, behind))
  const list = queryClient.getQueryData(queryKey)
  const seen = row && !isHidden(row) ? row : undefined
  queryClient.setQueryData(latestQuery(section).queryKey, (old) => {
    if (old === undefined) return old
    if (seen && (behind || !wasSeen)) {
      return list?.at(-1) ?? (old === null || behind?.includes(old.id) ? seen : old)
    }
    if (old?.id !== id && !(isNew && seen)) return old
    // Without the list nobody knows what stood before: nothing is shown, as while the removal waited, until it is read anew.
    return seen ?? list?.at(-1) ?? null
  })
}

/** The list with the row in its place, at the end when it is new, behind those named when it is back, or without it when it is gone. */
export function withRow(
  entries: readonly Entry[],
  id: string,
  row: Entry | undefined,
  behind?: readonly string[],
): readonly Entry[] {
  if (row === undefined) return entries.filter((entry) => entry.id !== id)
  const isKnown = entries.some((entry) => entry.id === id)
  if (isKnown) return entries.map((entry) => (entry.id === id ? row : entry))
  return behind ? placeBehind(entries, row, behind) : [...entries, row]
}

/**
 * What is to be read anew after this operation; undefined where it changes nothing that the site shows: a message, the
 * owner's mark on one, a part of a résumé, and what is of a section that this build has not.
 */
export function queryKeyOf({ subject }: Pick<Operation, 'subject'>): QueryKey | undefined {
  if (subject.on === 'person') return personQuery.queryKey
  if (subject.on === 'settings') return settingsQuery.queryKey
  const isOfSection = subject.on === 'entry' || subject.on === 'order'
  const section = isOfSection ? knownSection(subject) : undefined
  return section && entriesQuery(section).queryKey
}

/** What the calls name the kind of thing that was changed; undefined as for `queryKeyOf`. */
export function kindOf({ subject }: Pick<Operation, 'subject'>): string | undefined {
  if (['message', 'resume', 'answer'].includes(subject.on)) return undefined
  if (subject.on === 'entry' || subject.on === 'order') return subject.section
  return subject.on === 'settings' ? calls.config : calls.person
}
