import { useLayoutEffect, useRef, type ReactNode } from 'react'

interface DialogProps {
  readonly title: string
  /** Escape or the back gesture: the dialog asks to be closed. */
  readonly onCancel: () => void
  readonly children: ReactNode
}

/**
 * A modal question over the page: it keeps the focus inside and gives it back when it goes. The last of its actions is the
 * safe one; the focus starts there, unless a field still needs something.
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
      // Nothing had the focus before, or what had it is gone.
      if (activeElement !== body && !dialog?.contains(activeElement)) return
      const heading = document.querySelector<HTMLElement>('main h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={box}
      className="ask"
      aria-label={title}
      // What happens inside is not the form's around it: Escape and Ctrl+Enter stop here.
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
