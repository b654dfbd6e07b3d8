import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { altField } from '#contract/images/alternative-text.ts'
import type { FieldValues, Fields } from '#contract/fields.ts'
import { historyCall, type EarlierVersion, type History } from '#contract/entries/history.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import type { Operation, Row } from '#client/outbox/operation.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { baseOf, returning, submitChange, type Base } from '#client/owner/changes/submit-change.ts'
import { useTrouble } from '#client/owner/calls/use-trouble.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { ownerRead } from '#client/owner/calls/read-anew.ts'
import { showNotice } from '#client/ui/notices.ts'

export interface HistoryThing {
  /** The kind in the call's path. */
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly fields: Fields
  /** As it is shown, with this device's queued changes. */
  readonly now: Row & Pick<ShownEntry, 'sync'>
  readonly changeOf: (base: Base, values: FieldValues) => Operation
}

/** Kept in the page's memory alone. */
const historyQuery = (kind: string, id: string) =>
  queryOptions({
    queryKey: ['history', kind, id],
    queryFn: async () => (await callAsOwner('GET', `${historyCall}/${kind}/${id}`)).json as History,
    ...ownerRead,
  })

/** The earlier versions of one thing, and the way back to one of them. */
export function useHistory(thing: HistoryThing, onReturn: (row: Row) => void) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(historyQuery(thing.kind, thing.id))
  return {
    history: data,
    trouble: useTrouble(error),
    refetch,
    goBack: (version: EarlierVersion) => returnTo(version, { thing, queryClient, onReturn }),
  }
}

/** The fields in which an earlier version differs, with its values. */
export function differing({ now }: HistoryThing, version: EarlierVersion): FieldValues {
  // A version without a note of its picture says nothing about it.
  return changedFields(now.fields, { [altField]: '', ...version.fields })
}

interface Returning {
  readonly thing: HistoryThing
  readonly queryClient: QueryClient
  readonly onReturn: (row: Row) => void
}

/** Once the server has it, a notice offers to undo it. */
async function returnTo(version: EarlierVersion, returned: Returning): Promise<void> {
  const values = differing(returned.thing, version)
  const made = await submitReturn(values, returned, historyTexts.failed)
  if (!made) return
  const { fields } = returned.thing.now
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, fields[name] ?? '']))
  // A picture that was still on its way has no address yet.
  const canUndo = !Object.values(before).some((value) => value.startsWith('blob:'))
  const undo = async () => {
    const thing = { ...returned.thing, now: made }
    if (await submitReturn(before, { ...returned, thing }, historyTexts.undoFailed)) {
      void showNotice('success-snackbar', historyTexts.undone)
    }
  }
  void showNotice('success-snackbar', historyTexts.returned, {
    ...(canUndo && {
      other: { label: historyTexts.undo, press: () => void whileBusy(undo) },
    }),
  })
}

/** Resolves with the row that they make, or with undefined where it does not reach the server. */
async function submitReturn(
  values: FieldValues,
  { thing: { now, changeOf }, queryClient, onReturn }: Returning,
  failed: string,
): Promise<Row | undefined> {
  const base = baseOf(now)
  const change = returning(changeOf(base, values))
  const seen = [...base.seen, change.id]
  const row = { version: now.version, fields: { ...now.fields, ...values }, seen }
  onReturn(row)
  // A choice between two versions is then made in the list of changes.
  const result = await submitChange(change, { queryClient, isFormless: true })
  if (result.state === 'saved') return row
  if (result.state === 'queued') void tellKept(result, failed)
  return undefined
}
