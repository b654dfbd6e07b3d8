import { inTurn } from '#client/platform/in-turn.ts'
import type { LiveState } from './live-state.ts'
import {
  expire,
  nextToSend,
  pictureId,
  replace,
  settle,
  without,
  type Operation,
  type Refusal,
} from './operation.ts'
import type { Answer, OutboxParts, Yes } from './parts.ts'
import type { Update } from './store.ts'
import type { Held, Waiters } from './waiters.ts'

const firstDelayMs = 1_000
const longestDelayMs = 60_000

/** The operation to send next, if any, and those that just got too old to be sent. */
interface Claim {
  readonly claimed?: Operation
  /** The queue as it is kept now. */
  readonly operations: readonly Operation[]
  readonly expired: readonly Operation[]
  readonly held: readonly Held[]
}

/** An operation that the server has taken and that still stands in the queue. */
interface Done {
  readonly operation: Operation
  readonly answer: Yes
}

interface DeliveryParts {
  readonly parts: OutboxParts
  readonly live: LiveState
  readonly waiters: Waiters
  /** Told of the server's yes before the operation leaves the queue. */
  readonly onApplied: (operation: Operation, answer: Yes) => Promise<void>
  /** Shows the kept queue anew, here and on the other pages. */
  readonly publish: () => Promise<void>
  /** Has the other pages look at the kept queue. */
  readonly tellPages: () => void
}

/** Sends the queue's operations one at a time, in order, from one page of the browser, and keeps what each answer means. */
export function createDelivery(room: DeliveryParts) {
  const { parts, live, waiters, onApplied, publish, tellPages } = room
  const { store } = parts
  let failures = 0
  let isWaiting = false
  let turn = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** As `kick`, but not without a network: what was never handed to it can still be merged away. */
  function wake(): void {
    if (parts.isOnline()) kick()
  }

  /** Sends what may be sent, unless this page already waits for its turn to. */
  function kick(): void {
    void flush()
  }

  /** As `flush`, by the person's own word: hers go again, so that she is asked once more to sign in if need be. */
  function insist(): Promise<void> {
    if (live.get().needsLogin && parts.isOwner()) live.show({ ...live.get(), needsLogin: false })
    return flush()
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
      live.stopSending()
      parts.onIdle()
    })
    return turn
  }

  async function drain(): Promise<void> {
    let done: Done | undefined
    for (;;) {
      const { claimed: operation, held } = await claim(done)
      done = undefined
      if (!operation) return tellHeld(held)
      const picture = operation.image ? await store.picture(pictureId(operation)) : undefined
      const answer = await parts.send(operation, {
        picture,
        onProgress: (progress) => {
          live.show({ ...live.get(), sending: { id: operation.id, progress } })
          waiters.progress(operation.id, progress)
        },
        keepAddress: (address) => store.update((kept) => withAddress(kept, operation, address)),
      })
      if (answer.is === 'applied') {
        failures = 0
        await onApplied(operation, answer)
        done = { operation, answer }
      } else if (!(await take(operation, answer))) return
    }
  }

  /** Nothing can be sent; those who wait for the login go on waiting. */
  function tellHeld(held: readonly Held[]): void {
    if (!live.get().needsLogin) waiters.tellHeld(held)
  }

  /**
   * The next operation, counted as tried before it leaves: from then on the server may know of it. What was `done` before
   * it leaves the queue in the same turn, so that a long queue costs one write for each.
   */
  async function claim(done?: Done): Promise<Claim> {
    const result = await store.update<Claim>((kept) => {
      const operations = expire(left(kept, done), Date.now())
      const expired = operations.filter(
        (operation) => operation.refusal && !kept.includes(operation),
      )
      // Once she has put off signing in, trying again would only ask her again.
      const isOwner = parts.isOwner() && !live.get().needsLogin
      const next = nextToSend(operations, { isOwner })
      const claimed = next && { ...next, tries: next.tries + 1 }
      const shown = claimed ? replace(operations, claimed.id, claimed) : operations
      const held = claimed ? [] : waiters.heldIn(operations)
      const pictures = done?.operation.image ? { [pictureId(done.operation)]: undefined } : {}
      const found = { operations: shown, expired, held, ...(claimed && { claimed }) }
      return { operations: shown, pictures, result: found }
    })
    // Even when nothing is left: a page that was closed told nobody what it had sent.
    live.take({
      operations: result.operations,
      sending: result.claimed?.id,
      applied: done?.operation.id,
    })
    if (done) {
      tellPages()
      waiters.tell(done.operation.id, { is: 'done' })
    }
    for (const operation of result.expired) parts.onStopped?.(operation)
    return result
  }

  /** Keeps what an answer other than yes means; whether sending may go on after it. */
  async function take(operation: Operation, answer: Exclude<Answer, Yes>): Promise<boolean> {
    if (answer.is === 'later') return postpone(answer)
    failures = 0
    if (answer.is === 'login') {
      live.show({ ...live.get(), needsLogin: true })
      return false
    }
    await keepRefusal(operation, answer.refusal)
    return true
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
        ? {
            operations: without(operations, id),
            pictures: { [pictureId(operation)]: undefined },
            result: true,
          }
        : { operations: replace(operations, id, { ...operation, refusal }), result: false },
    )
    await publish()
    if (!isWaitedFor) parts.onStopped?.(operation)
    waiters.tell(id, isHandedBack ? { is: 'refused', refusal } : { is: 'failed' })
  }

  /** Tries again later, after a longer while each time. */
  function postpone({ isTrouble, afterMs }: Extract<Answer, { is: 'later' }>): false {
    const delay = afterMs ?? Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
    failures++
    live.show({ ...live.get(), nextTryAt: Date.now() + delay })
    timer = setTimeout(wake, delay)
    waiters.stopped(isTrouble, delay)
    return false
  }

  return {
    insist,
    kick,
    wake,
    /** As `insist`, and counts failures anew. */
    restart: () => {
      failures = 0
      void insist()
    },
  }
}

function left(operations: readonly Operation[], done: Done | undefined): readonly Operation[] {
  return done ? settle(operations, done.operation, done.answer.version) : operations
}

/** The queue in which an operation knows where its picture is stored. */
function withAddress(
  operations: readonly Operation[],
  { id }: Operation,
  address: string,
): Update<void> {
  const kept = operations.find((operation) => operation.id === id)
  if (!kept?.image) return { operations, result: undefined }
  const placed = { ...kept, image: { ...kept.image, address } }
  return { operations: replace(operations, id, placed), result: undefined }
}
