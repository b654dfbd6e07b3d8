import { useLocation } from '@tanstack/react-router'
import { use } from 'react'
import { pathOfPage } from '#contract/entries/list-pages.ts'
import { share } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { takeShared } from '#client/owner/drafts/shared.ts'
import type { OpenDraft } from './draft-start.ts'
import { EditorPage, editorFormClass } from './editor-page.tsx'
import { newForm } from './form-keys.ts'
import { FormDraft } from './form-draft.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { pageOfRow } from './page-of-row.ts'
import { SharedMissing, SharedNote, type MissingShare } from './shared-note.tsx'
import { SectionForm } from './section-form.tsx'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import { useLeave } from './use-leave.ts'
import { useNewEntry } from './use-new-entry.ts'
import { useWholeList } from './whole-list.ts'

/** A text shared to the installed app begins a project. */
export function EntryAddScreen({ section }: { readonly section: Section }) {
  const isProject = section.key === project.key
  return (
    <OwnScreen>
      {isProject ? <SharedEntryForm section={section} /> : <EntryForm section={section} />}
    </OwnScreen>
  )
}

function SharedEntryForm({ section }: { readonly section: Section }) {
  const isTaken = useShared(newForm(section))
  const href = useLocation({ select: ({ href: all }) => all })
  const isLost = !isTaken || href === share.notKept
  const missing = isLost ? 'lost' : href === share.full && 'full'
  return <EntryForm section={section} {...(missing && { missing })} />
}

interface EntryFormProps {
  readonly section: Section
  /** Why a shared text could not be brought here, where one was. */
  readonly missing?: MissingShare
}

function EntryForm(props: EntryFormProps) {
  return (
    <FormDraft isNew form={newForm(props.section)}>
      {(kept) => <NewEntryForm {...props} kept={kept} />}
    </FormDraft>
  )
}

interface NewEntryFormProps extends EntryFormProps {
  readonly kept: OpenDraft
}

/** The page is reloaded once the entry is saved. */
function NewEntryForm({ section, missing, kept }: NewEntryFormProps) {
  const { goTo } = useLeave(section.path)
  const { length } = useWholeList(section).entries
  const state = useNewEntry(section, kept, {
    target: pathOfPage(section, pageOfRow(section, length, length + 1)),
  })
  return (
    <EditorPage title={section.words.add} back={section}>
      {missing && <SharedMissing why={missing} />}
      {state.shared.length > 0 && <SharedNote shared={state.shared} onDrop={state.dropShared} />}
      <SectionForm
        section={section}
        state={state}
        className={editorFormClass}
        onCancel={() => goTo(section.path)}
      />
      <LeaveQuestion form={newForm(section)} isKept={state.keeping === 'kept'} />
    </EditorPage>
  )
}

const taken = new Map<string, Promise<boolean>>()

/**
 * Waits until a text shared to the installed app is in this form's draft, and tells whether it is; looks once in a
 * page's life.
 */
function useShared(form: string): boolean {
  const taking = taken.get(form) ?? takeShared(form)
  taken.set(form, taking)
  return use(taking)
}
