import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { focusPage, isFocusLost } from './lost-focus.ts'

interface SheetProps {
  /** At the side unless given. */
  readonly className?: string
  readonly title: string
  readonly closeLabel: string
  /** Called on Escape, the back gesture, the button and a press outside. */
  readonly onClose: () => void
  /** Stands between the title and the button that closes. */
  readonly head?: ReactNode
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Stands at the bottom on phones; the focus begins at `data-first` inside, else at the title. */
export function Sheet({
  className = 'side',
  title,
  closeLabel,
  onClose,
  head,
  foot,
  children,
}: SheetProps) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    const first = dialog?.querySelector<HTMLElement>('[data-first]')
    ;(first ?? dialog?.querySelector<HTMLElement>('h2'))?.focus()
    return () => {
      dialog?.close()
      // What had the focus before may have gone with its page.
      if (isFocusLost()) focusPage()
    }
  }, [])
  return (
    <dialog
      ref={box}
      className={`sheet ${className}`}
      aria-labelledby={titleId}
      closedby="any"
      // Key presses inside must not reach the page around it.
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="sheet-head">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {head}
        <IconButton icon="x" label={closeLabel} onClick={onClose} />
      </div>
      <div className="body">{children}</div>
      {foot ? <div className="sheet-foot">{foot}</div> : null}
    </dialog>
  )
}
