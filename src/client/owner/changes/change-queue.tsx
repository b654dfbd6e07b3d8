import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '#contract/texts/site.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { loginTexts } from '#contract/access/login.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'
import type { Outbox } from '#client/outbox/outbox.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { blocks } from '#client/outbox/queue-rules.ts'
import { pageOutbox, useOutbox } from '#client/outbox/page-outbox.ts'
import { askToSignIn } from '#client/session/session-change.ts'
import { connection } from '#client/browser/connection.ts'
import { mayBeCleared } from '#client/browser/lasting.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Sheet } from '#client/ui/sheet.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { clockText } from '#client/ui/age-text.ts'
import { ownersOf } from './describe-operation.ts'
import { followQueue, type Line } from './follow-queue.ts'
import { closeQueue, useOpenQueue } from './open-queue.ts'
import { byAccount, OthersChanges } from './others-changes.tsx'
import { QueuedChange } from './queued-change.tsx'
import { SyncAnnouncer } from './sync-announcer.tsx'

export function ChangeQueue() {
  const asked = useOpenQueue()
  return asked ? <OpenQueue asked={asked.operation} /> : null
}

const agesMs = 20_000

function OpenQueue({ asked }: { readonly asked: string | undefined }) {
  const queryClient = useQueryClient()
  const state = useOutbox()
  const lines = useLines(state)
  const now = useNow(agesMs)
  const operations = ownersOf(state.operations)
  const isEmpty = operations.length === 0
  // A refused change may be tried again; between two versions the owner has to choose.
  const isHers = waitFor(operations, isToChoose)
  return (
    <Sheet
      title={queueTexts.title}
      closeLabel={texts.close}
      onClose={closeQueue}
      head={
        isEmpty || isHers ? null : (
          <Button tone="quiet" small icon="sync" onClick={() => retryAll(pageOutbox(queryClient))}>
            {queueTexts.retryAll}
          </Button>
        )
      }
      foot={
        isEmpty ? null : isHers ? (
          <WaitsForHer operations={operations} />
        ) : waitFor(operations, isRefused) ? (
          <HersNote n={operations.filter(isRefused).length} rest={queueTexts.refusedWaits} />
        ) : (
          <NextTry at={state.nextTryAt} />
        )
      }
    >
      <SyncAnnouncer />
      {state.needsLogin && !isEmpty && <SessionLine />}
      <ol className="queue">
        {lines.map((line) => (
          <QueuedChange
            key={line.operation.id}
            line={line}
            state={state}
            now={now}
            isAsked={line.operation.id === asked}
          />
        ))}
      </ol>
      {!isEmpty && mayBeCleared() && <p className="hint">{queueTexts.mayGo}</p>}
      {lines.length === 0 && <NothingWaits />}
      {byAccount(state.others ?? []).map((left) => (
        <OthersChanges key={left.owner.account} left={left} />
      ))}
    </Sheet>
  )
}

/** Keeps the lines that were there since the list was opened. */
function useLines(state: OutboxState): readonly Line[] {
  const [kept, keep] = useState(() => ({ state, lines: linesAfter([], state) }))
  if (kept.state === state) return kept.lines
  const lines = linesAfter(kept.lines, state)
  keep({ state, lines })
  return lines
}

function linesAfter(lines: readonly Line[], { operations, ...rest }: OutboxState) {
  return followQueue(lines, { ...rest, operations: ownersOf(operations) })
}

/** Retries everything, except what waits for a choice between two versions. */
function retryAll(outbox: Outbox): void {
  for (const { id, refusal } of ownersOf(outbox.getState().operations)) {
    if (refusal && !refusal.current) void outbox.retry(id)
  }
  void outbox.drain({ force: true })
}

const isToChoose = ({ refusal }: Operation) => refusal?.current !== undefined
const isRefused = ({ refusal }: Operation) => refusal !== undefined

/** Whether only changes of this kind remain: none of them is sent by itself. */
function waitFor(
  operations: readonly Operation[],
  isInTheWay: (operation: Operation) => boolean,
): boolean {
  return operations.every(
    (operation, index) =>
      isInTheWay(operation) || blocks(operations.slice(0, index).filter(isInTheWay), operation),
  )
}

function WaitsForHer({ operations }: { readonly operations: readonly Operation[] }) {
  const n = operations.filter(isToChoose).length
  const { othersPublished, othersWaiting } = queueTexts
  return <HersNote n={n} rest={n === operations.length ? othersPublished : othersWaiting} />
}

interface HersNoteProps {
  /** How many changes need a decision. */
  readonly n: number
  /** The consequence for the other changes. */
  readonly rest: string
}

function HersNote({ n, rest }: HersNoteProps) {
  const { oneWaitsForYou, manyWaitForYou } = queueTexts
  return (
    <p className="foot-note">
      <Icon name="info" />
      <span>
        <b>{n === 1 ? oneWaitsForYou : fill(manyWaitForYou, { n })}</b> {rest}
      </span>
    </p>
  )
}

function SessionLine() {
  return (
    <Alert tone="pencil" words={queueTexts.expired}>
      <Button small onClick={askToSignIn}>
        {loginTexts.submit}
      </Button>
    </Alert>
  )
}

function NextTry({ at }: { readonly at: number | undefined }) {
  const clock = clockText(at ?? 0, useNow(1_000))
  // Read every second: with a network everything waits for the server instead.
  const isOffline = connection.get() === 'offline'
  const waits = isOffline ? queueTexts.retries : queueTexts.retriesOnline
  const counts = isOffline ? queueTexts.nextTry : queueTexts.nextTryOnline
  return <p className="mono">{clock === undefined ? waits : fill(counts, { clock })}</p>
}

function NothingWaits() {
  return (
    <div className="empty">
      <span className="bubble">
        <Icon name="check" />
      </span>
      <h3>{queueTexts.empty}</h3>
      <p>{queueTexts.emptyHint}</p>
    </div>
  )
}
