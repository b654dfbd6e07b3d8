import { queueTexts } from '#contract/texts/queue.ts'
import { isSameSubject, type Operation, type Subject } from '#client/outbox/operation.ts'
import type { SyncState } from '#client/data/overlay.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import { openQueue } from './open-queue.ts'

interface SyncMarkProps {
  readonly sync: SyncState
  readonly subject: Subject
  /** For places with room for the symbol only. */
  readonly isSmall?: boolean
}

/** A refused change leads to the queue. */
export function SyncMark({ sync, subject, isSmall = false }: SyncMarkProps) {
  const { operations } = useOutbox()
  const text = queueTexts[sync]
  const words = isSmall ? (
    <span className="sr-only">{text}</span>
  ) : sync === 'pending' ? (
    firstWordFirst(text)
  ) : (
    text
  )
  if (sync === 'pending') {
    return (
      <span className="badge chip pencil-tone" title={isSmall ? text : undefined}>
        <Icon name="clock" />
        {words}
      </span>
    )
  }
  const isRefused = (operation: Operation) =>
    operation.refusal !== undefined && isSameSubject(operation.subject, subject)
  return (
    <button
      type="button"
      className="badge chip bad-tone"
      title={isSmall ? text : undefined}
      aria-haspopup="dialog"
      onClick={() => openQueue(operations.find(isRefused)?.id)}
    >
      <Icon name="warn" />
      {words}
    </button>
  )
}

/** On a narrow card all words but the first are for screen readers only. */
function firstWordFirst(text: string) {
  const end = text.indexOf(' ')
  return (
    <span>
      {text.slice(0, end)}
      <span className="rest">{text.slice(end)}</span>
    </span>
  )
}
