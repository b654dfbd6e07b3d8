import { v7 as newId } from 'uuid'
import { emptyDraft } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { EditorPage, editorFormClass } from '#client/sections/editor-page.tsx'
import { newForm } from '#client/sections/form-keys.ts'
import { LeaveQuestion } from '#client/sections/leave-question.tsx'
import { SectionForm } from '#client/sections/section-form.tsx'
import { useCreate } from '#client/sections/use-create.ts'
import { useEntryForm } from '#client/sections/use-entry-form.ts'
import { useShared } from '#client/sections/use-shared.ts'
import { useLeave } from '#client/sections/use-leave.ts'

/** The form of a new entry as a page of its own; what is shared to the installed app begins a project. */
export function EntryAddScreen({ section }: { readonly section: Section }) {
  return section.key === project.key ? (
    <SharedEntryForm section={section} />
  ) : (
    <EntryForm section={section} />
  )
}

function SharedEntryForm({ section }: { readonly section: Section }) {
  useShared(newForm(section))
  return <EntryForm section={section} />
}

/** Once it is saved the list is loaded anew. */
function EntryForm({ section }: { readonly section: Section }) {
  const form = newForm(section)
  const { goTo } = useLeave(section.path)
  const state = useEntryForm({
    form,
    fields: section.fields,
    moment: 'create',
    stored: emptyDraft(section.fields),
    makeId: () => newId(),
    version: 0,
    onSubmit: useCreate(section, { form, target: section.path }),
  })
  return (
    <EditorPage title={section.words.add} back={section}>
      <SectionForm
        section={section}
        state={state}
        className={editorFormClass}
        onCancel={() => goTo(section.path)}
      />
      <LeaveQuestion form={form} isKept={state.isKept} />
    </EditorPage>
  )
}
