import { v7 as newId } from 'uuid'
import { emptyValues } from '#contract/fields.ts'
import { ownFields } from '#contract/entries/own-fields.ts'
import type { Section } from '#contract/sections/section.ts'
import type { OpenDraft } from './draft-start.ts'
import { newForm } from './form-keys.ts'
import { frameOf } from './framed-picture.ts'
import { useCreate, type AfterCreate } from './use-create.ts'
import { useEntryForm, type EntryFormState } from './use-entry-form.ts'

/** Holds the form of a new entry; its page and its panel share one draft. */
export function useNewEntry(section: Section, kept: OpenDraft, after: AfterCreate): EntryFormState {
  const form = newForm(section)
  const fields = ownFields(section)
  return useEntryForm({
    form,
    kept,
    fields,
    mode: 'create',
    stored: emptyValues(fields),
    makeId: () => newId(),
    frame: frameOf(section),
    onSubmit: useCreate(section, { form, ...after }),
  })
}
