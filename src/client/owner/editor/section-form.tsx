import { placeholders } from '#contract/images/image.ts'
import type { Section, Entry } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryPreview } from './entry-preview.tsx'
import type { EntryFormState } from './use-entry-form.ts'
import { useWholeList } from './whole-list.ts'
import { cleanText, locale } from '#contract/text.ts'

interface SectionFormProps {
  readonly section: Section
  readonly state: EntryFormState
  readonly className: string
  readonly onCancel: () => void
  /** The form's heading, for pages with a heading of their own. */
  readonly title?: { readonly id: string; readonly text: string }
}

export function SectionForm({ section, state, className, onCancel, title }: SectionFormProps) {
  const { entries } = useWholeList(section)
  const { display } = section
  const name = state.values[display.title] ?? ''
  const isGrid = display.kind === 'card' && display.layout === 'grid'
  return (
    <>
      <EntryForm
        state={state}
        className={className}
        submitLabel={state.mode === 'create' ? ownerTexts.confirm : ownerTexts.update}
        onCancel={onCancel}
        placeholder={isGrid ? placeholders.card : placeholders.logo}
        note={{
          name: display.title,
          text: duplicateNote(section, entries, { id: state.id, name }),
        }}
      >
        {title ? <h2 id={title.id}>{title.text}</h2> : null}
      </EntryForm>
      <EntryPreview
        section={section}
        values={state.values}
        isNew={state.mode === 'create'}
        pictureUrl={state.picture?.url}
      />
    </>
  )
}

/** The empty string unless another entry has this name; equal names are allowed. */
export function duplicateNote(
  section: Section,
  entries: readonly Entry[],
  { id, name }: { readonly id: string; readonly name: string },
): string {
  const { title } = section.display
  const wanted = plain(name)
  const isTaken = entries.some(
    (entry) => entry.id !== id && plain(entry.fields[title] ?? '') === wanted,
  )
  return wanted !== '' && isTaken ? ownerTexts.duplicate : ''
}

function plain(text: string): string {
  return cleanText(text).toLocaleLowerCase(locale)
}
