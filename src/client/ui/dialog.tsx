import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { focusPage } from './lost-focus.ts'

interface DialogProps {
  readonly title: string
  /** Called on Escape and on the back gesture. */
  readonly onCancel: () => void
  readonly children: ReactNode
}

/**
 * Keeps the focus inside and gives it back when it goes. The last of its actions is the safe one; the focus starts
 * there, unless a field still needs something.
 */
export function Dialog({ title, onCancel, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    const field = dialog?.querySelector<HTMLElement>('input:invalid')
    const safe = dialog?.querySelector<HTMLElement>(':scope > .actions:last-child > :last-child')
    ;(field ?? safe)?.focus()
    return () => {
      dialog?.close()
      const { activeElement, body } = document
      // Returns early when nothing had the focus before, or when what had it is gone.
      if (activeElement !== body && !dialog?.contains(activeElement)) return
      focusPage()
    }
  }, [])
  return (
    <dialog
      ref={box}
      className="ask"
      aria-label={title}
      // Key presses inside must not reach the form around it: Escape and Ctrl+Enter stop here.
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
