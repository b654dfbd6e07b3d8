import type { FieldValues } from '#contract/fields.ts'
import { cleanText } from '#contract/text.ts'

/** The values are cleaned as the server would store them. */
export function changedFields(stored: FieldValues, values: FieldValues): FieldValues {
  const changed = Object.entries(values)
    .map(([name, value]) => [name, cleanText(value)] as const)
    .filter(([name, value]) => value !== cleanText(stored[name] ?? ''))
  return Object.fromEntries(changed)
}
