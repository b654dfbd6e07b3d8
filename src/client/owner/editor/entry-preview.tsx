import type { ReactNode } from 'react'
import { imageFieldOf, type FieldValues } from '#contract/fields.ts'
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
  /** The chosen picture, before it is uploaded. */
  readonly pictureUrl: string | undefined
}

export function EntryPreview({ section, values, pictureUrl }: EntryPreviewProps) {
  const imageField = imageFieldOf(section.fields)
  const shown =
    imageField !== undefined && pictureUrl !== undefined ? { [imageField]: pictureUrl } : {}
  const entry = { id: '', version: 0, fields: { ...values, ...shown } }
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
