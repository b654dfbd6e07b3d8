import { inTurn } from '#client/platform/in-turn.ts'
import { expire, fold, nextToSend, settle, type Operation, type Refusal } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** What became of one attempt to send an operation. */
export type Answer =
  | { readonly is: 'applied'; readonly json?: unknown; readonly version?: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** No answer, or (`isTrouble`) one that says to come back: the operation stays as it is. */
  | { readonly is: 'later'; readonly isTrouble: boolean; readonly afterMs?: number }
  /** The session is over; nothing of the owner's is sent until she signs in again. */
  | { readonly is: 'login' }

/** How whoever made a change hears of it first. */
export type Settled =
  | { readonly is: 'done' }
  /** The server's no; the operation is the form's again and not in the queue any more. */
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'queued' }
  /** The server answers, but with trouble; the operation stays in the queue. */
  | { readonly is: 'failed' }

export interface OutboxParts {
  readonly store: OutboxStore
  /** Hands one operation to the server; must not reject. */
  readonly send: (
    operation: Operation,
    picture: Blob | undefined,
    onProgress: (share: number) => void,
  ) => Promise<Answer>
  readonly isOwner: () => boolean
  readonly isOnline: () => boolean
  /** Told of an applied operation before it leaves the queue; `isLate` when its maker was told that it waits. */
  readonly onApplied: (applied: Applied) => Promise<void>
  /** Told of an operation that was stopped, by the server or by its age, while nobody waited for it. */
  readonly onStopped?: (operation: Operation) => void
  /** Told when sending stops, for whatever reason. */
  readonly onIdle: () => void
  readonly log: (what: string, cause: unknown) => void
}

export interface Applied {
  readonly operation: Operation
  readonly json: unknown
  readonly isLate: boolean
}

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
/** After so many answers of trouble whoever waits is told. */
const patience = 3

interface Waiter {
  readonly settle: (settled: Settled) => void
  readonly onProgress: (share: number) => void
  /** Whether the operation carries only this change, so that a refusal may hand it back. */
  readonly isAlone: boolean
  troubles: number
}

/** The operation to send next, if any, and those that just got too old to be sent. */
interface Claim {
  readonly claimed?: Operation
  readonly expired: readonly Operation[]
}

export type Outbox = ReturnType<typeof createOutbox>

