import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface FieldFrameProps {
  /** The ids of hint and error derive from it. */
  readonly id: string
  readonly label: string
  /** Stands at the label's end, such as a counter. */
  readonly aside?: ReactNode
  readonly hint?: string | undefined
  /** Advice that does not stop the form; the empty string while there is none. */
  readonly note?: string | undefined
  readonly error?: string | undefined
  readonly children: ReactNode
}

export function FieldFrame({ id, label, aside, hint, note, error, children }: FieldFrameProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {aside}
      </label>
      {children}
      {hint === undefined ? null : (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {note === undefined ? null : (
        <p className="hint note" role="status">
          {note}
        </p>
      )}
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          <Icon name="warn" />
          {error}
        </p>
      )}
    </div>
  )
}

/** The attributes that tie a control to its frame: its state and the ids that describe it. */
export function describedBy(
  id: string,
  { hint, error }: { readonly hint?: string | undefined; readonly error?: string | undefined },
) {
  const ids = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  return {
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': ids.filter(Boolean).join(' ') || undefined,
  } as const
}
