import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import type { FieldErrors } from '#contract/validate.ts'

/** Undefined where no field is wrong. */
export function wrongFields(errors: FieldErrors): string | undefined {
  const found = Object.values(errors)
  const [one, many] = found.every((error) => error === fieldErrors.required)
    ? [ownerTexts.fieldMissing, ownerTexts.fieldsMissing]
    : [ownerTexts.fieldWrong, ownerTexts.fieldsWrong]
  if (found.length === 0) return undefined
  return found.length === 1 ? one : fill(many, { n: found.length })
}
