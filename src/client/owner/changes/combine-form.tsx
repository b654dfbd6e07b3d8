import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SubmitEvent } from 'react'
import type { FieldValues } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { checkPatch, type FieldErrors } from '#contract/validate.ts'
import type { Operation, Refusal } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { fieldsOf } from './describe-operation.ts'
import { FormBar } from '#client/owner/editor/form-bar.tsx'
import { focusLine } from './queue-focus.ts'
import { TextField } from '#client/owner/editor/text-field.tsx'
import { SwitchField } from '#client/owner/editor/switch-field.tsx'
import { wrongFields } from '#client/owner/editor/wrong-fields.ts'
import { focusFirstField } from '#client/owner/editor/first-field.ts'

interface CombineFormProps {
  readonly operation: Operation
  readonly current: NonNullable<Refusal['current']>
  /** The fields in which the versions differ. */
  readonly names: readonly string[]
  readonly onCancel: () => void
}

/** What she typed into forms that were closed, by change: the list of changes may be looked away from. */
const left = new Map<string, FieldValues>()

/** Whether two versions are being combined to this change. */
export function isCombined({ id }: Operation): boolean {
  return left.has(id)
}

/** Begins with the device's own texts; the result is sent on top of the server's version. */
export function CombineForm({ operation, current, names, onCancel }: CombineFormProps) {
  const queryClient = useQueryClient()
  const { id, subject, values } = operation
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(names.map((name) => [name, left.get(id)?.[name] ?? values[name] ?? ''])),
  )
  const type = (name: string, value: string) => {
    const next = { ...typed, [name]: value }
    holdBack(id, queryClient)
    left.set(id, next)
    setTyped(next)
  }
  const [errors, setErrors] = useState<FieldErrors>({})
  useUnsaved(id)
  const fields = fieldsOf(subject)
  const wrong = wrongFields(errors)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const checked = checkPatch(fields, typed)
    if (!checked.ok) return setErrors(checked.errors)
    focusLine(event.currentTarget)
    left.delete(id)
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
              onChange={(value) => type(name, value)}
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
            onChange={(value) => type(name, value)}
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
          left.delete(id)
          onCancel()
        }}
        submitLabel={queueTexts.sendCombined}
      />
    </form>
  )
}

const markCombining = (id: string, isCombining: boolean) =>
  markUnsaved(`combine-${id}`, isCombining)

/** Holds back reloads while the form is open. */
function useUnsaved(id: string): void {
  useEffect(() => {
    markCombining(id, true)
    return () => markCombining(id, left.has(id))
  }, [id])
}

/** Holds them back, too, while a closed form has a text and its change waits for a decision: this page alone has that text. */
function holdBack(id: string, queryClient: QueryClient): void {
  // Here, too: what was cancelled before may have taken it off since this form was opened.
  markCombining(id, true)
  if (left.has(id)) return
  const { getState, subscribe } = pageOutbox(queryClient)
  const stop = subscribe(() => {
    const isUndecided = getState().operations.some((one) => one.id === id && one.refusal?.current)
    if (isUndecided && left.has(id)) return
    stop()
    left.delete(id)
    markCombining(id, false)
  })
}
