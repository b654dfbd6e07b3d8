import { inTurn } from '#client/platform/in-turn.ts'
import {
  discarded,
  expire,
  fold,
  nextToSend,
  settle,
  type Operation,
  type Refusal,
} from './operation.ts'
import { createPages } from './pages.ts'
import type { Answer, OutboxParts, Yes } from './parts.ts'
import { createSuccessors } from './successors.ts'
import { createWaiters, type Held, type Settled } from './waiters.ts'

/** What the pages see of the queue. */
export interface OutboxState {
  readonly operations: readonly Operation[]
  /** The operation on its way, and how much of its picture is up (0 to 1). */
  readonly sending?: { readonly id: string; readonly progress: number }
  readonly needsLogin: boolean
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

const firstDelayMs = 1_000
const longestDelayMs = 60_000
/** The operation to send next, if any, and those that just got too old to be sent. */
interface Claim {
  readonly claimed?: Operation
  readonly expired: readonly Operation[]
  readonly held: readonly Held[]
}

export type Outbox = ReturnType<typeof createOutbox>

/** The queue of changes: keeps each on disk before saying so, and sends them one at a time, in order, from one page of the browser. */
export function createOutbox(parts: OutboxParts) {
  const { store } = parts
  const waiters = createWaiters()
  const successors = createSuccessors()
  const readers = new Set<() => void>()
  let state: OutboxState = { operations: [], needsLogin: false }
  let failures = 0
  let isWaiting = false
  let turn = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  const pages = createPages({
    onChanged: async () => {
      await refresh()
      wake()
    },
    // Shown before the change leaves the queue, as on the page that sent it.
    onApplied: async ({ operation, answer }) => {
      await noteApplied(operation, answer, false)
      waiters.tell(operation.id, { is: 'done' })
    },
    log: parts.log,
  })

  function show(next: OutboxState): void {
    state = next
    for (const reader of readers) reader()
  }

  function stopSending(): void {
    const { sending: _, ...idle } = state
    show(idle)
  }

  async function refresh(): Promise<void> {
    show({ ...state, operations: await store.read() })
  }

  /** After a change of the kept queue: this page and the others look at it again. */
  async function publish(): Promise<void> {
    await refresh()
    pages.tell('changed')
  }

  async function noteApplied(operation: Operation, answer: Yes, isLate: boolean): Promise<void> {
    successors.note(operation, answer.version)
    await parts.onApplied({ operation, json: answer.json, isLate })
  }

  async function add(
    change: Operation,
    { picture, onProgress = () => undefined }: AddOptions = {},
  ): Promise<Settled> {
    const { promise: settled, resolve } = Promise.withResolvers<Settled>()
    const operation = successors.rebase(change)
    const carrier = await store.update((operations) => {
      const folded = fold(operations, operation)
      const orphans = Object.fromEntries(folded.orphans.map((id) => [id, undefined]))
      const kept = picture && folded.carrier ? { [folded.carrier.id]: picture } : {}
      // Before it is stored: another turn of sending may take it at once.
      if (folded.carrier) waiters.add(folded.carrier, operation, { settle: resolve, onProgress })
      const pictures = { ...orphans, ...kept }
      return { operations: folded.operations, pictures, result: folded.carrier }
    })
    await publish()
    if (!carrier) return { is: 'done' }
    if (parts.isOnline()) kick()
    else waiters.tell(carrier.id, { is: 'queued' })
    return settled
  }

  /** As `kick`, but not without a network: what was never handed to it can still be merged away. */
  function wake(): void {
    if (parts.isOnline()) kick()
  }

  /** Sends what may be sent, unless this page already waits for its turn to. */
  function kick(): void {
    void flush()
  }

  /** As `kick`; resolves once sending has stopped, with nothing left or because something is in the way. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    if (isWaiting) return turn
    isWaiting = true
    turn = inTurn('tintero-outbox-drain', async () => {
      isWaiting = false
      try {
        await drain()
      } catch (error) {
        parts.log('The queue of changes could not be read or written', error)
        waiters.tellAll({ is: 'queued' })
        timer = setTimeout(wake, longestDelayMs)
      }
      stopSending()
      parts.onIdle()
    })
    return turn
  }

  async function drain(): Promise<void> {
    for (;;) {
      const { claimed: operation, held } = await claim()
      if (!operation) return tellHeld(held)
      const { nextTryAt: _, ...rest } = state
      show({ ...rest, sending: { id: operation.id, progress: 0 } })
      const picture = operation.image ? await store.picture(operation.id) : undefined
      const answer = await parts.send(operation, picture, (progress) => {
        show({ ...state, sending: { id: operation.id, progress } })
        waiters.progress(operation.id, progress)
      })
      if (!(await take(operation, answer))) return
    }
  }

  /** Nothing can be sent; those who wait for the login go on waiting. */
  function tellHeld(held: readonly Held[]): void {
    if (!state.needsLogin) waiters.tellHeld(held)
  }

  /** The next operation, counted as tried before it leaves: from then on the server may know of it. */
  async function claim(): Promise<Claim> {
    const result = await store.update<Claim>((kept) => {
      const operations = expire(kept, Date.now())
      const expired = operations.filter((operation) => !kept.includes(operation))
      const next = nextToSend(operations, { isOwner: parts.isOwner() })
      if (!next) return { operations, result: { expired, held: waiters.heldIn(operations) } }
      const claimed = { ...next, tries: next.tries + 1 }
      return {
        operations: replace(operations, next.id, claimed),
        result: { claimed, expired, held: [] },
      }
    })
    // Even when nothing is left: a page that was closed told nobody what it had sent.
    await refresh()
    for (const operation of result.expired) parts.onStopped?.(operation)
    return result
  }

  /** Keeps what an answer means; whether sending may go on after it. */
  async function take(operation: Operation, answer: Answer): Promise<boolean> {
    if (answer.is === 'later') return postpone(answer)
    failures = 0
    if (answer.is === 'login') {
      show({ ...state, needsLogin: true })
      return false
    }
    if (answer.is === 'refused') await keepRefusal(operation, answer.refusal)
    else await forgetApplied(operation, answer)
    return true
  }

  async function forgetApplied(operation: Operation, answer: Yes): Promise<void> {
    await noteApplied(operation, answer, !waiters.has(operation.id))
    pages.tell({ operation, answer })
    await store.update((operations) => ({
      operations: settle(operations, operation, answer.version),
      pictures: { [operation.id]: undefined },
      result: undefined,
    }))
    await publish()
    waiters.tell(operation.id, { is: 'done' })
  }

  /**
   * Somebody with the form still open gets the change back, unless others were built on it; otherwise it waits, with the
   * reason, for the person's word.
   */
  async function keepRefusal(operation: Operation, refusal: Refusal): Promise<void> {
    const { id } = operation
    const isWaitedFor = waiters.has(id)
    const isHandedBack = await store.update((operations) =>
      waiters.canHaveBack(operation, operations)
        ? { operations: without(operations, id), pictures: { [id]: undefined }, result: true }
        : { operations: replace(operations, id, { ...operation, refusal }), result: false },
    )
    // Whoever watches would take one that leaves the queue while it is sent for done.
    stopSending()
    await publish()
    if (!isWaitedFor) parts.onStopped?.(operation)
    waiters.tell(id, isHandedBack ? { is: 'refused', refusal } : { is: 'failed' })
  }

  /** Tries again later, after a longer while each time. */
  function postpone({ isTrouble, afterMs }: Extract<Answer, { is: 'later' }>): false {
    const delay = afterMs ?? Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
    failures++
    show({ ...state, nextTryAt: Date.now() + delay })
    timer = setTimeout(wake, delay)
    waiters.stopped(isTrouble)
    return false
  }

  /** Sends a refused operation again, with `change` applied first: another base version, other values or a new date. */
  async function retry(
    id: string,
    change: Partial<Pick<Operation, 'values' | 'version' | 'madeAt'>> = {},
  ) {
    await store.update((operations) => ({
      operations: operations.map((operation) => {
        if (operation.id !== id) return operation
        const { refusal: _, ...rest } = operation
        // Merged: another page may have added a change meanwhile.
        return { ...rest, ...change, values: { ...rest.values, ...change.values } }
      }),
      result: undefined,
    }))
    await publish()
    failures = 0
    kick()
  }

  /** Forgets an operation, its pictures and what was built on it: only ever by the person's word. */
  async function discard(id: string): Promise<void> {
    const gone = await store.update((operations) => {
      const dropped = discarded(operations, id)
      return {
        operations: operations.filter((operation) => !dropped.includes(operation)),
        pictures: Object.fromEntries(dropped.map((operation) => [operation.id, undefined])),
        result: dropped,
      }
    })
    await publish()
    for (const operation of gone) waiters.tell(operation.id, { is: 'failed' })
    kick()
  }

  /** Follows the other pages and sends what an earlier visit left; resolves once its changes can be shown. */
  async function start(): Promise<void> {
    pages.follow()
    await refresh()
    wake()
  }

  /** The request to sign in was answered: what waited goes now, or is left in the queue. */
  function answerLogin(isRenewed: boolean): void {
    show({ ...state, needsLogin: !isRenewed })
    if (isRenewed) return kick()
    waiters.tellAll({ is: 'queued' })
  }

  return {
    add,
    answerLogin,
    discard,
    flush,
    kick,
    retry,
    start,
    wake,
    getState: () => state,
    picture: (id: string) => store.picture(id),
    subscribe(reader: () => void) {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}

interface AddOptions {
  readonly picture?: Blob | undefined
  readonly onProgress?: ((share: number) => void) | undefined
}

function replace(operations: readonly Operation[], id: string, by: Operation) {
  return operations.map((operation) => (operation.id === id ? by : operation))
}

function without(operations: readonly Operation[], id: string): readonly Operation[] {
  return operations.filter((operation) => operation.id !== id)
}
