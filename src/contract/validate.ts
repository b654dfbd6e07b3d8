import * as v from 'valibot'
import type { Draft, Field, Fields } from './fields.ts'
import { maxEmailLength, maxLinkLength, maxTextLength } from './limits.ts'
import { fieldErrors } from './texts.ts'
import { cleanText, fill, isBlank, isStorable, lengthOf } from './text.ts'

/** What is wrong with a draft: one Spanish sentence per faulty field. */
export type FieldErrors = Readonly<Record<string, string>>
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors }
/** Whether the entry is being made or changed: some limits hold for new entries only. */
export type Moment = 'create' | 'update'

/** The longest value a field takes at this moment, in code points. */
export function limitOf(field: Field, moment: Moment): number {
  const own = moment === 'create' ? (field.newLimit ?? field.limit) : field.limit
  if (own !== undefined) return own
  if (field.kind === 'email') return maxEmailLength
  return field.kind === 'url' || field.kind === 'image' ? maxLinkLength : maxTextLength
}

/** The schema of one field, shared by form and server; its output is the cleaned text. */
function fieldSchema(field: Field, moment: Moment) {
  const limit = limitOf(field, moment)
  return v.pipe(
    v.string(fieldErrors.required),
    // Before the check: a browser without JavaScript sends line breaks as CR LF, and a lone CR is not stored.
    v.transform((value) => cleanValue(field, value)),
    v.check(isStorable, fieldErrors.unreadable),
    v.check((value) => !field.required || !isBlank(value), fieldErrors.required),
    v.check((value) => lengthOf(value) <= limit, fill(fieldErrors.tooLong, { n: limit })),
    v.check((value) => field.kind !== 'email' || value === '' || isEmail(value), fieldErrors.email),
  )
}

/** A password is taken as it is; only a paragraph has several lines. */
function cleanValue({ kind }: Field, value: string): string {
  if (kind === 'password') return value
  const cleaned = cleanText(value)
  return kind === 'paragraph' ? cleaned : cleaned.replace(/\s*\n\s*/g, ' ')
}

const emailSchema = v.pipe(v.string(), v.email())
const isEmail = (value: string) => v.is(emailSchema, value)

/** The schema of a whole form; keys it does not name are dropped. */
function draftSchema(fields: Fields, moment: Moment) {
  const entries = Object.entries(fields).map(([name, field]) => {
    const schema = fieldSchema(field, moment)
    return [name, field.required ? schema : v.optional(schema, '')] as const
  })
  return v.object(Object.fromEntries(entries))
}

/** The draft cleaned, or one message per faulty field; never throws. */
export function checkDraft(fields: Fields, moment: Moment, input: unknown): Checked<Draft> {
  return toChecked(v.safeParse(draftSchema(fields, moment), input))
}

/** Like `checkDraft` for a change that names only some of the fields: absent ones stay as they are. */
export function checkPatch(fields: Fields, input: unknown): Checked<Draft> {
  const named = typeof input === 'object' && input !== null ? Object.keys(input) : []
  const present = Object.entries(fields).filter(([name]) => named.includes(name))
  return toChecked(v.safeParse(draftSchema(Object.fromEntries(present), 'update'), input))
}

function toChecked(
  result:
    | { readonly success: true; readonly output: Draft }
    | { readonly success: false; readonly issues: readonly v.BaseIssue<unknown>[] },
): Checked<Draft> {
  if (result.success) return { ok: true, value: result.output }
  const errors: Record<string, string> = {}
  for (const issue of result.issues) {
    const name = issue.path?.[0]?.key
    errors[typeof name === 'string' ? name : ''] ??= issue.message
  }
  return { ok: false, errors }
}
