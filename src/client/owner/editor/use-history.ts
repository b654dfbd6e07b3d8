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
import { useTrouble } from '#client/owner/notifications/use-trouble.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { notify } from '#client/ui/notices.ts'

/** An entry or the profile, with what its history needs to be shown and to come back. */
export interface HistoryThing {
  /** What the call names it by. */
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly fields: Fields
  /** As it is shown, with what waits on this device. */
  readonly now: Row & Pick<ShownEntry, 'sync'>
  readonly changeOf: (base: Base, values: FieldValues) => Operation
}

/** What a thing said before, as the server knows it; in the page's memory alone. */
const historyQuery = (kind: string, id: string) =>
  queryOptions({
    queryKey: ['history', kind, id],
    queryFn: async () => (await callAsOwner('GET', `${historyCall}/${kind}/${id}`)).json as History,
    staleTime: 0,
  })

/** A thing's history, and the way back to a version of it. */
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

/** The fields in which an earlier version differs from what is shown, as it has them. */
export function differing({ now }: HistoryThing, version: EarlierVersion): FieldValues {
  // Where nothing was written of its picture the version says nothing of it.
  return changedFields(now.fields, { [altField]: '', ...version.fields })
}

interface Returning {
  readonly thing: HistoryThing
  readonly queryClient: QueryClient
  readonly onReturn: (row: Row) => void
}

/** Puts an earlier version in the place of what is shown; once the server has it, that can be undone. */
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
      void notify('success-snackbar', historyTexts.undone)
    }
  }
  void notify('success-snackbar', historyTexts.returned, {
    ...(canUndo && {
      other: { label: historyTexts.undo, press: () => void whileBusy(undo) },
    }),
  })
}

/** Sends the values as an edit; resolves with the row that they make, or with nothing where it does not stand at the server. */
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
  // Whoever is asked which version stays is asked in the list of changes.
  const result = await submitChange(change, { queryClient, isFormless: true })
  if (result.state === 'saved') return row
  if (result.state === 'queued') void tellKept(result, failed)
  return undefined
}
