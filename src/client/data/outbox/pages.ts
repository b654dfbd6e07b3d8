import type { Operation } from './operation.ts'
import type { Yes } from './parts.ts'

interface AppliedElsewhere {
  readonly operation: Operation
  readonly answer: Yes
}

/** What one page tells the others: that the queue changed, or what the server answered. */
type Message = 'changed' | AppliedElsewhere

interface Following {
  readonly onChanged: () => Promise<void>
  readonly onApplied: (applied: AppliedElsewhere) => Promise<void>
  readonly log: (what: string, cause: unknown) => void
}

/** The other pages of the browser, which keep the same queue; what they tell is done here in the order it happened. */
export function createPages({ onChanged, onApplied, log }: Following) {
  let channel: BroadcastChannel | undefined
  let done = Promise.resolve()

  return {
    // Not before it is asked for: an open channel keeps a process alive.
    follow(): void {
      channel = new BroadcastChannel('tintero-outbox')
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
        done = done
          .then(() => (data === 'changed' ? onChanged() : onApplied(data)))
          .catch((cause: unknown) => log('What another page did could not be shown', cause))
      })
    },
    tell(message: Message): void {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the site
      channel?.postMessage(message)
    },
  }
}
