import { inTurn } from '#client/platform/in-turn.ts'
import type { Claims, Done } from './claims.ts'
import type { LiveState } from './live-state.ts'
import { pictureId, replace, without, type Operation, type Refusal } from './operation.ts'
import type { Answer, OutboxParts, Yes } from './parts.ts'
import type { Update } from './store.ts'
import type { Waiters } from './waiters.ts'

const firstDelayMs = 1_000
const longestDelayMs = 60_000

interface DeliveryParts {
  readonly parts: OutboxParts
  readonly live: LiveState
  readonly waiters: Waiters
  /** Told of the server's yes before the operation leaves the queue. */
  readonly onApplied: (operation: Operation, answer: Yes) => Promise<void>
  /** Shows the kept queue anew, here and on the other pages. */
  readonly publish: () => Promise<void>
  readonly claims: Claims
}

/** An operation on its way out, and the one before it when that still has to be shown and taken out of the queue. */
interface Leaving {
  readonly operation: Operation
  readonly done?: Done
}

/** Sends the queue's operations one at a time, in order, from one page of the browser, and keeps what each answer means. */
export function createDelivery(room: DeliveryParts) {
  const { parts, live, waiters, claims, onApplied, publish } = room
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
    turn = inTurn('tintero-outbox-drain', () => {
      isWaiting = false
      return parts.whileSending(sendAll)
    })
    return turn
  }

  async function sendAll(): Promise<void> {
    try {
      await drain()
    } catch (error) {
      parts.log('The queue of changes could not be read or written', error)
      waiters.tellAll({ is: 'queued' })
      timer = setTimeout(wake, longestDelayMs)
    }
    live.stopSending()
    parts.onIdle()
  }

  async function drain(): Promise<void> {
    let leaving = await claim()
    while (leaving) leaving = await send(leaving)
  }

  async function claim(done?: Done): Promise<Leaving | undefined> {
    const { claimed, held } = await claims.next(done)
    if (claimed) return { operation: claimed }
    // Those who wait for the login go on waiting.
    if (!live.get().needsLogin) waiters.tellHeld(held)
    return undefined
  }

  /** Resolves to what is to leave next. No answer is looked at before what came earlier is shown and out of the queue. */
  async function send({ operation, done }: Leaving): Promise<Leaving | undefined> {
    const [sent, settled] = await Promise.allSettled([handOver(operation), settleMeanwhile()])
    const counted = settled.status === 'fulfilled' ? settled.value : undefined
    if (sent.status === 'rejected' || settled.status === 'rejected') {
      if (counted) await claims.release(counted)
      throw sent.status === 'rejected' ? sent.reason : new Error('not settled', { cause: settled })
    }
    const answer = sent.value
    if (answer.is !== 'applied') {
      if (counted) await claims.release(counted)
      return (await take(operation, answer)) ? claim() : undefined
    }
    failures = 0
    const arrived = { operation, answer }
    const next = counted && (await claims.stillNext(counted, arrived))
    if (next) return { operation: next, done: arrived }
    if (counted) await claims.release(counted)
    await onApplied(operation, answer)
    return claim(arrived)

    async function settleMeanwhile(): Promise<Operation | undefined> {
      if (done) await onApplied(done.operation, done.answer)
      return claims.ahead(operation, done)
    }
  }

  async function handOver(operation: Operation): Promise<Answer> {
    return parts.send(operation, {
      picture: operation.image ? await store.picture(pictureId(operation)) : undefined,
      onProgress: (progress) => {
        live.show({ ...live.get(), sending: { id: operation.id, progress } })
        waiters.progress(operation.id, progress)
      },
      keepAddress: (address) => store.update((kept) => withAddress(kept, operation, address)),
    })
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
    const isHandedBack = await store.update((operations) => {
      if (!waiters.canHaveBack(operation, operations)) {
        return { operations: replace(operations, id, { ...operation, refusal }), result: false }
      }
      parts.onHeld?.(operation, false)
      const pictures = { [pictureId(operation)]: undefined }
      return { operations: without(operations, id), pictures, result: true }
    })
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
