import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { useShownEntries } from '#client/data/outbox/shown.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { EditorPage, editorFormClass } from '#client/sections/editor-page.tsx'
import { editForm } from '#client/sections/form-keys.ts'
import { LeaveQuestion } from '#client/sections/leave-question.tsx'
import { SectionForm } from '#client/sections/section-form.tsx'
import { useEntryForm } from '#client/sections/use-entry-form.ts'
import { useLeave } from '#client/sections/use-leave.ts'
import { useUpdate, type Row } from '#client/sections/use-update.tsx'
import { NotFound } from './not-found.tsx'

interface EntryEditScreenProps {
  readonly section: Section
  readonly id: string
}

/** The form of one entry; an id that the section does not have is a page that does not exist. */
export function EntryEditScreen({ section, id }: EntryEditScreenProps) {
  const { data } = useSuspenseQuery(entriesQuery(section))
  const shown = useShownEntries(section.key, data)
  // The form keeps the row it started from: what another device changes meanwhile is asked about on saving.
  const [row, setRow] = useState<Row | undefined>(() => shown.find((entry) => entry.id === id))
  if (row === undefined) return <NotFound />
  const entry = { ...row, id }
  return (
    <EditorPage title={section.words.edit} back={section}>
      <EditForm key={row.version} section={section} entry={entry} onTakeTheirs={setRow} />
    </EditorPage>
  )
}

interface EditFormProps {
  readonly section: Section
  readonly entry: Entry
  readonly onTakeTheirs: (row: Row) => void
}

function EditForm({ section, entry, onTakeTheirs }: EditFormProps) {
  const { id, version, fields: stored } = entry
  const { fields, notices, path, editPath } = section
  const form = editForm(section, id)
  const { goBack, goTo } = useLeave(path)
  const { submit, conflict } = useUpdate({
    form,
    fields,
    stored,
    notices,
    changeOf: (known, patch) => ({ kind: 'update', section, id, version: known, patch }),
    onTakeTheirs,
    leave: goBack,
    reopen: () => goTo(editPath.replace('$id', id)),
  })
  const state = useEntryForm({
    form,
    fields,
    moment: 'update',
    stored,
    makeId: () => id,
    version,
    onSubmit: submit,
  })
  return (
    <>
      <SectionForm
        section={section}
        state={state}
        className={editorFormClass}
        onCancel={() => goTo(path)}
      />
      <LeaveQuestion form={form} isKept={state.isKept} />
      {conflict}
    </>
  )
}
