import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation, Row } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { Button } from '#client/ui/button.tsx'
import { fieldsOf } from './describe-operation.ts'
import { CombineForm, isCombined } from './combine-form.tsx'
import { CompareVersions, differencesOf } from './compare-versions.tsx'
import { discardChange } from './discard-change.ts'
import { focusLine, focusTitle } from './queue-focus.ts'

interface ConflictChoiceProps {
  readonly operation: Operation
  readonly current: Row
}

export function ConflictChoice({ operation, current }: ConflictChoiceProps) {
  const queryClient = useQueryClient()
  const [isCombining, setCombining] = useState(() => isCombined(operation))
  const { id, verb } = operation
  const isRemoval = verb === 'remove'
  const differences = differencesOf(operation, current.fields)
  // Settings have no form here.
  const canCombine = differences.some(({ name }) => name in fieldsOf(operation.subject))
  const keep = (
    <Button
      tone={isRemoval ? 'danger' : canCombine ? 'ghost' : undefined}
      small
      onClick={({ currentTarget }) => {
        focusLine(currentTarget)
        void pageOutbox(queryClient).retry(id, onTopOf(current, operation))
      }}
    >
      {isRemoval ? queueTexts.removeAnyway : ownerTexts.keepMine}
    </Button>
  )
  const take = (
    <Button
      tone={isRemoval ? undefined : 'ghost'}
      small
      onClick={({ currentTarget }) => {
        focusTitle(currentTarget)
        void discardChange(operation, queryClient)
      }}
    >
      {isRemoval ? queueTexts.keepTheirs : ownerTexts.takeTheirs}
    </Button>
  )
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
        <div className="actions choices">
          {canCombine && (
            <Button small onClick={() => setCombining(true)}>
              {queueTexts.combine}
            </Button>
          )}
          {isRemoval && take}
          {keep}
          {!isRemoval && take}
        </div>
      )}
    </>
  )
}

/** Puts the change on top of the version that the owner has seen now. */
function onTopOf({ version, fields }: Row, { subject }: Operation) {
  if (subject.on !== 'settings') return { version }
  const before = fields[subject.key ?? '']
  return before === undefined ? {} : { before }
}
