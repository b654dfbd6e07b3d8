import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import type { Entry, Section } from '#contract/sections/section.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { giveDraftBack } from '#client/owner/changes/discard-change.ts'
import {
  dropDraft,
  replaceDraft,
  takeUnsent,
  type KeptWhole,
} from '#client/owner/drafts/entry-drafts.ts'
import {
  removeEntryOperation,
  restoreEntryOperation,
  submitChange,
} from '#client/owner/changes/submit-change.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { storedEntries } from '#client/outbox/hidden-entries.ts'
import { fold } from '#client/outbox/fold.ts'
import { isSameThing, pictureId, type Operation } from '#client/outbox/operation.ts'
import { overlayEntries } from '#client/outbox/overlay-rows.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { editForm } from './form-keys.ts'
import { createStore, useStore } from '#client/ui/store.ts'
import { showNotice, pageNotices } from '#client/ui/notices.ts'

/** A queued change that the entry's removal made superfluous. */
interface Superfluous {
  readonly operation: Operation
  readonly picture: Blob | undefined
}

export interface RemovedEntry {
  readonly section: Section
  readonly entry: Entry
  /** The ids before it in the list, in the server's order. */
  readonly behind: readonly string[]
  /** The changes of it that were queued then. */
  readonly queued: readonly Superfluous[]
}

const none: readonly RemovedEntry[] = []
const removed = createStore(none)

/** Entries brought back on this page: their removal may still be on its way, or never leave. */
const undone = new WeakSet<RemovedEntry>()

/** What the button of each entry's notice does; by it the notice is found again. */
const offers = new WeakMap<RemovedEntry, () => void>()

/** What was typed over entries that were never sent: no page leads to it any more, and an undo puts it back. */
const typedOver = new WeakMap<RemovedEntry, Promise<readonly KeptWhole[]>>()

/** Whether the removal was undone: then nothing is said of it any more. */
export function isUndone(item: RemovedEntry): boolean {
  return undone.has(item)
}

/** The entries of the section that were deleted since the page was opened. */
export function useRemoved({ key }: Section): readonly RemovedEntry[] {
  return useStore(removed, none).filter(({ section }) => section.key === key)
}

/** Forgets what an undo would need, because the owner leaves the list. */
export function forgetRemovedEntries({ key }: Section): void {
  removed.set(removed.get().filter(({ section }) => section.key !== key))
}

interface Removing {
  readonly section: Section
  readonly entry: ShownEntry
  /** The list that held it, in the server's order. */
  readonly list: readonly Pick<Entry, 'id'>[]
}

/** Whether the server never had the entry, which then is not in the bin either. */
export function wasNeverSent({ queued }: RemovedEntry): boolean {
  return queued.some(({ operation }) => operation.verb === 'create')
}

/** Deletes an entry, and keeps on this page what an undo needs. */
export async function removeFromList(
  { section, entry, list }: Removing,
  queryClient: QueryClient,
): Promise<{ readonly item: RemovedEntry; readonly result: ChangeResult }> {
  const { id } = entry
  const removal = removeEntryOperation(section, entry)
  const { operations } = pageOutbox(queryClient).getState()
  const stored = storedEntries(queryClient, section)
  // This is kept longer than a page, and until a picture is stored it has an address on this page alone.
  const rows = overlayEntries(section.key, stored, { operations, pictureOf: () => undefined })
  const item = {
    section,
    entry: rows.find((row) => row.id === id) ?? entry,
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
  // Where the device did not forget the entry, it keeps what was typed over it too.
  else if (wasNeverSent(item) && result.state === 'saved') {
    typedOver.set(item, takeUnsent(editForm(section, id)))
  }
  return { item, result }
}

/** Says that the entry is deleted, and offers to undo it, until that is done in the list. */
export function tellRemoved(item: RemovedEntry, queryClient: QueryClient): void {
  const press = () => void whileBusy(() => undoRemoval(item, queryClient))
  offers.set(item, press)
  const { deleted } = noticesOf(item.section)
  void showNotice('success-snackbar', deleted, { other: { label: binTexts.undo, press } })
}

function closeNotice(item: RemovedEntry): void {
  const press = offers.get(item)
  const notice = press && pageNotices.get().find(({ other }) => other?.press === press)
  if (notice) pageNotices.close(notice.id, false)
}

/** The changes that the queue will not send once the entry is removed. */
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

/**
 * Brings the entry back, and queues again the changes that had waited for the server. Where the device does not keep what was
 * typed over it, the entry stays deleted, for another try: it would come back without.
 */
export async function undoRemoval(item: RemovedEntry, queryClient: QueryClient): Promise<void> {
  const { section, entry, behind, queued } = item
  if (isUndone(item)) return
  undone.add(item)
  if (!(await putTypedBack(item))) {
    undone.delete(item)
    void showNotice('error-snackbar', binTexts.notUndone)
    return
  }
  forget(entry.id)
  closeNotice(item)
  const leavesDrafts = wasNeverSent(item)
  const results = leavesDrafts ? [] : [await submitRestore({ section, entry, behind }, queryClient)]
  for (const { operation, picture } of queued) {
    // A new operation, because another page's form may still refer to the old one.
    const { refusal: _, changes: _changes, ...change } = operation
    const again = { ...change, id: newId(), tries: 0 }
    const options = { queryClient, picture, isFormless: true, leavesDrafts }
    results.push(await submitChange(again, options))
  }
  tellRestored(results, section, entry)
}

/** What was typed over an entry that was never sent lies with its form again; resolves to whether the device has all of it. */
async function putTypedBack(item: RemovedEntry): Promise<boolean> {
  const typed = (await typedOver.get(item)) ?? []
  for (const { place, ...whole } of typed) {
    if (await replaceDraft(place, whole)) continue
    // No page leads to it as long as the entry is not back.
    await Promise.all(typed.map((one) => dropDraft(one.place)))
    return false
  }
  return true
}

interface Restoring {
  readonly section: Section
  readonly entry: Entry
  readonly behind: readonly string[]
}

async function submitRestore(
  { section, entry, behind }: Restoring,
  queryClient: QueryClient,
): Promise<ChangeResult> {
  const restoring = restoreEntryOperation(section, entry, behind)
  await giveDraftBack(restoring, queryClient)
  return submitChange(restoring, { queryClient })
}

/** Entries on their way back from the bin, so that a second press does nothing more. */
const onTheWay = new Set<string>()

/** Puts an entry back once, however often it is pressed, and says how it went. */
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
    void showNotice('error-snackbar', binTexts.restoreFailed)
  } else if (waiting) {
    void tellKept(waiting, binTexts.restoreFailed)
  } else {
    const name = fields[display.title] ?? ''
    void showNotice('success-snackbar', fill(binTexts.restored, { name }))
  }
}

function forget(id: string): void {
  removed.set(removed.get().filter(({ entry }) => entry.id !== id))
}
