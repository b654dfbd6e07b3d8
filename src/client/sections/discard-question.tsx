import { useQueryClient } from '@tanstack/react-query'
import { ownerTexts } from '#contract/texts-owner.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import { pageOutbox } from '#client/data/outbox/page-outbox.ts'
import { Button } from '#client/ui/button.tsx'
import { focusLine, focusTitle } from './queue-focus.ts'

interface DiscardQuestionProps {
  readonly operation: Operation
  readonly onCancel: () => void
}

const takeFocus = (box: HTMLElement | null) => box?.querySelector('button')?.focus()

/** Asks, in the change's own place, before it is forgotten. */
export function DiscardQuestion({ operation, onCancel }: DiscardQuestionProps) {
  const queryClient = useQueryClient()
  const { id, tries, refusal } = operation
  const isPerhapsThere = tries > 0 && !refusal
  const question = isPerhapsThere ? queueTexts.confirmDiscardSent : queueTexts.confirmDiscard
  return (
    <div ref={takeFocus} role="group" aria-label={question}>
      <p>{question}</p>
      <div className="actions">
        <Button
          tone="ghost"
          small
          onClick={({ currentTarget }) => {
            focusLine(currentTarget)
            onCancel()
          }}
        >
          {ownerTexts.cancel}
        </Button>
        <Button
          tone="danger"
          small
          icon="trash"
          onClick={({ currentTarget }) => {
            focusTitle(currentTarget)
            void pageOutbox(queryClient).discard(id)
          }}
        >
          {queueTexts.discard}
        </Button>
      </div>
    </div>
  )
}
