import type { Operation } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** A long queue leaves faster than anybody can follow; drawing each step would cost more than sending it. In milliseconds. */
const paceMs = 200

/** What the pages see of the queue. */
export interface OutboxState {
  readonly operations: readonly Operation[]
  /** The operation on its way, and how much of its picture is up (0 to 1). */
  readonly sending?: { readonly id: string; readonly progress: number }
  /** The operations that arrived since sending began. */
  readonly applied?: readonly string[]
  readonly needsLogin: boolean
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

interface Taken {
  readonly operations: readonly Operation[]
  readonly sending: string | undefined
  readonly applied: string | undefined
}

export type LiveState = ReturnType<typeof createLiveState>

/** The queue as this page last read it, with what it is doing about it, and those who watch. */
export function createLiveState(store: Pick<OutboxStore, 'read'>) {
  const readers = new Set<() => void>()
  let state: OutboxState = { operations: [], needsLogin: false }
  let shownAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    shownAt = performance.now()
    for (const reader of readers) reader()
  }

  function show(next: OutboxState): void {
    state = next
    tell()
  }

  function tellSoon(): void {
    timer ??= setTimeout(tell, Math.max(0, shownAt + paceMs - performance.now()))
  }

  return {
    show,
    get: () => state,
    refresh: async () => {
      const operations = await store.read()
      // What else changed while it was read stays.
      show({ ...state, operations })
    },
    /** Shows the queue as it is kept now, what just arrived, and what is on its way instead. */
    take: ({ operations, sending, applied }: Taken) => {
      const { nextTryAt, sending: before, ...rest } = state
      const arrived = before ? (rest.applied ?? []) : []
      state = {
        ...rest,
        operations,
        applied: applied === undefined ? arrived : [...arrived, applied],
        ...(sending === undefined
          ? nextTryAt !== undefined && { nextTryAt }
          : { sending: before?.id === sending ? before : { id: sending, progress: 0 } }),
      }
      if (sending === undefined) tell()
      else tellSoon()
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
