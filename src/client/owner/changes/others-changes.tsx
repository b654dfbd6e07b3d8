import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Account, Operation } from '#client/outbox/operation.ts'
import { Button } from '#client/ui/button.tsx'
import { DangerQuestion } from '#client/ui/danger-question.tsx'
import { titleOf } from './describe-operation.ts'
import { discardChangesOf } from './discard-change.ts'

export interface LeftChanges {
  readonly owner: Account
  readonly operations: readonly Operation[]
}

/** In the order of each account's first change. */
export function byAccount(others: readonly Operation[]): readonly LeftChanges[] {
  const left = new Map<string, LeftChanges>()
  for (const operation of others) {
    const { owner } = operation
    if (!owner) continue
    const operations = [...(left.get(owner.account)?.operations ?? []), operation]
    left.set(owner.account, { owner, operations })
  }
  return [...left.values()]
}

/** A sentence on the changes that another account left on this device. */
export function countedWords(
  what: 'others' | 'discardOthers',
  { owner, operations }: LeftChanges,
): string {
  const n = operations.length
  const words = n === 1 ? queueTexts[`${what}One`] : queueTexts[`${what}Many`]
  return fill(words, { n, name: owner.userName })
}

export function OthersChanges({ left }: { readonly left: LeftChanges }) {
  const { owner, operations } = left
  const title = fill(queueTexts.othersTitle, { name: owner.userName })
  const [isAsked, setAsked] = useState(false)
  return (
    <section className="others" aria-label={title}>
      <h3>{title}</h3>
      <p>{countedWords('others', left)}</p>
      <ul>
        {operations.map((operation) => (
          <li key={operation.id}>{titleOf(operation)}</li>
        ))}
      </ul>
      <Button tone="ghost" small icon="trash" onClick={() => setAsked(true)}>
        {queueTexts.discard}
      </Button>
      {isAsked && <DiscardOthers left={left} onAnswer={() => setAsked(false)} />}
    </section>
  )
}

interface DiscardOthersProps {
  readonly left: LeftChanges
  readonly onAnswer: () => void
}

export function DiscardOthers({ left, onAnswer }: DiscardOthersProps) {
  const queryClient = useQueryClient()
  return (
    <DangerQuestion
      title={countedWords('discardOthers', left)}
      yes={queueTexts.discard}
      no={queueTexts.keep}
      onYes={() => {
        void discardChangesOf(left.owner.account, queryClient)
        onAnswer()
      }}
      onNo={onAnswer}
    >
      {queueTexts.discardOthersHint}
    </DangerQuestion>
  )
}
