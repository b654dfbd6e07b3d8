import { useState } from 'react'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import type { OutboxState } from '#client/data/outbox/live-state.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { ageText } from './age-text.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import { labelOf, standingOf, titleOf } from './describe-operation.ts'
import { DiscardQuestion } from './discard-question.tsx'
import type { Line } from './follow-queue.ts'
import { RefusedWays } from './refused-ways.tsx'

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

/** One change of the list: what it is, how it stands, and what can be done about it. */
export function QueuedChange({ line, state, now, isAsked }: QueuedChangeProps) {
  const { operation, isDone } = line
  const [isDiscarding, setDiscarding] = useState(false)
  const { tone, text } = isDone
    ? ({ tone: 'done', text: queueTexts.done } as const)
    : standingOf(operation, state)
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
        {!isDone && <small>{ageText(operation.madeAt, now)}</small>}
        {/* One that is on its way can no longer be taken back. */}
        {isDiscarding && (tone === 'waiting' || tone === 'bad') ? (
          <DiscardQuestion operation={operation} onCancel={() => setDiscarding(false)} />
        ) : (
          tone === 'bad' && <Ways operation={operation} onDiscard={ask} />
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

interface WaysProps {
  readonly operation: Operation
  readonly onDiscard: () => void
}

function Ways({ operation, onDiscard }: WaysProps) {
  const current = operation.refusal?.current
  if (current) return <ConflictChoice operation={operation} current={current} />
  return <RefusedWays operation={operation} onDiscard={onDiscard} />
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
