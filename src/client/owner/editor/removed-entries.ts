import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import {
  removeEntryOperation,
  restoreEntryOperation,
  submitChange,
} from '#client/owner/changes/submit-change.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { storedEntries } from '#client/outbox/hidden-entries.ts'
import { markDraftQueued } from '#client/outbox/entry-drafts.ts'
import { fold } from '#client/outbox/fold.ts'
import { isSameThing, pictureId, type Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { createStore, useStore } from '#client/ui/store.ts'
import { notify } from '#client/ui/notices.ts'

/** A queued change of an entry that its removal made superfluous. */
interface Superfluous {
  readonly operation: Operation
  readonly picture: Blob | undefined
}

/** An entry that was deleted on this page, with all it takes to have it back. */
export interface RemovedEntry {
  readonly section: Section
  readonly entry: Entry
  /** What stood before it in the list, in the server's order. */
  readonly behind: readonly string[]
  /** What waited for the server then. */
  readonly queued: readonly Superfluous[]
}

const none: readonly RemovedEntry[] = []
const removed = createStore(none)

/** What was brought back on this page: its removal may still be on its way, or never leave. */
const undone = new WeakSet<RemovedEntry>()

/** Whether it was brought back on this page, so that nothing is to be said of its removal any more. */
export function isUndone(item: RemovedEntry): boolean {
  return undone.has(item)
}

/** What was deleted from a section's list since the page was opened. */
export function useRemoved({ key }: Section): readonly RemovedEntry[] {
  return useStore(removed, none).filter(({ section }) => section.key === key)
}

/** Forgets what could be undone: she has left the list. */
export function forgetRemovedEntries({ key }: Section): void {
  removed.set(removed.get().filter(({ section }) => section.key !== key))
}

interface Removing {
  readonly section: Section
  readonly entry: ShownEntry
  /** The list that it is deleted from, in the server's order. */
  readonly list: readonly Pick<Entry, 'id'>[]
}

/** Whether the server never had it: then there is nothing in the bin either. */
export function wasNeverSent({ queued }: RemovedEntry): boolean {
  return queued.some(({ operation }) => operation.verb === 'create')
}

/** Deletes an entry, and keeps on this page what it takes to have it back. */
export async function removeFromList(
  { section, entry, list }: Removing,
  queryClient: QueryClient,
): Promise<{ readonly item: RemovedEntry; readonly result: ChangeResult }> {
  const { id } = entry
  const removal = removeEntryOperation(section, entry)
  const stored = storedEntries(queryClient, section)
  const item = {
    section,
    entry: stored.find((row) => row.id === id) ?? entry,
    behind: list
      .slice(
        0,
        list.findIndex((row) => row.id === id),
      )
      .map((row) => row.id),
    queued: await superfluousBy(removal, queryClient),
  }
  removed.set([...removed.get(), item])
  const result = await submitChange(removal, { queryClient })
  if (result.state === 'refused') forget(id)
  return { item, result }
}

/** What the queue will not send once the entry is removed. */
async function superfluousBy(
  removal: Operation,
  queryClient: QueryClient,
): Promise<readonly Superfluous[]> {
  const outbox = pageOutbox(queryClient)
  const queued = outbox.getState().operations
  const left = fold(queued, removal).operations
  const operations = queued.filter((operation) => {
    const isEdit = operation.verb === 'create' || operation.verb === 'update'
    return isEdit && isSameThing(operation, removal) && !left.includes(operation)
  })
  return Promise.all(
    operations.map(async (operation) => ({
      operation,
      picture: operation.image && (await outbox.picture(pictureId(operation))),
    })),
  )
}

/** Brings an entry back that was deleted on this page, with what had waited for the server. */
export async function undoRemoval(item: RemovedEntry, queryClient: QueryClient): Promise<void> {
  const { section, entry, behind, queued } = item
  if (!removed.get().includes(item)) return
  undone.add(item)
  forget(entry.id)
  const results = wasNeverSent(item)
    ? []
    : [await submitRestore({ section, entry, behind }, queryClient)]
  for (const { operation, picture } of queued) {
    // An operation of its own: the one there was may still be named in what another page has in view.
    const { refusal: _, changes: _changes, ...change } = operation
    const again = { ...change, id: newId(), tries: 0 }
    results.push(await submitChange(again, { queryClient, picture, isFormless: true }))
  }
  tellRestored(results, section, entry)
}

interface Restoring {
  readonly section: Section
  readonly entry: Entry
  readonly behind: readonly string[]
}

/** Brings a deleted entry back, from wherever she asks for it. */
async function submitRestore(
  { section, entry, behind }: Restoring,
  queryClient: QueryClient,
): Promise<ChangeResult> {
  const result = await submitChange(restoreEntryOperation(section, entry, behind), { queryClient })
  // What she was typing in its form is the form's again, if it is still there.
  await markDraftQueued(entry.id, false)
  return result
}

/** What is on its way back from the bin: a second press on its button asks for nothing more. */
const onTheWay = new Set<string>()

/** Brings an entry back from the bin, and says so. */
export async function restoreFromBin(
  restoring: Restoring,
  queryClient: QueryClient,
): Promise<void> {
  const { section, entry } = restoring
  const key = `${section.key}/${entry.id}`
  if (onTheWay.has(key)) return
  onTheWay.add(key)
  try {
    tellRestored([await submitRestore(restoring, queryClient)], section, entry)
  } finally {
    onTheWay.delete(key)
  }
}

function tellRestored(
  results: readonly ChangeResult[],
  { display }: Section,
  { fields }: Entry,
): void {
  const waiting = results.find((result) => result.state === 'queued')
  if (results.some(({ state }) => state === 'refused')) {
    void notify('error-snackbar', binTexts.restoreFailed)
  } else if (waiting) {
    void tellKept(waiting, binTexts.restoreFailed)
  } else {
    const name = fields[display.title] ?? ''
    void notify('success-snackbar', fill(binTexts.restored, { name }))
  }
}

function forget(id: string): void {
  removed.set(removed.get().filter(({ entry }) => entry.id !== id))
}
