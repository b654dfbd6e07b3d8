import type { QueueState } from './queue-state.ts'
import { isForeign, isSameSubject, type Operation } from './operation.ts'
import {
  adopt,
  forgottenPictures,
  markExpired,
  nextToSend,
  replace,
  settle,
} from './queue-rules.ts'
import type { AcceptedOperation, OutboxPorts } from './ports.ts'
import type { Pauses } from './pauses.ts'
import type { PendingCallers, StillWaiting } from './pending-callers.ts'

/** The operation to send next, if any, and those that just got too old to be sent. */
interface Reservation {
  readonly reserved?: Operation
  /** The queue as it is kept now. */
  readonly operations: readonly Operation[]
  readonly expired: readonly Operation[]
  /** Who waits although nothing can be sent. */
  readonly waiting: readonly StillWaiting[]
}

export type Reservations = ReturnType<typeof createReservations>

interface ReservationOptions {
  readonly ports: OutboxPorts
  readonly queue: QueueState
  readonly callers: PendingCallers
  readonly pauses: Pauses
  /** Has the other tabs look at the kept queue. */
  readonly tellTabs: () => void
}

/**
 * Which operation leaves next. Each is counted as tried on disk before it leaves: from then on the server may know of it,
 * and nothing is merged into it any more. What was `done` before it leaves the queue in the same turn.
 */
export function createReservations(options: ReservationOptions) {
  const { ports, queue, callers, pauses, tellTabs } = options
  const { store } = ports

  /** After «later» on the sign-in question, a retry must not ask again. */
  function nextOf(operations: readonly Operation[]): Operation | undefined {
    const isOwner = ports.isOwner() && !queue.get().needsLogin
    const account = ports.account?.()
    return nextToSend(
      operations.filter((operation) => !isForeign(operation, account)),
      ({ subject }) => (isOwner || subject.on === 'message') && !pauses.delays(subject),
    )
  }

  /** Takes `done` out and counts the operation that may be sent then; only expired messages change beside. */
  async function reserveNext(done?: AcceptedOperation): Promise<Reservation> {
    const result = await store.update<Reservation>((kept) => {
      const operations = adopt(markExpired(left(kept, done), Date.now()), ports.account?.())
      const expired = operations.filter(
        ({ id, refusal }) => refusal && !kept.some((old) => old.id === id && old.refusal),
      )
      const found = nextOf(operations)
      const reserved = found && tried(found, 1)
      const shown = reserved ? replace(operations, reserved.id, reserved) : operations
      const waiting = reserved ? [] : callers.stillWaiting(operations, pauses.delaysShortly)
      const reservation = { operations: shown, expired, waiting, ...(reserved && { reserved }) }
      return { operations: shown, pictures: picturesOf(done), result: reservation }
    })
    show(result.operations, { sending: result.reserved, done })
    for (const operation of result.expired) ports.onStopped?.(operation)
    return result
  }

  /**
   * While `sending` is on its way: takes `done` out and counts the one behind already, so that the disk does not stand
   * between an answer and the next request. Not one on the same subject, which has to wait for the version of its forerunner.
   */
  async function prefetchNext(
    sending: Operation,
    done: AcceptedOperation | undefined,
  ): Promise<Operation | undefined> {
    if (!done && queue.get().operations.length < 2) return undefined
    const { reserved, operations } = await store.update((kept) => {
      const rest = left(kept, done)
      const found = nextOf(rest.filter(({ id }) => id !== sending.id))
      const mayLeave = found && !isSameSubject(found.subject, sending.subject)
      const counted = mayLeave ? tried(found, 1) : undefined
      const shown = counted ? replace(rest, counted.id, counted) : rest
      const result = { operations: shown, ...(counted && { reserved: counted }) }
      return { operations: shown, pictures: picturesOf(done), result }
    })
    show(operations, { sending, done })
    return reserved
  }

  /** The operation counted ahead, as it is kept now, if it is still the one to send once `done` is out. */
  async function isStillNext(
    counted: Operation,
    done: AcceptedOperation,
  ): Promise<Operation | undefined> {
    const found = nextOf(left(await store.read(), done))
    return found?.id === counted.id ? found : undefined
  }

  /** Undoes `prefetchNext` for one that did not leave; of one that came back since, nobody knows how often it had left. */
  async function release(counted: Operation): Promise<void> {
    await store.update((operations) => ({
      operations: operations.map((operation) =>
        operation.id === counted.id && !operation.refusal ? tried(operation, -1) : operation,
      ),
      result: undefined,
    }))
    await queue.refresh()
  }

  function show(
    operations: readonly Operation[],
    { sending, done }: { sending: Operation | undefined; done: AcceptedOperation | undefined },
  ): void {
    // Even when nothing is left: a page that was closed told nobody what it had sent.
    queue.advance({ operations, sending: sending?.id, applied: done?.operation.id })
    if (!done) return
    tellTabs()
    callers.tell(done.operation.id, { state: 'saved' })
  }

  return { reserveNext, prefetchNext, isStillNext, release }
}

function tried(operation: Operation, more: 1 | -1): Operation {
  return { ...operation, tries: Math.max(0, operation.tries + more) }
}

function left(
  operations: readonly Operation[],
  done: AcceptedOperation | undefined,
): readonly Operation[] {
  return done ? settle(operations, done.operation, done.answer.version) : operations
}

function picturesOf(done: AcceptedOperation | undefined): Readonly<Record<string, undefined>> {
  return done?.operation.image ? forgottenPictures([done.operation]) : {}
}
