import type { Operation } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** What the pages see of the queue. */
export interface OutboxState {
  readonly operations: readonly Operation[]
  /** The operation on its way, and how much of its picture is up (0 to 1). */
  readonly sending?: { readonly id: string; readonly progress: number }
  readonly needsLogin: boolean
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

export type LiveState = ReturnType<typeof createLiveState>

/** The queue as this page last read it, with what it is doing about it, and those who watch. */
export function createLiveState(store: Pick<OutboxStore, 'read'>) {
  const readers = new Set<() => void>()
  let state: OutboxState = { operations: [], needsLogin: false }

  function show(next: OutboxState): void {
    state = next
    for (const reader of readers) reader()
  }

  return {
    show,
    get: () => state,
    refresh: async () => show({ ...state, operations: await store.read() }),
    startSending: (id: string) => {
      const { nextTryAt: _, ...rest } = state
      show({ ...rest, sending: { id, progress: 0 } })
    },
    stopSending: () => {
      const { sending: _, ...idle } = state
      show(idle)
    },
    subscribe: (reader: () => void) => {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}
