import type { FieldValues } from '#contract/fields.ts'
import { cleanText } from '#contract/text.ts'

/** The fields whose text differs from what is stored, as they would be stored. */
export function changedFields(stored: FieldValues, values: FieldValues): FieldValues {
  const changed = Object.entries(values)
    .map(([name, value]) => [name, cleanText(value)] as const)
    .filter(([name, value]) => value !== cleanText(stored[name] ?? ''))
  return Object.fromEntries(changed)
}
