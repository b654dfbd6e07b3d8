import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { binCall, type BinnedEntry } from '#contract/entries/bin.ts'
import { parseOwnEntry } from '#contract/entries/hidden.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { storedEntries } from '#client/outbox/hidden-entries.ts'
import { isSameThing, type Operation } from '#client/outbox/operation.ts'
import { overlayEntries } from '#client/outbox/overlay-rows.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { knownSection } from '#client/outbox/section-of.ts'
import { binKey } from '#client/outbox/show-applied.ts'
import { useTrouble } from '#client/owner/calls/use-trouble.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { ownerRead } from '#client/owner/calls/read-anew.ts'

export interface BinItem {
  readonly section: Section
  readonly entry: Entry
  readonly removedAt: string
  readonly behind: readonly string[]
  /** The bytes that deleting it for good frees on the server. */
  readonly bytes: number
  /** Whether only this device knows of the deletion. */
  readonly isPending?: boolean
}

/** Kept in the page's memory alone. */
const binQuery = queryOptions({
  queryKey: binKey,
  queryFn: async () => {
    const { json } = await callAsOwner('GET', binCall)
    return (json as readonly BinnedEntry[]).flatMap(toItem)
  },
  ...ownerRead,
})

function toItem({ section: key, entry, ...known }: BinnedEntry): readonly BinItem[] {
  const section = sections.find((one) => one.key === key)
  return section ? [{ ...known, section, entry: parseOwnEntry(section, entry) }] : []
}

/** The server's list with the changes that wait on this device. */
export function useBin() {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(binQuery)
  const { operations } = useOutbox()
  return {
    items: itemsWith(operations, data ?? [], rowsOf),
    isRead: data !== undefined,
    trouble: useTrouble(error),
    refetch,
  }

  function rowsOf(section: Section): readonly Entry[] {
    return storedEntries(queryClient, section)
  }
}

type RowsOf = (section: Section) => readonly Entry[]

/** An entry that waits to be deleted is in the list, one that waits to come back is not. */
export function itemsWith(
  operations: readonly Operation[],
  stored: readonly BinItem[],
  rowsOf: RowsOf,
): readonly BinItem[] {
  const onEntries = operations.filter(({ subject, refusal }) => subject.on === 'entry' && !refusal)
  // An edit may wait before the removal.
  const isTaken = ({ entry }: BinItem) => {
    const last = onEntries.findLast(({ subject }) => idOf(subject) === entry.id)
    return last !== undefined && last.verb !== 'remove'
  }
  const kept = stored.filter((item) => !isTaken(item))
  const pending = onEntries
    .filter(({ verb }) => verb === 'remove')
    .flatMap((operation) => pendingItem(operation, onEntries, rowsOf))
    .filter((item) => !kept.some(({ entry }) => entry.id === item.entry.id) && !isTaken(item))
  return [...pending, ...kept]
}

const idOf = (subject: Operation['subject']) => ('id' in subject ? subject.id : undefined)

/**
 * An entry whose removal waits, with the changes that wait before it; where the device has not read the entry, only its name
 * is known.
 */
function pendingItem(
  removal: Operation,
  operations: readonly Operation[],
  rowsOf: RowsOf,
): readonly BinItem[] {
  const { subject, label, madeAt: removedAt, version = 0 } = removal
  const section = subject.on === 'entry' ? knownSection(subject) : undefined
  if (subject.on !== 'entry' || !section) return []
  const changes = operations
    .slice(0, operations.indexOf(removal))
    .filter((operation) => isSameThing(operation, removal))
  // This is kept longer than a page, and until a picture is stored it has an address on this page alone.
  const queued = { operations: changes, pictureOf: () => undefined }
  const rows = overlayEntries(section.key, rowsOf(section), queued)
  const index = rows.findIndex(({ id }) => id === subject.id)
  const named = { id: subject.id, version, fields: { [section.display.title]: label } }
  const behind = rows.slice(0, Math.max(0, index)).map(({ id }) => id)
  return [{ section, entry: rows[index] ?? named, removedAt, behind, bytes: 0, isPending: true }]
}