/** The queue of changes: keeps each on disk before saying so, and sends them one at a time, in order, from one page of the browser. */
export function createOutbox(parts: OutboxParts) {
  const { store } = parts
  const waiters = new Map<string, Waiter>()
  const readers = new Set<() => void>()
  let state: OutboxState = { operations: [], needsLogin: false }
  let failures = 0
  let isWaiting = false
  let turn = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: BroadcastChannel | undefined

  function show(next: OutboxState): void {
    state = next
    for (const reader of readers) reader()
  }

  async function refresh(): Promise<void> {
    show({ ...state, operations: await store.read() })
  }

  /** After a change of the kept queue: this page and the others look at it again. */
  async function publish(): Promise<void> {
    await refresh()
    channel?.postMessage('changed')
  }

  async function add(
    operation: Operation,
    { picture, onProgress = () => undefined }: AddOptions = {},
  ): Promise<Settled> {
    const { promise: settled, resolve } = Promise.withResolvers<Settled>()
    const carrier = await store.update((operations) => {
      const folded = fold(operations, operation)
      const orphans = Object.fromEntries(folded.orphans.map((id) => [id, undefined]))
      const kept = picture && folded.carrier ? { [folded.carrier.id]: picture } : {}
      // Before it is stored: another turn of sending may take it at once.
      if (folded.carrier) wait(folded.carrier.id, { settle: resolve, onProgress, operation })
      const pictures = { ...orphans, ...kept }
      return { operations: folded.operations, pictures, result: folded.carrier }
    })
    await publish()
    if (!carrier) return { is: 'done' }
    if (parts.isOnline()) kick()
    else tell(carrier.id, { is: 'queued' })
    return settled
  }

  function wait(
    id: string,
    { operation, ...waiter }: Omit<Waiter, 'isAlone' | 'troubles'> & { operation: Operation },
  ): void {
    tell(id, { is: 'queued' })
    waiters.set(id, { ...waiter, isAlone: id === operation.id, troubles: 0 })
  }

  function tell(id: string, settled: Settled): void {
    waiters.get(id)?.settle(settled)
    waiters.delete(id)
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
        for (const id of [...waiters.keys()]) tell(id, { is: 'queued' })
      }
      const { sending: _, ...idle } = state
      show(idle)
      parts.onIdle()
    })
    return turn
  }

  async function drain(): Promise<void> {
    for (;;) {
      const operation = await claim()
      if (!operation) return tellHeld()
      const { nextTryAt: _, ...rest } = state
      show({ ...rest, sending: { id: operation.id, progress: 0 } })
      const picture = operation.image ? await store.picture(operation.id) : undefined
      const answer = await parts.send(operation, picture, (progress) => {
        show({ ...state, sending: { id: operation.id, progress } })
        waiters.get(operation.id)?.onProgress(progress)
      })
      if (!(await take(operation, answer))) return
    }
  }

  /** Nothing can be sent: whoever still waits does so behind a refused change, unless it is for the login. */
  function tellHeld(): void {
    if (state.needsLogin) return
    for (const id of [...waiters.keys()]) tell(id, { is: 'queued' })
  }

  /** The next operation, counted as tried before it leaves: from then on the server may know of it. */
  async function claim(): Promise<Operation | undefined> {
    const { claimed, expired } = await store.update<Claim>((kept) => {
      const operations = expire(kept, Date.now())
      const old = operations.filter((operation) => !kept.includes(operation))
      const next = nextToSend(operations, { isOwner: parts.isOwner() })
      if (!next) return { operations, result: { expired: old } }
      const tried = { ...next, tries: next.tries + 1 }
      return {
        operations: replace(operations, next.id, tried),
        result: { claimed: tried, expired: old },
      }
    })
    if (claimed ?? expired[0]) await refresh()
    for (const operation of expired) parts.onStopped?.(operation)
    return claimed
  }

  /** Keeps what an answer means; whether sending may go on after it. */
  async function take(operation: Operation, answer: Answer): Promise<boolean> {
    if (answer.is === 'later') return postpone(operation, answer)
    failures = 0
    if (answer.is === 'login') {
      show({ ...state, needsLogin: true })
      return false
    }
    if (answer.is === 'refused') await keepRefusal(operation, answer.refusal)
    else await forgetApplied(operation, answer)
    return true
  }

  async function forgetApplied(
    operation: Operation,
    { json, version }: Extract<Answer, { is: 'applied' }>,
  ): Promise<void> {
    await parts.onApplied({ operation, json, isLate: !waiters.has(operation.id) })
    await store.update((operations) => ({
      operations: settle(operations, operation, version),
      pictures: { [operation.id]: undefined },
      result: undefined,
    }))
    await publish()
    tell(operation.id, { is: 'done' })
  }

  /** Somebody with the form still open gets the change back; otherwise it waits, with the reason, for the person's word. */
  async function keepRefusal(operation: Operation, refusal: Refusal): Promise<void> {
    const waiter = waiters.get(operation.id)
    if (waiter?.isAlone) {
      await forgetNow(operation.id)
      return tell(operation.id, { is: 'refused', refusal })
    }
    await store.update((operations) => ({
      operations: replace(operations, operation.id, { ...operation, refusal }),
      result: undefined,
    }))
    await publish()
    if (!waiter) parts.onStopped?.(operation)
    tell(operation.id, { is: 'failed' })
  }

  function postpone(operation: Operation, answer: Extract<Answer, { is: 'later' }>): false {
    const delay = answer.afterMs ?? Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
    failures++
    show({ ...state, nextTryAt: Date.now() + delay })
    timer = setTimeout(kick, delay)
    const waiter = waiters.get(operation.id)
    if (!answer.isTrouble) tell(operation.id, { is: 'queued' })
    else if (waiter && ++waiter.troubles >= patience) tell(operation.id, { is: 'failed' })
    return false
  }

  async function forgetNow(id: string): Promise<void> {
    await store.update((operations) => ({
      operations: operations.filter((operation) => operation.id !== id),
      pictures: { [id]: undefined },
      result: undefined,
    }))
    await publish()
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
        return { ...rest, ...change }
      }),
      result: undefined,
    }))
    await publish()
    failures = 0
    kick()
  }

  /** Forgets an operation and its picture: only ever by the person's word. */
  async function discard(id: string): Promise<void> {
    await forgetNow(id)
    tell(id, { is: 'failed' })
    kick()
  }

  /** Follows the other pages and sends what an earlier visit left; resolves once its changes can be shown. */
  async function start(): Promise<void> {
    channel = new BroadcastChannel('tintero-outbox')
    channel.onmessage = () => void refresh().then(kick)
    await refresh()
    kick()
  }

  /** The request to sign in was answered: what waited goes now, or is left in the queue. */
  function answerLogin(isRenewed: boolean): void {
    show({ ...state, needsLogin: !isRenewed })
    if (isRenewed) return kick()
    for (const id of [...waiters.keys()]) tell(id, { is: 'queued' })
  }

  return {
    add,
    answerLogin,
    discard,
    flush,
    kick,
    retry,
    start,
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
