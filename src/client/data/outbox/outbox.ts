import { fold, nextToSend, settle, type Operation, type Refusal } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** What became of one attempt to send an operation. */
export type Answer =
  | { readonly is: 'applied'; readonly version?: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** No answer, or one that says to come back: the operation stays as it is. */
  | { readonly is: 'later'; readonly afterMs?: number }
  /** The session is over; nothing of the owner's is sent until she signs in again. */
  | { readonly is: 'login' }

export interface OutboxParts {
  readonly store: OutboxStore
  /** Hands one operation to the server; must not throw. */
  readonly send: (operation: Operation, picture: Blob | undefined) => Promise<Answer>
  readonly isOwner: () => boolean
  readonly isOnline: () => boolean
  /** Told of every applied operation before it leaves the queue, so that the server's row is on screen first. */
  readonly onApplied: (operation: Operation) => Promise<void>
  readonly log: (event: string, facts?: Readonly<Record<string, string | number>>) => void
}

/** What the pages see of the queue. */
export interface OutboxState {
  readonly operations: readonly Operation[]
  readonly sending?: string
  readonly needsLogin: boolean
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

/** How the person who made the change hears of it first. */
export type Settled = 'done' | 'refused' | 'queued'

const firstDelayMs = 1_000
const longestDelayMs = 60_000

export type Outbox = ReturnType<typeof createOutbox>

/** The queue of changes: keeps each on disk before saying so, and sends them one at a time, in order, from one page of the browser. */
export function createOutbox(parts: OutboxParts) {
  const { store, send } = parts
  let state: OutboxState = { operations: [], needsLogin: false }
  let failures = 0
  let isWaiting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: BroadcastChannel | undefined
  const readers = new Set<() => void>()
  const waiters = new Map<string, (settled: Settled) => void>()

  function show(change: Partial<OutboxState>): void {
    state = { ...state, ...change }
    for (const reader of readers) reader()
  }

  async function refresh(): Promise<void> {
    show({ operations: await store.read() })
  }

  function tellOtherPages(): void {
    channel?.postMessage('changed')
  }

  async function add(operation: Operation, picture?: Blob): Promise<Settled> {
    const carrier = await store.update((operations) => {
      const folded = fold(operations, operation)
      const orphans = Object.fromEntries(folded.orphans.map((id) => [id, undefined]))
      const kept = picture && folded.carrier ? { [folded.carrier.id]: picture } : {}
      return {
        operations: folded.operations,
        pictures: { ...orphans, ...kept },
        result: folded.carrier,
      }
    })
    await refresh()
    tellOtherPages()
    if (!carrier) return 'done'
    const settled = new Promise<Settled>((resolve) => waiters.set(carrier.id, resolve))
    if (parts.isOnline() && !state.needsLogin) kick()
    else tell(carrier.id, 'queued')
    return settled
  }

  function tell(id: string, settled: Settled): void {
    waiters.get(id)?.(settled)
    waiters.delete(id)
  }

  /** Starts sending unless this page already waits for its turn. */
  function kick(): void {
    clearTimeout(timer)
    if (isWaiting) return
    isWaiting = true
    void navigator.locks.request('tintero-outbox-drain', async () => {
      isWaiting = false
      await drain().catch((error: unknown) =>
        parts.log('outbox-drain-failed', { error: String(error) }),
      )
      const { sending: _, ...idle } = state
      state = idle
      show({})
    })
  }

  async function drain(): Promise<void> {
    for (;;) {
      const operation = await claim()
      if (!operation) return
      show({ sending: operation.id })
      const picture = operation.image ? await store.picture(operation.id) : undefined
      const answer = await send(operation, picture)
      if (!(await take(operation, answer))) return
    }
  }

  /** The next operation, counted as tried before it leaves: from then on the server may know of it. */
  async function claim(): Promise<Operation | undefined> {
    const claimed = await store.update((operations) => {
      const next = nextToSend(operations, { isOwner: parts.isOwner() })
      if (!next) return { operations, result: undefined }
      const tried = { ...next, tries: next.tries + 1 }
      return {
        operations: operations.map((operation) => (operation === next ? tried : operation)),
        result: tried,
      }
    })
    await refresh()
    return claimed
  }

  /** Whether sending may go on after this answer. */
  async function take(operation: Operation, answer: Answer): Promise<boolean> {
    if (answer.is === 'later') return postpone(operation, answer.afterMs)
    failures = 0
    if (answer.is === 'login') {
      show({ needsLogin: true })
      tell(operation.id, 'queued')
      return false
    }
    if (answer.is === 'applied') await parts.onApplied(operation)
    await store.update((operations) => ({
      operations:
        answer.is === 'applied'
          ? settle(operations, operation, answer.version)
          : operations.map((candidate) =>
              candidate.id === operation.id ? { ...candidate, refusal: answer.refusal } : candidate,
            ),
      ...(answer.is === 'applied' && { pictures: { [operation.id]: undefined } }),
      result: undefined,
    }))
    await refresh()
    tellOtherPages()
    tell(operation.id, answer.is === 'applied' ? 'done' : 'refused')
    return true
  }

  function postpone(operation: Operation, afterMs: number | undefined): false {
    const delay = afterMs ?? Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
    failures++
    show({ nextTryAt: Date.now() + delay })
    timer = setTimeout(kick, delay)
    tell(operation.id, 'queued')
    return false
  }
  /** Sends a refused operation again, with `change` applied first: another base version or other values. */
  async function retry(id: string, change: Partial<Pick<Operation, 'values' | 'version'>> = {}) {
    await store.update((operations) => ({
      operations: operations.map((operation) => {
        if (operation.id !== id) return operation
        const { refusal: _, ...rest } = operation
        return { ...rest, ...change }
      }),
      result: undefined,
    }))
    await refresh()
    tellOtherPages()
    failures = 0
    kick()
  }

  /** Forgets an operation and its picture: only ever by the person's word. */
  async function discard(id: string): Promise<void> {
    await store.update((operations) => ({
      operations: operations.filter((operation) => operation.id !== id),
      pictures: { [id]: undefined },
      result: undefined,
    }))
    await refresh()
    tellOtherPages()
    kick()
  }

  /** Follows the other pages and the connection, and sends what an earlier visit left; returns how to stop. */
  function start(): () => void {
    channel = new BroadcastChannel('tintero-outbox')
    channel.onmessage = () => void refresh().then(kick)
    void refresh().then(kick)
    return () => {
      clearTimeout(timer)
      channel?.close()
    }
  }

  /** The person signed in: what waited for her may go. */
  function signedIn(): void {
    show({ needsLogin: false })
    kick()
  }

  return {
    add,
    discard,
    kick,
    retry,
    signedIn,
    start,
    getState: () => state,
    subscribe(reader: () => void) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
  }
}
