import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownerTexts } from '#contract/texts-owner.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Operation, Refusal } from '#client/data/outbox/operation.ts'
import { pageOutbox } from '#client/data/outbox/page-outbox.ts'
import { Button } from '#client/ui/button.tsx'
import { CombineForm } from './combine-form.tsx'
import { CompareVersions, differencesOf } from './compare-versions.tsx'
import { focusLine, focusTitle } from './queue-focus.ts'

interface ConflictChoiceProps {
  readonly operation: Operation
  readonly current: NonNullable<Refusal['current']>
}

/** Asks which of two versions stays, or for a third one made of both. */
export function ConflictChoice({ operation, current }: ConflictChoiceProps) {
  const queryClient = useQueryClient()
  const [isCombining, setCombining] = useState(false)
  const { id, verb } = operation
  const isRemoval = verb === 'remove'
  const differences = differencesOf(operation, current.fields)
  return (
    <>
      <CompareVersions differences={differences} />
      {isCombining ? (
        <CombineForm
          operation={operation}
          current={current}
          names={differences.map(({ name }) => name)}
          onCancel={() => setCombining(false)}
        />
      ) : (
        <div className="actions">
          <Button
            small
            onClick={({ currentTarget }) => {
              focusLine(currentTarget)
              void pageOutbox(queryClient).retry(id, { version: current.version })
            }}
          >
            {isRemoval ? queueTexts.removeAnyway : ownerTexts.keepMine}
          </Button>
          <Button
            tone="ghost"
            small
            onClick={({ currentTarget }) => {
              focusTitle(currentTarget)
              void pageOutbox(queryClient).discard(id)
            }}
          >
            {isRemoval ? queueTexts.keepTheirs : ownerTexts.takeTheirs}
          </Button>
          {differences.length > 0 && (
            <Button tone="quiet" small icon="pencil" onClick={() => setCombining(true)}>
              {queueTexts.combine}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
