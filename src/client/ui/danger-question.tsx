import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface DangerQuestionProps {
  readonly title: string
  /** What cannot be undone, as its button says it. */
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onNo: () => void
  /** What would be lost. */
  readonly children: ReactNode
}

/** Asks before something is gone for good; the safe answer comes last and has the focus. */
export function DangerQuestion({ title, yes, no, onYes, onNo, children }: DangerQuestionProps) {
  return (
    <Dialog title={title} onCancel={onNo}>
      <p>{children}</p>
      <div className="actions">
        <Button tone="danger" onClick={onYes}>
          {yes}
        </Button>
        <Button onClick={onNo}>{no}</Button>
      </div>
    </Dialog>
  )
}
