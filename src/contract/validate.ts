import * as v from 'valibot'
import { optional, type FieldValues, type Field, type Fields } from './fields.ts'
import { maxEmailLength, maxLinkLength, maxTextLength } from './limits.ts'
import { fieldErrors } from './texts/site.ts'
import { cleanText, fill, isBlank, isStorable, lengthOf } from './text.ts'

/** What is wrong with a form's values: one Spanish sentence per faulty field. */
export type FieldErrors = Readonly<Record<string, string>>
/** A cleaned value, or what is wrong with what came. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors }
/** Whether the entry is being made or changed: some limits hold for new entries only. */
export type FormMode = 'create' | 'update'

/** The longest value a field takes at this mode, in code points. */
export function limitOf(field: Field, mode: FormMode): number {
  const own = mode === 'create' ? (field.newLimit ?? field.limit) : field.limit
  if (own !== undefined) return own
  if (field.kind === 'email') return maxEmailLength
  return field.kind === 'url' || field.kind === 'image' ? maxLinkLength : maxTextLength
}

/** The schema of one field, shared by form and server; its output is the cleaned text. */
function fieldSchema(field: Field, mode: FormMode) {
  const limit = limitOf(field, mode)
  const tooLong = fill(fieldErrors.tooLong, { n: limit })
  return v.pipe(
    v.string(fieldErrors.required),
    // Before anything that goes through the text more than once; a character is at most four code points of two units each.
    v.check((value) => value.trim().length <= 8 * limit, tooLong),
    // Before the check: a browser without JavaScript sends line breaks as CR LF, and a lone CR is not stored.
    v.transform((value) => cleanValue(field, value)),
    v.check(isStorable, fieldErrors.unreadable),
    v.check((value) => !field.required || !isBlank(value), fieldErrors.required),
    v.check((value) => lengthOf(value) <= limit, tooLong),
    v.check((value) => field.kind !== 'email' || !/[^ -~]/.test(value), fieldErrors.emailLetters),
    v.check((value) => field.kind !== 'email' || value === '' || isEmail(value), fieldErrors.email),
  )
}

/** A text as it is stored: a password is taken as it is, and only a paragraph has several lines. */
export function cleanValue({ kind }: Field, value: string): string {
  if (kind === 'password') return value
  const cleaned = cleanText(value)
  if (kind === 'paragraph') return cleaned
  const lines = cleaned.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).join(' ')
}

// The characters of RFC 5321, dots only between them, and a host with a name of its own below a domain.
const emailSchema = v.pipe(
  v.string(),
  v.rfcEmail(),
  v.regex(/^(?!\.)(?!.*\.[.@]).*\.([a-z]{2,}|xn--[a-z\d-]+)$/i),
)
const isEmail = (value: string) => v.is(emailSchema, value)

/** The schema of a whole form; keys it does not name are dropped. */
function valuesSchema(fields: Fields, mode: FormMode) {
  const entries = Object.entries(fields).map(([name, field]) => {
    const schema = fieldSchema(field, mode)
    return [name, field.required ? schema : v.optional(schema, '')] as const
  })
  return v.object(Object.fromEntries(entries), fieldErrors.required)
}

/** One message per field is enough, and what is too long is looked at no further. */
const stopEarly = { abortPipeEarly: true }

/** The values cleaned, or one message per faulty field; never throws. */
export function checkValues(fields: Fields, mode: FormMode, input: unknown): Checked<FieldValues> {
  return toChecked(v.safeParse(valuesSchema(fields, mode), input, stopEarly))
}

/** The fields as a résumé has to fill them: what a form insists on may be empty, but for the title. */
export function lenient(fields: Fields, title?: string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, required: name === title }]),
  )
}

/** The fields as an edit of these values has to fill them: what a résumé left empty may stay so. */
export function lenientOver(fields: Fields, stored: FieldValues): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.required && isBlank(stored[name] ?? '') ? optional(field) : field,
    ]),
  )
}

/** Like `checkValues` for a change that names only some of the fields: absent ones stay as they are. */
export function checkPatch(fields: Fields, input: unknown): Checked<FieldValues> {
  const named = typeof input === 'object' && input !== null ? Object.keys(input) : []
  const present = Object.entries(fields).filter(([name]) => named.includes(name))
  return toChecked(
    v.safeParse(valuesSchema(Object.fromEntries(present), 'update'), input, stopEarly),
  )
}

function toChecked(
  result:
    | { readonly success: true; readonly output: FieldValues }
    | { readonly success: false; readonly issues: readonly v.BaseIssue<unknown>[] },
): Checked<FieldValues> {
  if (result.success) return { ok: true, value: result.output }
  const errors: Record<string, string> = {}
  for (const issue of result.issues) {
    const name = issue.path?.[0]?.key
    errors[typeof name === 'string' ? name : ''] ??= issue.message
  }
  return { ok: false, errors }
}
