import type { WaitingDrafts } from '#contract/resume/proposals.ts'
import { formOf } from '#client/outbox/draft-places.ts'
import { unsentDrafts } from '#client/outbox/entry-drafts.ts'
import { newForm } from '#client/owner/editor/form-keys.ts'
import { readRecords } from './import-records.ts'

/** What waits in the forms of new entries: as it is there, and as an import left it, where she has worked on it since. Never rejects. */
export async function waitingDrafts(): Promise<WaitingDrafts> {
  const [drafts, records] = await Promise.all([unsentDrafts(), readRecords()])
  const left = records.flatMap((record) => record.drafts)
  return (section) =>
    drafts
      .filter(({ place }) => formOf(place) === newForm(section))
      .flatMap(({ draft }) => {
        const { fields } = left.find(({ id }) => id === draft.id) ?? {}
        return fields ? [draft.fields, fields] : [draft.fields]
      })
}
