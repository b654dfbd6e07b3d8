import { useQuery } from '@tanstack/react-query'
import { placeholders } from '#contract/images/image.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { useEntries } from '#client/data/overlay.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { duplicateNote } from './duplicate-name.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryPreview } from './entry-preview.tsx'
import type { EntryFormState } from './use-entry-form.ts'

interface SectionFormProps {
  readonly section: Section
  readonly state: EntryFormState
  readonly className: string
  readonly onCancel: () => void
  /** The form's heading, where the page itself has another. */
  readonly title?: { readonly id: string; readonly text: string }
}

/** A section's form beside the card it makes. */
export function SectionForm({ section, state, className, onCancel, title }: SectionFormProps) {
  const { data = [] } = useQuery(entriesQuery(section))
  const entries = useEntries(section.key, data, true)
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
      <EntryPreview section={section} values={state.values} pictureUrl={state.picture?.url} />
    </>
  )
}
