import { altField } from '#contract/images/alternative-text.ts'
import type { Fields } from '#contract/fields.ts'

/**
 * The field names line by line: two short fields that belong together share a line. The picture's description stands
 * with the picture.
 */
export function formRows(fields: Fields): readonly (readonly string[])[] {
  const names = Object.keys(fields).filter(
    (name) => name !== altField && !['image', 'switch'].includes(fields[name]?.kind ?? ''),
  )
  const isShort = (name: string | undefined) =>
    name !== undefined && (fields[name]?.kind === 'text' || fields[name]?.kind === 'url')
  const rows: string[][] = []
  for (let i = 0; i < names.length; i++) {
    const [first = '', second, third] = names.slice(i, i + 3)
    const kindOf = (name: string | undefined) =>
      name === undefined ? undefined : fields[name]?.kind
    const isPair =
      second !== undefined &&
      isShort(first) &&
      isShort(second) &&
      // Of three short fields in a row, the two of one kind stay together.
      (kindOf(first) === kindOf(second) || kindOf(second) !== kindOf(third))
    rows.push(isPair ? [first, second] : [first])
    if (isPair) i++
  }
  return rows
}
