import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues, Fields } from '#contract/fields.ts'
import { placeholders } from '#contract/images/image.ts'
import { personId } from '#contract/limits.ts'
import { ownAboutFields, ownPersonFields } from '#contract/entries/own-fields.ts'
import { headerFields, personForms } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { baseOf, updatePersonOperation, type Base } from '#client/owner/changes/submit-change.ts'
import type { Row } from '#client/outbox/operation.ts'
import { usePerson } from '#client/data/overlay.ts'
import { personQuery } from '#client/data/queries.ts'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import type { OpenDraft } from './draft-start.ts'
import { EditorPage, editorFormClass } from './editor-page.tsx'
import { EntryForm } from './entry-form.tsx'
import { personForm } from './form-keys.ts'
import { FormDraft } from './form-draft.tsx'
import { HistoryButton } from './history-button.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { PersonPreview } from './person-preview.tsx'
import { useEntryForm } from './use-entry-form.ts'
import { useLeave } from './use-leave.ts'
import { useUpdate } from './use-update.tsx'

type Which = keyof typeof personForms

/** Width over height of the portrait wherever it is shown. */
const portraitRatio = 4 / 5

const { title } = headerFields
/** The fields of each form; the hint is for its reader only. */
const formFields = {
  header: { ...headerFields, title: { ...title, hint: ownerTexts.titleHint } },
  about: ownAboutFields,
}

/** What the page is called that shows what each form changes. */
const backTitles: Readonly<Record<Which, string>> = { header: texts.home, about: texts.about }

/** Sends only the changed fields of its own. */
export function PersonEditScreen(props: PersonEditProps) {
  return (
    <OwnScreen>
      <PersonEdit {...props} />
    </OwnScreen>
  )
}

interface PersonEditProps {
  readonly which: Which
}

function PersonEdit({ which }: PersonEditProps) {
  const { data } = useSuspenseQuery(personQuery)
  const now = usePerson(data)
  const [row, setRow] = useState<Row>(now)
  const { title: heading, backPath } = personForms[which]
  const form = personForm(which)
  const thing = {
    kind: 'person',
    id: String(personId),
    title: historyTexts.profile,
    fields: ownPersonFields,
    now,
    changeOf: (base: Base, values: FieldValues) =>
      updatePersonOperation(now.fields, { base, values }),
  }
  return (
    <EditorPage
      title={heading}
      back={{ path: backPath, title: backTitles[which] }}
      tools={<HistoryButton thing={thing} form={form} onReturn={setRow} />}
    >
      <FormDraft key={JSON.stringify(baseOf(row))} form={form}>
        {(kept) => <PersonForm which={which} row={row} kept={kept} onTakeTheirs={setRow} />}
      </FormDraft>
    </EditorPage>
  )
}

interface PersonFormProps {
  readonly which: Which
  readonly row: Row
  readonly kept: OpenDraft
  readonly onTakeTheirs: (row: Row) => void
}

function PersonForm({ which, row, kept, onTakeTheirs }: PersonFormProps) {
  const { backPath, path: editPath } = personForms[which]
  const fields: Fields = formFields[which]
  const form = personForm(which)
  const stored = valuesIn(fields, row.fields)
  const { goBack, goTo } = useLeave(backPath)
  const { submit, conflict, ...saved } = useUpdate({
    form,
    fields,
    row,
    stored,
    notices: personNotices,
    changeOf: (base, values) => updatePersonOperation(row.fields, { base, values }),
    onTakeTheirs,
    leave: goBack,
    reopen: () => goTo(editPath.replace('$id', String(personId))),
  })
  const state = useEntryForm({
    form,
    kept,
    fields,
    mode: 'update',
    stored: saved.stored,
    leftPicture: saved.leftPicture,
    makeId: () => String(personId),
    base: baseOf(row),
    onSubmit: submit,
    frame: portraitRatio,
  })
  return (
    <>
      <EntryForm
        state={state}
        className={editorFormClass}
        submitLabel={ownerTexts.update}
        onCancel={() => goTo(backPath)}
        placeholder={placeholders.person}
      />
      <PersonPreview which={which} values={state.values} pictureUrl={state.picture?.url} />
      <LeaveQuestion form={form} isKept={state.keeping === 'kept'} />
      {conflict}
    </>
  )
}

function valuesIn(fields: Fields, all: FieldValues): FieldValues {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, all[name] ?? '']))
}
