import { useQueryClient } from '@tanstack/react-query'
import { queueTexts } from '#contract/texts/queue.ts'
import { mayBeDone, type Operation } from '#client/outbox/operation.ts'
import { Button } from '#client/ui/button.tsx'
import { discardChange } from './discard-change.ts'
import { focusLine, focusTitle } from './queue-focus.ts'

interface DiscardQuestionProps {
  readonly operation: Operation
  readonly onCancel: () => void
}

/** The last button is the safe answer. */
const takeFocus = (box: HTMLElement | null) =>
  box?.querySelector<HTMLElement>('button:last-of-type')?.focus()

/** Stands in the place of the change that it asks about. */
export function DiscardQuestion({ operation, onCancel }: DiscardQuestionProps) {
  const queryClient = useQueryClient()
  const question = mayBeDone(operation) ? queueTexts.confirmDiscardSent : queueTexts.confirmDiscard
  return (
    <div ref={takeFocus} role="group" aria-label={question}>
      <p>{question}</p>
      <div className="actions">
        <Button
          tone="danger"
          small
          icon="trash"
          onClick={({ currentTarget }) => {
            focusTitle(currentTarget)
            void discardChange(operation, queryClient)
          }}
        >
          {queueTexts.discard}
        </Button>
        <Button
          small
          onClick={({ currentTarget }) => {
            focusLine(currentTarget)
            onCancel()
          }}
        >
          {queueTexts.keep}
        </Button>
      </div>
    </div>
  )
}
