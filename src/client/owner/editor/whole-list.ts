import { useQuery } from '@tanstack/react-query'
import type { Entry, Section } from '#contract/sections/section.ts'
import { useEntries, type ShownEntry } from '#client/data/overlay.ts'
import { entriesQuery } from '#client/data/queries.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'

const none: readonly Entry[] = []

interface WholeList {
  /** In the server's order, with the hidden ones and the queued changes; none while the list is not read. */
  readonly entries: readonly ShownEntry[]
  readonly isRead: boolean
}

/** What the owner has in a section. */
export function useWholeList(section: Section): WholeList {
  const { data } = useQuery(entriesQuery(section))
  return { entries: useEntries(section.key, data ?? none, true), isRead: data !== undefined }
}

/** What the queue alone tells of a list that cannot be read: of an entry that was changed, its name and the change. */
export function useQueuedEntries(section: Section): readonly ShownEntry[] {
  const { operations } = useOutbox()
  return useEntries(
    section.key,
    operations.flatMap((operation) => namedBy(section, operation)),
    true,
  )
}

function namedBy({ key, display }: Section, operation: Operation): readonly Entry[] {
  const { subject, verb, label } = operation
  if (subject.on !== 'entry' || subject.section !== key || verb === 'create') return []
  return [{ id: subject.id, version: 0, fields: { [display.title]: label } }]
}
