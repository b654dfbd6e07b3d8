import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emptyValues, type FieldValues } from '#contract/fields.ts'
import { pathOfPage } from '#contract/entries/list-pages.ts'
import { ownFields, saidFields } from '#contract/entries/own-fields.ts'
import type { Section } from '#contract/sections/section.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { fill } from '#contract/text.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { lenientOver } from '#contract/validate.ts'
import { baseOf, updateEntryOperation, type Base } from '#client/owner/changes/submit-change.ts'
import { hiddenQuery } from './hidden-query.ts'
import type { Row } from '#client/outbox/operation.ts'
import { useEntries } from '#client/data/overlay.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { useHasDraft } from '#client/owner/drafts/entry-drafts.ts'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import type { OpenDraft } from './draft-start.ts'
import { DiscardedEntry } from './discarded-entry.tsx'
import { EditorPage, editorFormClass } from './editor-page.tsx'
import { editForm } from './form-keys.ts'
import { FormDraft } from './form-draft.tsx'
import { GoneEntry } from './gone-entry.tsx'
import { frameOf } from './framed-picture.ts'
import { HistoryButton } from './history-button.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { pageOfRow } from './page-of-row.ts'
import { SectionForm } from './section-form.tsx'
import { useEntryForm } from './use-entry-form.ts'
import { useLeave } from './use-leave.ts'
import { useUpdate } from './use-update.tsx'
import { Loading } from '#client/site/loading.tsx'

interface EntryEditScreenProps {
  readonly section: Section
  readonly id: string
}

/** An entry that was deleted shows the way back; an id that the section never had, the page of a missing address. */
export function EntryEditScreen(props: EntryEditScreenProps) {
  return (
    <OwnScreen>
      <EntryEdit {...props} />
    </OwnScreen>
  )
}

function EntryEdit({ section, id }: EntryEditScreenProps) {
  const { data, isFetching } = useSuspenseQuery(entriesQuery(section))
  const { isFetching: isHiddenFetching } = useQuery(hiddenQuery)
  const shown = useEntries(section.key, data, true)
  // The form keeps the row it started from: on saving, a question covers what another device changed meanwhile.
  const [row, setRow] = useState<Row | undefined>(() => shown.find((entry) => entry.id === id))
  if (row === undefined) {
    // This device's copy may be older than the entry, which is then still loading.
    const found = shown.find((entry) => entry.id === id)
    if (found) setRow(found)
    const isReading = found !== undefined || isFetching || isHiddenFetching
    return isReading ? <Loading /> : <GoneEntry section={section} id={id} />
  }
  const form = editForm(section, id)
  const index = shown.findIndex((entry) => entry.id === id)
  const now = shown[index] ?? row
  const path = pathOfPage(section, index < 0 ? 1 : pageOfRow(section, index, shown.length))
  const thing = {
    kind: section.key,
    id,
    title: fill(historyTexts.title, { name: now.fields[section.display.title] ?? '' }),
    fields: saidFields(section),
    now,
    changeOf: (base: Base, values: FieldValues) =>
      updateEntryOperation(section, { id, fields: now.fields }, { base, values }),
  }
  return (
    <EditorPage
      title={section.words.edit}
      back={{ path, title: section.title }}
      tools={<HistoryButton thing={thing} form={form} onReturn={setRow} />}
    >
      <FormDraft key={JSON.stringify(baseOf(row))} form={form}>
        {(kept) => (
          <EditForm
            section={section}
            id={id}
            row={row}
            path={path}
            isThere={index >= 0}
            kept={kept}
            onTakeTheirs={setRow}
          />
        )}
      </FormDraft>
    </EditorPage>
  )
}

interface EditFormProps {
  readonly section: Section
  readonly id: string
  readonly row: Row
  /** The page of the list that shows the entry. */
  readonly path: string
  /** Whether it is in its list, queued or stored. */
  readonly isThere: boolean
  readonly kept: OpenDraft
  readonly onTakeTheirs: (row: Row) => void
}

function EditForm({ section, id, row, path, isThere, kept, onTakeTheirs }: EditFormProps) {
  const { editPath } = section
  const stored = { ...emptyValues(ownFields(section)), ...row.fields }
  const fields = lenientOver(ownFields(section), stored)
  const form = editForm(section, id)
  const { goBack, goTo } = useLeave(path)
  const { submit, conflict, ...saved } = useUpdate({
    form,
    fields,
    row,
    stored,
    notices: noticesOf(section),
    changeOf: (base, values) =>
      updateEntryOperation(section, { id, fields: stored }, { base, values }),
    onTakeTheirs,
    leave: goBack,
    reopen: () => goTo(editPath.replace('$id', id)),
  })
  const hasDraft = useHasDraft(form)
  // It was queued to be made, and is not.
  const isGone = saved.isDiscarded && !isThere && row.version === 0
  const state = useEntryForm({
    form,
    kept,
    fields,
    mode: 'update',
    stored: saved.stored,
    leftPicture: isGone ? undefined : saved.leftPicture,
    makeId: () => id,
    base: baseOf(row),
    onSubmit: submit,
    frame: frameOf(section),
  })
  // What was typed stands here as long as it is not left to another form.
  if (isGone && !hasDraft) {
    return (
      <DiscardedEntry
        section={section}
        name={stored[section.display.title] ?? ''}
        isTyped={state.isDirty}
      />
    )
  }
  return (
    <>
      <SectionForm
        section={section}
        state={state}
        className={editorFormClass}
        onCancel={() => goTo(path)}
      />
      <LeaveQuestion form={form} isKept={state.keeping === 'kept'} />
      {conflict}
    </>
  )
}
