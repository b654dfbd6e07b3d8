import type { Field, Fields } from './fields.ts'
import { hiddenField } from './hidden.ts'
import type { Section } from './sections/section.ts'
import { hiddenTexts } from './texts-hidden.ts'

const visibility: Field = { kind: 'switch', label: hiddenTexts.label, required: false }

/** A section's fields as its owner fills them in: its own, and whether everybody sees the entry. */
export function ownFields({ fields }: Pick<Section, 'fields'>): Fields {
  return { ...fields, [hiddenField]: visibility }
}
