import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { forgetCopies } from '#client/browser/api-copy.ts'
import { delay } from '#client/browser/delay.ts'
import { apiBase } from '#client/data/api.ts'
import { whileSettling } from '#client/data/unsaved.ts'
import { hiddenKey } from './hidden-entries.ts'
import type { Operation } from './operation.ts'
import { kindOf, queryKeyOf } from './show-applied.ts'

/** How long an update waits for what is read after a queue has left, in milliseconds. */
const rereadWithinMs = 5_000

/** What the queue's changes have made old, of what this page has read and the worker keeps, until it is read again. */
export function createOutdated(queryClient: QueryClient) {
  const stale = new Map<string, QueryKey>()

  /** A list, and with it what of it only she sees. */
  async function reread(kind: string, queryKey: QueryKey): Promise<void> {
    await forgetCopies(kind, apiBase)
    const keys = queryKey[0] === 'entries' ? [queryKey, hiddenKey] : [queryKey]
    await Promise.all(keys.map((each) => queryClient.invalidateQueries({ queryKey: each })))
  }

  return {
    /** The worker's copy goes once for a whole queue, before the first of its kind leaves it. */
    note: async (operation: Pick<Operation, 'subject'>): Promise<void> => {
      const queryKey = queryKeyOf(operation)
      const kind = kindOf(operation)
      if (!queryKey || kind === undefined) return
      if (!stale.has(kind)) await forgetCopies(kind, apiBase)
      stale.set(kind, queryKey)
    },
    /**
     * What was read meanwhile may have been older than what came last. Busy until then, for a worker that is asked in the
     * moment it leaves starts again, and no new version takes over. A tab that nobody sees may wait for its answer until it
     * is looked at.
     */
    readAgain: (): void => {
      for (const [kind, queryKey] of stale) {
        const reading = reread(kind, queryKey)
        void whileSettling(() => Promise.race([reading, delay(rereadWithinMs)]))
      }
      stale.clear()
    },
  }
}
