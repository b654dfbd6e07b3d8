import type { QueryClient } from '@tanstack/react-query'
import { sections } from '#contract/sections/index.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { inTurn } from '#client/browser/in-turn.ts'
import { ownedBy } from '#client/outbox/owned-drafts.ts'
import { leaveDrafts } from './leave-drafts.ts'
import { submitChanges } from '#client/owner/changes/submit-change.ts'
import { newForm } from '#client/owner/editor/form-keys.ts'
import {
  hasRecords,
  keepRecord,
  readRecord,
  readUnfinished,
  type ImportRecord,
} from './import-records.ts'

/*
 * An import is kept as a record first, with all that it is made of, and only then put where it belongs: the drafts to the
 * forms in one turn, the changes to the queue in another. A page may be killed between any two of these. The record says
 * until the end that it is unfinished, nobody is told of it before, and the next page does it all again: a draft is known by
 * its id, and so is a change, by the queue and by the server.
 */

/** Puts what an import is made of where it belongs. Throws when the device does not keep the drafts. */
export function finishImport(id: string, queryClient: QueryClient): Promise<void> {
  return inTurn('tintero-imports', async () => {
    // As it is kept by now: another page may have been faster.
    const record = await readRecord(id)
    if (!record?.unfinished) return
    if (!record.areDraftsLeft && !(await leaveDrafts(draftsOf(record)))) {
      throw new Error('the device keeps no drafts')
    }
    const isKept = await submitChanges(record.unfinished, queryClient)
    // What waits in this page's memory alone is the next page's to queue; by then a draft may be no form's any more.
    await (isKept ? noteFinished(record) : keepNoted({ ...record, areDraftsLeft: true }))
  })
}

/** Finishes what earlier pages left of this account's imports. Never rejects. */
export async function finishImports(queryClient: QueryClient): Promise<void> {
  if (!(await hasRecords())) return
  for (const { id } of await readUnfinished()) {
    await finishImport(id, queryClient).catch((cause: unknown) =>
      logProblem('An import could not be finished', cause),
    )
  }
}

function draftsOf({ drafts, account }: ImportRecord) {
  return drafts.flatMap(({ section: key, id, fields = {} }) => {
    const section = sections.find((one) => one.key === key)
    // Somebody else may sign in while this waits for its turn.
    const owner = ownedBy(account ?? '')
    const draft = { ...owner, id, version: 0, fields, keepsId: true } as const
    return section ? [{ form: newForm(section), draft }] : []
  })
}

async function noteFinished(record: ImportRecord): Promise<void> {
  const { unfinished: _, areDraftsLeft: __, ...finished } = record
  await keepNoted(finished)
}

/** What is noted is done, so that this may fail: it is then only done again. */
async function keepNoted(record: ImportRecord): Promise<void> {
  await keepRecord(record).catch((cause: unknown) =>
    logProblem('How far an import is could not be noted', cause),
  )
}
