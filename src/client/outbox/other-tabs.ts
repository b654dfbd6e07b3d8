import { openChannel } from '#client/browser/closable.ts'
import type { WaitReason } from './pending-callers.ts'
import type { AcceptedOperation } from './ports.ts'

/** The changes that leave the queue unsent, and what their makers are told. */
export interface Discarded {
  readonly discarded: readonly string[]
  readonly because: WaitReason
}

/** What one tab tells the others: that the queue changed, what the server answered, or what leaves the queue unsent. */
export type TabNews = 'changed' | AcceptedOperation | Discarded

interface Following {
  readonly onChanged: () => Promise<void>
  readonly onApplied: (applied: AcceptedOperation) => Promise<void>
  readonly onDiscarded: (dropped: Discarded) => void
  readonly log: (what: string, cause: unknown) => void
}

/** The other tabs of the browser, which keep the same queue; what they tell is done here in the order it happened. */
export function createOtherTabs({ onChanged, onApplied, onDiscarded, log }: Following) {
  let channel: BroadcastChannel | undefined
  let done = Promise.resolve()

  async function follow(news: TabNews): Promise<void> {
    if (news === 'changed') await onChanged()
    else if ('discarded' in news) onDiscarded(news)
    else await onApplied(news)
  }

  return {
    // Not before it is asked for: an open channel keeps a process alive.
    follow(): void {
      channel = openChannel('tintero-outbox')
      channel?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
        done = done
          .then(() => follow(data))
          .catch((cause: unknown) => log('What another tab did could not be shown', cause))
      })
    },
    tell(news: TabNews): void {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the site
      channel?.postMessage(news)
    },
  }
}
