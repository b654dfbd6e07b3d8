import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'

/** What came of sending a form. */
export interface FormOutcome {
  readonly errors: FieldErrors
  /** An error that belongs to no field. */
  readonly trouble?: string
}

interface FormDialogProps {
  readonly title: string
  readonly action: string
  readonly outcome: FormOutcome
  readonly isSending: boolean
  readonly onSubmit: () => void
  readonly onCancel: () => void
  /** The fields. */
  readonly children: ReactNode
}

/** Asks for what a call needs; the focus starts at the first field that still needs something, else at the title. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, outcome, isSending, onSubmit, onCancel, children } = props
  const { errors, trouble } = outcome
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    const first = dialog?.querySelector<HTMLElement>('input:invalid')
    ;(first ?? dialog?.querySelector('h2'))?.focus()
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    box.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return (
    <dialog
      ref={box}
      className="sheet modal"
      aria-labelledby={`${id}-title`}
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <div className="sheet-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="x" label={accessTexts.close} onClick={onCancel} />
      </div>
      <div className="body">
        <form id={id} className="form" action={onSubmit} noValidate>
          {children}
          <p className="field-error" role="alert">
            {trouble === undefined ? null : (
              <>
                <Icon name="warn" />
                <span>{trouble}</span>
              </>
            )}
          </p>
        </form>
      </div>
      <div className="sheet-foot">
        <Button tone="ghost" onClick={onCancel}>
          {ownerTexts.cancel}
        </Button>
        <Button type="submit" form={id} busy={isSending}>
          {action}
        </Button>
      </div>
    </dialog>
  )
}
