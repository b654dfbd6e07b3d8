import type { BroughtBefore } from '#contract/resume/proposals.ts'
import { formOf } from '#client/owner/drafts/draft-places.ts'
import { unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { newForm } from '#client/owner/editor/form-keys.ts'
import { readRecords } from './import-records.ts'

/**
 * What the imports that this device knows of left: drafts as they wait in their forms, and as they were left there, where she
 * has worked on them since; and the entries that were made, by word or out of such a draft. Never rejects.
 */
export async function readBroughtBefore(): Promise<BroughtBefore> {
  const [waiting, records] = await Promise.all([unsentDrafts(), readRecords()])
  const left = records.flatMap(({ drafts }) => drafts)
  const made = records.flatMap(({ created }) => created)
  return {
    drafts: (section) =>
      waiting
        .filter(({ place }) => formOf(place) === newForm(section))
        .flatMap(({ draft }) => {
          const { fields } = left.find(({ id }) => id === draft.id) ?? {}
          return fields ? [draft.fields, fields] : [draft.fields]
        }),
    made: (section) =>
      [...made, ...left].flatMap(({ section: key, id, fields }) =>
        key === section.key && fields ? [{ id, fields }] : [],
      ),
  }
}
