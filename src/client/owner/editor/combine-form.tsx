import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SubmitEvent } from 'react'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { checkPatch, type FieldErrors } from '#contract/validate.ts'
import type { Operation, Refusal } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { fieldsOf } from '#client/owner/changes/describe-operation.ts'
import { FormBar } from './form-bar.tsx'
import { focusLine } from '#client/owner/changes/queue-focus.ts'
import { TextField } from './text-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { wrongFields } from './wrong-fields.ts'
import { focusFirstField } from './first-field.ts'

interface CombineFormProps {
  readonly operation: Operation
  readonly current: NonNullable<Refusal['current']>
  /** The fields in which the versions differ. */
  readonly names: readonly string[]
  readonly onCancel: () => void
}

/** Begins with the device's own texts; the result is sent on top of the server's version. */
export function CombineForm({ operation, current, names, onCancel }: CombineFormProps) {
  const queryClient = useQueryClient()
  const { id, subject, values } = operation
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? ''])),
  )
  const [errors, setErrors] = useState<FieldErrors>({})
  useUnsaved(`combine-${id}`)
  const fields = fieldsOf(subject)
  const wrong = wrongFields(errors)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const checked = checkPatch(fields, typed)
    if (!checked.ok) return setErrors(checked.errors)
    focusLine(event.currentTarget)
    const combined = { ...values, ...checked.value }
    return void pageOutbox(queryClient).retry(id, { version: current.version, values: combined })
  }
  return (
    <form className="form" noValidate ref={focusFirstField} onSubmit={submit}>
      {names.map((name) => {
        const field = fields[name]
        if (!field) return null
        if (field.kind === 'switch') {
          return (
            <SwitchField
              key={name}
              id={`${id}-${name}`}
              name={name}
              label={field.label}
              value={typed[name] ?? ''}
              onChange={(value) => setTyped({ ...typed, [name]: value })}
            />
          )
        }
        return (
          <TextField
            key={name}
            id={`${id}-${name}`}
            name={name}
            field={field}
            mode="update"
            value={typed[name] ?? ''}
            error={errors[name]}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
        )
      })}
      <FormBar
        status={
          wrong === undefined
            ? { icon: 'pencil', tone: 'pencil-tone', text: ownerTexts.unsaved }
            : { icon: 'warn', tone: 'bad-tone', text: wrong }
        }
        onCancel={({ currentTarget }) => {
          focusLine(currentTarget)
          onCancel()
        }}
        submitLabel={queueTexts.sendCombined}
      />
    </form>
  )
}

/** Holds back reloads while the form is open. */
function useUnsaved(form: string): void {
  useEffect(() => {
    markUnsaved(form, true)
    return () => markUnsaved(form, false)
  }, [form])
}
