import { queueTexts } from '#contract/texts-queue.ts'
import { useOutbox } from '#client/data/outbox/page-outbox.ts'
import { openQueue } from '#client/sections/open-queue.ts'
import { SyncAnnouncer } from '#client/sections/sync-announcer.tsx'
import { summaryOf } from '#client/sections/sync-summary.ts'
import { Icon } from '#client/ui/icon.tsx'

const looks = {
  ok: ['cloud-ok', 'sync'],
  pending: ['clock', 'sync is-pending'],
  failed: ['warn', 'sync is-failed'],
} as const

/** How the owner's changes stand, in one word and a number; leads to the queue. */
export function SyncChip() {
  const { tone, count, sentence } = summaryOf(useOutbox().operations)
  const [icon, className] = looks[tone]
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={sentence}
        title={sentence}
        aria-haspopup="dialog"
        onClick={() => openQueue()}
      >
        <Icon name={icon} />
        <span>{queueTexts.chip[tone]}</span>
        {count > 0 && ` ${count}`}
      </button>
      <SyncAnnouncer />
    </>
  )
}
