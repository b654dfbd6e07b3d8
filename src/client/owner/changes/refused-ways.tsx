import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { binPlace } from '#contract/entries/bin.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { texts } from '#contract/texts/site.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { isOfGone, type Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { fixOf } from './describe-operation.ts'
import { closeQueue } from './open-queue.ts'
import { pictureTrouble } from './change-notices.ts'
import { focusLine } from './queue-focus.ts'

interface RefusedActionsProps {
  readonly operation: Operation
  readonly onDiscard: () => void
}

export function RefusedActions({ operation, onDiscard }: RefusedActionsProps) {
  const queryClient = useQueryClient()
  const fix = fixOf(operation)
  return (
    <div className="actions">
      {fix && (
        <Link className={buttonClass({ small: true })} {...fix} onClick={closeQueue}>
          {isAboutPicture(operation) ? (
            <>
              <Icon name="image" />
              {ownerTexts.changeImage}
            </>
          ) : (
            <>
              <Icon name="pencil" />
              {queueTexts.correct}
            </>
          )}
        </Link>
      )}
      {isOfGone(operation) && (
        <Link
          className={buttonClass({ small: true })}
          to="/settings"
          hash={binPlace}
          onClick={closeQueue}
        >
          <Icon name="trash" />
          {binTexts.open}
        </Link>
      )}
      <Button
        tone="ghost"
        small
        onClick={({ currentTarget }) => {
          focusLine(currentTarget)
          void pageOutbox(queryClient).retry(operation.id)
        }}
      >
        {texts.retry}
      </Button>
      <Button tone="quiet" small icon="trash" onClick={onDiscard}>
        {queueTexts.discard}
      </Button>
    </div>
  )
}

function isAboutPicture({ refusal }: Operation): boolean {
  return refusal !== undefined && pictureTrouble(refusal) !== undefined
}
