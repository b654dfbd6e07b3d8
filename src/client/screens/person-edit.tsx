import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#contract/fields.ts'
import { placeholders } from '#contract/image.ts'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person.ts'
import { personNotices } from '#contract/person-notices.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { useShownPerson } from '#client/data/outbox/shown.ts'
import { personQuery } from '#client/data/queries.ts'
import { EditorPage, editorFormClass } from '#client/sections/editor-page.tsx'
import { EntryForm } from '#client/sections/entry-form.tsx'
import { personForm } from '#client/sections/form-keys.ts'
import { LeaveQuestion } from '#client/sections/leave-question.tsx'
import { PersonPreview } from '#client/sections/person-preview.tsx'
import { useEntryForm } from '#client/sections/use-entry-form.ts'
import { useLeave } from '#client/sections/use-leave.ts'
import { useUpdate, type Row } from '#client/sections/use-update.tsx'

type Which = keyof typeof personForms

/** One of the profile's two forms: it sends only what it changed of its own fields. */
export function PersonEditScreen({ which }: { readonly which: Which }) {
  const { data } = useSuspenseQuery(personQuery)
  const [row, setRow] = useState<Row>(useShownPerson(data))
  const { title, backPath, backTitle } = personForms[which]
  return (
    <EditorPage title={title} back={{ path: backPath, title: backTitle }}>
      <PersonForm key={row.version} which={which} row={row} onTakeTheirs={setRow} />
    </EditorPage>
  )
}

interface PersonFormProps {
  readonly which: Which
  readonly row: Row
  readonly onTakeTheirs: (row: Row) => void
}

function PersonForm({ which, row, onTakeTheirs }: PersonFormProps) {
  const { fields, backPath, editPath } = personForms[which]
  const form = personForm(which)
  const stored = ownFields(fields, row.fields)
  const { goBack, goTo } = useLeave(backPath)
  const { submit, conflict } = useUpdate({
    form,
    fields,
    stored,
    notices: personNotices,
    changeOf: (version, patch) => ({ kind: 'person', version, patch }),
    onTakeTheirs,
    leave: goBack,
    reopen: () => goTo(editPath.replace('$id', String(personId))),
  })
  const state = useEntryForm({
    form,
    fields,
    moment: 'update',
    stored,
    makeId: () => String(personId),
    version: row.version,
    onSubmit: submit,
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
      <LeaveQuestion form={form} isKept={state.isKept} />
      {conflict}
    </>
  )
}

function ownFields(fields: object, all: Draft): Draft {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, all[name] ?? '']))
}
