import type { FieldValues } from '../fields.ts'

/*
 * What a picture says to whoever does not see it, in its owner's words: a field beside those of a section and of the profile,
 * carried only where she wrote something, so that whatever has no such text says what it always said.
 */

/** Name of the field, and of its column. */
export const altField = 'alt'

/** The field as an entry or the profile carries it: absent where nothing is written. */
export function altIn({ alt }: Readonly<Record<string, unknown>>): FieldValues {
  return typeof alt === 'string' && alt ? { alt } : {}
}

/** The owner's words for the picture, or `otherwise` where she wrote none. */
export function altOf({ alt }: FieldValues, otherwise = ''): string {
  return alt || otherwise
}
