import { createStore } from '#client/ui/store.ts'
import type { Operation } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** A long queue leaves faster than anybody can follow; drawing each step would cost more than sending it. In milliseconds. */
const paceMs = 200

/** What the pages see of the queue. */
export interface OutboxState {
  readonly operations: readonly Operation[]
  /** What other accounts left on this device: nobody signed in here sends it. */
  readonly others?: readonly Operation[]
  /** The operation on its way, and how much of its picture is up (0 to 1). */
  readonly sending?: { readonly id: string; readonly progress: number }
  /** The operations that arrived since sending began. */
  readonly applied?: readonly string[]
  readonly needsLogin: boolean
  /** The site is set to read-only: what changes its content waits here. */
  readonly isReadOnly?: boolean
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

interface Advance {
  readonly operations: readonly Operation[]
  readonly sending: string | undefined
  readonly applied: string | undefined
}

export type QueueState = ReturnType<typeof createQueueState>

/** The queue as this page last read it, with what the page is doing about it. */
export function createQueueState(
  store: Pick<OutboxStore, 'read'>,
  isOthers: (operation: Operation) => boolean = () => false,
) {
  let state: OutboxState = { operations: [], needsLogin: false }
  const shown = createStore(state)
  let kept: readonly Operation[] = []
  let refused: readonly Operation[] = []
  let shownAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  /** The queue as it is kept, told apart by whose it is. */
  function sorted(operations: readonly Operation[]): Pick<OutboxState, 'operations' | 'others'> {
    kept = operations
    const others = operations.filter(isOthers)
    const own = others.length > 0 ? operations.filter((one) => !isOthers(one)) : operations
    refused = own.filter(({ refusal }) => refusal)
    return { operations: own, others }
  }

  function publish(): void {
    clearTimeout(timer)
    timer = undefined
    shownAt = performance.now()
    shown.set(state)
  }

  function show(next: OutboxState): void {
    state = next
    publish()
  }

  function publishSoon(): void {
    timer ??= setTimeout(publish, Math.max(0, shownAt + paceMs - performance.now()))
  }

  return {
    show,
    get: () => state,
    /** Those that the server said no to: each that waits is asked about them, and there are few. */
    refused: () => refused,
    refresh: async () => {
      const operations = await store.read()
      // What else changed while it was read stays.
      show({ ...state, ...sorted(operations) })
    },
    /** Somebody else is signed in now, or nobody. */
    sortAgain: () => show({ ...state, ...sorted(kept) }),
    /** Shows the queue as it is kept now, what just arrived, and what is on its way instead. */
    advance: ({ operations, sending, applied }: Advance) => {
      const { nextTryAt, sending: before, ...rest } = state
      const arrived = before ? (rest.applied ?? []) : []
      state = {
        ...rest,
        ...sorted(operations),
        applied: applied === undefined ? arrived : [...arrived, applied],
        ...(sending === undefined
          ? nextTryAt !== undefined && { nextTryAt }
          : { sending: before?.id === sending ? before : { id: sending, progress: 0 } }),
      }
      if (sending === undefined) publish()
      else publishSoon()
    },
    stopSending: (nextTryAt: number | undefined) => {
      const { sending: _, nextTryAt: __, ...idle } = state
      show({ ...idle, ...(nextTryAt !== undefined && { nextTryAt }) })
    },
    subscribe: shown.subscribe,
  }
}
