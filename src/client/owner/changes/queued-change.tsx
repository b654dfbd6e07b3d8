import { useState } from 'react'
import { keyLifeMs, dayMs } from '#contract/durations.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { sinceText } from '#client/ui/age-text.ts'
import { momentsOf } from './change-moments.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import { isNearLimit, labelOf, operationStatusOf, titleOf } from './describe-operation.ts'
import { DiscardQuestion } from './discard-question.tsx'
import type { Line } from './follow-queue.ts'
import { LeftText } from './left-text.tsx'
import { RefusedActions } from './refused-ways.tsx'

interface QueuedChangeProps {
  readonly line: Line
  readonly state: OutboxState
  /** In milliseconds since 1970, for the age. */
  readonly now: number
  /** Whether the list was opened at this change. */
  readonly isAsked: boolean
}

const looks = {
  running: ['sync', 'state is-running'],
  waiting: ['clock', 'state'],
  bad: ['warn', 'state bad-tone'],
  done: ['check', 'state is-ok'],
} as const

export function QueuedChange({ line, state, now, isAsked }: QueuedChangeProps) {
  const { operation, isDone } = line
  const [isDiscarding, setDiscarding] = useState(false)
  const { tone, text } = isDone
    ? ({ tone: 'done', text: queueTexts.done } as const)
    : operationStatusOf(operation, state)
  const [icon, className] = looks[tone]
  const ask = () => setDiscarding(true)
  return (
    <li tabIndex={-1} data-first={isAsked ? '' : undefined}>
      <span className={className}>
        <Icon name={icon} />
      </span>
      <div>
        <h3>{titleOf(operation)}</h3>
        <p>{text}</p>
        <FieldErrors operation={operation} />
        {!isDone && (
          <small>
            {operation.refusal?.current
              ? momentsOf(operation, now)
              : sinceText(operation.madeAt, now)}
          </small>
        )}
        {!isDone && isNearLimit(operation, now) && (
          <p>{fill(queueTexts.longWait, { n: keyLifeMs / dayMs })}</p>
        )}
        {tone === 'bad' && <LeftText operation={operation} />}
        {/* One that is on its way can no longer be taken back. */}
        {isDiscarding && (tone === 'waiting' || tone === 'bad') ? (
          <DiscardQuestion operation={operation} onCancel={() => setDiscarding(false)} />
        ) : (
          tone === 'bad' && <Actions operation={operation} onDiscard={ask} />
        )}
      </div>
      {tone === 'waiting' && !isDiscarding && (
        <IconButton
          icon="trash"
          label={fill(queueTexts.discardChange, { change: titleOf(operation) })}
          title={queueTexts.discard}
          onClick={ask}
        />
      )}
    </li>
  )
}

interface ActionsProps {
  readonly operation: Operation
  readonly onDiscard: () => void
}

function Actions({ operation, onDiscard }: ActionsProps) {
  const current = operation.refusal?.current
  if (current) return <ConflictChoice operation={operation} current={current} />
  return <RefusedActions operation={operation} onDiscard={onDiscard} />
}

function FieldErrors({ operation: { refusal, subject } }: { readonly operation: Operation }) {
  if (!refusal?.errors) return null
  return (
    <ul>
      {Object.entries(refusal.errors).map(([name, error]) => (
        <li key={name}>
          {labelOf(subject, name)}: {error}
        </li>
      ))}
    </ul>
  )
}
