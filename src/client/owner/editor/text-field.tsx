import type { Field } from '#contract/fields.ts'
import { fill, lengthOf } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { limitOf, type FormMode } from '#contract/validate.ts'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'

interface TextFieldProps {
  readonly id: string
  readonly name: string
  readonly field: Field
  readonly mode: FormMode
  readonly value: string
  readonly error?: string | undefined
  readonly note?: string | undefined
  readonly onChange: (value: string) => void
}

/** Shows a counter where the product limits the text. */
export function TextField(props: TextFieldProps) {
  const { id, name, field, mode, value, error, note, onChange } = props
  const { label, hint, placeholder, autocomplete, required } = field
  const hasOwnLimit =
    field.limit !== undefined || (mode === 'create' && field.newLimit !== undefined)
  const control = {
    id,
    name,
    value,
    required,
    placeholder,
    autoComplete: autocomplete ?? 'off',
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange(event.target.value),
    ...describedBy(id, { hint, error }),
  }
  const counter = hasOwnLimit ? <Counter value={value} limit={limitOf(field, mode)} /> : null
  return (
    <FieldFrame id={id} label={label} aside={counter} hint={hint} note={note} error={error}>
      {field.kind === 'paragraph' ? (
        <textarea {...control} rows={3} />
      ) : (
        // A link may also be a word («Privado»), so its keyboard is asked for without the browser's own check.
        <input {...control} type="text" inputMode={field.kind === 'url' ? 'url' : undefined} />
      )}
    </FieldFrame>
  )
}

const nearShare = 0.85
const announcedAt = 10

/**
 * `82/90`, announced only when ten characters or none are left. Nothing is cut off: over the limit the field says so.
 */
function Counter({ value, limit }: { readonly value: string; readonly limit: number }) {
  const length = lengthOf(value)
  const left = limit - length
  const tone = left < 0 ? 'over' : length >= limit * nearShare ? 'near' : ''
  return (
    <>
      <span className={`count ${tone}`.trim()} aria-hidden="true">
        {length}/{limit}
      </span>
      <span className="sr-only" role="status">
        {left === announcedAt || left === 0 ? fill(ownerTexts.characters, { n: left }) : ''}
      </span>
    </>
  )
}
