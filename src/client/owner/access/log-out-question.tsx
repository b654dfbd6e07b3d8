import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import {
  logOutAnyway,
  publishAndLogOut,
  stayLoggedIn,
  useLogOutQuestion,
  type LogOutState,
} from './log-out.ts'
import { changesIn, type Operation } from '#client/outbox/operation.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { leftOnDevice } from './unpublished.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ownersOf } from '#client/owner/changes/describe-operation.ts'
import { openQueue } from '#client/owner/changes/open-queue.ts'

export function LogOutQuestion() {
  const question = useLogOutQuestion()
  const { operations } = useOutbox()
  if (!question) return null
  const changes = ownersOf(operations)
  const count = changes.length
  // Read with each change of the queue, which is when it goes into the page's memory or out of it.
  const kept = keptOf(changes, leftOnDevice())
  return (
    <Dialog title={titleOf(count)} onCancel={stayLoggedIn}>
      {count > 0 && <p>{whatStays[kept]}</p>}
      {question.hasDrafts && <p>{ownerTexts.draftsOnLogout}</p>}
      {count === 0 && !question.hasDrafts && <p>{ownerTexts.nothingToPublish}</p>}
      {question.trouble && count > 0 && <Trouble {...question} />}
      <div className="actions">
        {count > 0 && (
          <Button tone="ghost" busy={question.isPublishing} onClick={() => void publishAndLogOut()}>
            {ownerTexts.publish}
          </Button>
        )}
        <Button
          tone={kept !== 'all' || question.hasDrafts ? 'danger' : 'ghost'}
          onClick={() => void logOutAnyway()}
        >
          {ownerTexts.logoutHint}
        </Button>
        <Button onClick={stayLoggedIn}>{ownerTexts.stay}</Button>
      </div>
    </Dialog>
  )
}

/**
 * How much of the changes outlives the page, by what is left on the device; undefined where that keeps everything. What was
 * decided about a refusal since then is on no disk, and the refusal would be asked about again.
 */
export function keptOf(
  operations: readonly Operation[],
  left: readonly Operation[] | undefined,
): 'all' | 'some' | 'none' {
  if (!left) return 'all'
  const refused = left.filter(({ refusal }) => refusal)
  const isDecided = ({ id, refusal }: Operation) => !refusal && refused.some((one) => one.id === id)
  const known = new Set(left.flatMap(changesIn))
  for (const id of operations.filter(isDecided).flatMap(changesIn)) known.delete(id)
  const changes = operations.flatMap(changesIn)
  if (changes.every((id) => known.has(id))) return 'all'
  return changes.some((id) => known.has(id)) ? 'some' : 'none'
}

const whatStays = {
  all: ownerTexts.changesStay,
  some: ownerTexts.someChangesLost,
  none: ownerTexts.changesLost,
} as const

function Trouble({ trouble }: LogOutState) {
  return (
    <>
      <p role="alert">{trouble}</p>
      <div className="actions">
        <Button
          tone="quiet"
          small
          onClick={() => {
            stayLoggedIn()
            openQueue()
          }}
        >
          {offlineTexts.seeChanges}
        </Button>
      </div>
    </>
  )
}

function titleOf(count: number): string {
  if (count === 0) return ownerTexts.logoutHint
  return count === 1
    ? ownerTexts.changeOnLogout
    : fill(ownerTexts.changesOnLogout, { n: String(count) })
}
