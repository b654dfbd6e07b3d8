import { altField } from '../images/alternative-text.ts'
import type { Field, Fields } from '../fields.ts'
import { hiddenField } from './hidden.ts'
import { aboutFields, headerFields } from '../person/person.ts'
import type { Section } from '../sections/section.ts'
import { hiddenTexts } from '../texts/hidden.ts'
import { pictureTexts } from '../texts/picture.ts'

type Defined = Pick<Section, 'fields' | 'display'>

/** Long enough for a sentence; whoever hears it cannot leave any of it out. */
const altLimit = 200

const visibility: Field = { kind: 'switch', label: hiddenTexts.label, required: false }

/** A section's fields and the alternative text of its picture. */
export function saidFields({ fields, display }: Defined): Fields {
  return withAlt(fields, display.kind === 'icon' ? pictureTexts.altOfIcon : pictureTexts.altOfCard)
}

/** A section's fields as its owner fills them in: what an entry says, and whether everybody sees it. */
export function ownFields(section: Defined): Fields {
  return { ...saidFields(section), [hiddenField]: visibility }
}

export const ownAboutFields = withAlt(aboutFields, pictureTexts.altOfPortrait)

export const ownPersonFields: Fields = { ...headerFields, ...ownAboutFields }

/** The fields with the text of their picture behind it, where they have one; its hint says what an empty one means. */
function withAlt(fields: Fields, hint: string): Fields {
  const { alt: label } = pictureTexts
  const alt: Field = { kind: 'text', label, required: false, limit: altLimit, hint }
  const behind = (name: string) =>
    fields[name]?.kind === 'image' ? [[altField, alt] as const] : []
  return Object.fromEntries(Object.entries(fields).flatMap((entry) => [entry, ...behind(entry[0])]))
}
