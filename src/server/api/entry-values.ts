import { imageFieldOf, type FieldValues, type Fields } from '#contract/fields.ts'
import { safeHref } from '#contract/link.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import type { Checked } from '#contract/validate.ts'
import { hiddenField, isHiddenValue } from '#contract/entries/hidden.ts'
import { valueOrThrow } from './checked.ts'
import { Problem } from '../problem.ts'

/** A file of this site; a second slash would name another host. */
const ownPath = /^(?:\/\w[\w.-]*)+$/

/**
 * Throws 422 with one message per faulty field. Every visitor's browser fetches the picture, so it must be a file of
 * this site or a web address.
 */
export function entryValues(fields: Fields, verdict: Checked<FieldValues>): FieldValues {
  const values = valueOrThrow(verdict)
  if (!['', isHiddenValue].includes(values[hiddenField] ?? '')) {
    throw new Problem('datos-no-validos', { errors: { [hiddenField]: valueErrors.setting } })
  }
  const name = imageFieldOf(fields) ?? ''
  const picture = values[name] ?? ''
  if (picture === '' || ownPath.test(picture) || safeHref(picture) === picture) return values
  throw new Problem('datos-no-validos', { errors: { [name]: fieldErrors.url } })
}
