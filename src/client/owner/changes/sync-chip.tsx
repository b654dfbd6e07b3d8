import { queueTexts } from '#contract/texts/queue.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { openQueue } from './open-queue.ts'
import { SyncAnnouncer } from './sync-announcer.tsx'
import { summaryOf } from './sync-summary.ts'
import { Icon } from '#client/ui/icon.tsx'

const looks = {
  ok: ['cloud-ok', 'sync'],
  pending: ['clock', 'sync is-pending'],
  failed: ['warn', 'sync is-failed'],
} as const

export function SyncChip() {
  const { tone, count, sentence } = summaryOf(useOutbox().operations)
  const [icon, className] = looks[tone]
  // Voice control finds the chip by the words it shows, so its name begins with them.
  const name = count > 0 ? `${queueTexts.chip[tone]} ${count}: ${sentence}` : sentence
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        title={sentence}
        aria-haspopup="dialog"
        onClick={() => openQueue()}
      >
        <Icon name={icon} />
        <span>{queueTexts.chip[tone]}</span>
        {count > 0 && <b>{count}</b>}
      </button>
      <SyncAnnouncer />
    </>
  )
}
