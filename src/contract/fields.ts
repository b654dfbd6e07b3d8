/** The closed vocabulary of field kinds; a new one needs two users or a decision record. */
export type FieldKind = 'text' | 'paragraph' | 'url' | 'image' | 'email' | 'password' | 'switch'

export interface Field {
  readonly kind: FieldKind
  readonly label: string
  readonly required: boolean
  /** Longest value in code points, where the product sets one. */
  readonly limit?: number
  /** Longest value on the new-entry form, where it is shorter than later. */
  readonly newLimit?: number
  readonly hint?: string
  readonly placeholder?: string
  /** The HTML autocomplete token. */
  readonly autocomplete?: string
  /** Asked for behind «Más datos». */
  readonly isMore?: true
}

export type Fields = Readonly<Record<string, Field>>
/** The values of one form or entry, by field name; an absent image is the empty string. */
export type FieldValues = Readonly<Record<string, string>>

type Extras = Omit<Field, 'kind' | 'label' | 'required'>

const required =
  (kind: FieldKind) =>
  (label: string, extras: Extras = {}): Field => ({ kind, label, required: true, ...extras })

export const text = required('text')
export const paragraph = required('paragraph')
/** A link; stored as typed, shown as plain text when it is no web address. */
export const url = required('url')
/**
 * A text, paragraph or link that may be left out; its hint says so unless it has one of its own.
 * @public for the sections that a site adds
 */
export const optional = (field: Field): Field => ({ hint: 'Opcional', ...field, required: false })
/** One that few entries have, so that a form asks for it apart. */
export const more = (field: Field): Field => ({ ...optional(field), isMore: true })
export const email = required('email')
export const password = required('password')
/** A picture, never required: a placeholder stands in. */
export const image = (label: string): Field => ({ kind: 'image', label, required: false })

/** The name of the picture field, of which a form has at most one; undefined where it has none. */
export function imageFieldOf(fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.kind === 'image')
}

export function emptyValues(fields: Fields): FieldValues {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, '']))
}
