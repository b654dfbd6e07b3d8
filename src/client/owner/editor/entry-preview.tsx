import type { ReactNode } from 'react'
import { imageFieldOf, type Field, type FieldValues } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { Icon } from '#client/ui/icon.tsx'
import { ListFrame } from '#client/site/entry-list.tsx'
import { EntryView } from '#client/site/entry-view.tsx'

/** Can be looked at but not used. */
export function Preview({ children }: { readonly children: ReactNode }) {
  return (
    <aside className="preview" aria-label={ownerTexts.preview}>
      <p>
        <Icon name="eye" />
        {ownerTexts.previewTitle}
      </p>
      <div inert>{children}</div>
    </aside>
  )
}

interface EntryPreviewProps {
  readonly section: Section
  readonly values: FieldValues
  /** Whether it is not on the site yet: then words stand in for what it still lacks. */
  readonly isNew: boolean
  /** The chosen picture, before it is uploaded. */
  readonly pictureUrl: string | undefined
}

export function EntryPreview({ section, values, isNew, pictureUrl }: EntryPreviewProps) {
  const imageField = imageFieldOf(section.fields)
  const picture =
    imageField !== undefined && pictureUrl !== undefined ? { [imageField]: pictureUrl } : {}
  const words = isNew ? withStandIns(section, values) : values
  const entry = { id: '', version: 0, fields: { ...words, ...picture } }
  return (
    <Preview>
      <ListFrame section={section}>
        <li>
          <EntryView section={section} entry={entry} load="soon" />
        </li>
      </ListFrame>
    </Preview>
  )
}

/** The values, with the form's own words in place of every required one that is still empty. */
function withStandIns({ fields }: Section, values: FieldValues): FieldValues {
  const missing = Object.entries(fields).filter(
    ([name, { required }]) => required && (values[name] ?? '').trim() === '',
  )
  return {
    ...values,
    ...Object.fromEntries(missing.map(([name, field]) => [name, standIn(field)])),
  }
}

/** How the value is to be written, where the form says so; else what the form calls it. */
function standIn({ kind, label, hint }: Field): string {
  // A preview cannot be used, so that this address is never opened.
  if (kind === 'url') return 'https://example.org'
  return hint ?? /\((.+)\)/.exec(label)?.[1] ?? label.replace(/:$/, '')
}
