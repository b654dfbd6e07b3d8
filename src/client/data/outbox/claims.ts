import type { LiveState } from './live-state.ts'
import {
  expire,
  isSameSubject,
  nextToSend,
  pictureId,
  replace,
  settle,
  type Operation,
} from './operation.ts'
import type { OutboxParts, Yes } from './parts.ts'
import type { Held, Waiters } from './waiters.ts'

/** An operation that the server has taken and that still stands in the queue. */
export interface Done {
  readonly operation: Operation
  readonly answer: Yes
}

/** The operation to send next, if any, and those that just got too old to be sent. */
interface Claim {
  readonly claimed?: Operation
  /** The queue as it is kept now. */
  readonly operations: readonly Operation[]
  readonly expired: readonly Operation[]
  readonly held: readonly Held[]
}

export type Claims = ReturnType<typeof createClaims>

interface ClaimsParts {
  readonly parts: OutboxParts
  readonly live: LiveState
  readonly waiters: Waiters
  /** Has the other pages look at the kept queue. */
  readonly tellPages: () => void
}

/**
 * Which operation leaves next. Each is counted as tried on disk before it leaves: from then on the server may know of it,
 * and nothing is merged into it any more. What was `done` before it leaves the queue in the same turn.
 */
export function createClaims({ parts, live, waiters, tellPages }: ClaimsParts) {
  const { store } = parts

  /** Once she has put off signing in, trying again would only ask her again. */
  function nextOf(operations: readonly Operation[]): Operation | undefined {
    return nextToSend(operations, { isOwner: parts.isOwner() && !live.get().needsLogin })
  }

  /** Takes `done` out and counts the operation that may be sent then; only expired messages change beside. */
  async function next(done?: Done): Promise<Claim> {
    const result = await store.update<Claim>((kept) => {
      const operations = expire(left(kept, done), Date.now())
      const expired = operations.filter(
        (operation) => operation.refusal && !kept.includes(operation),
      )
      const found = nextOf(operations)
      const claimed = found && tried(found, 1)
      const shown = claimed ? replace(operations, claimed.id, claimed) : operations
      const held = claimed ? [] : waiters.heldIn(operations)
      const claim = { operations: shown, expired, held, ...(claimed && { claimed }) }
      return { operations: shown, pictures: picturesOf(done), result: claim }
    })
    show(result.operations, { sending: result.claimed, done })
    for (const operation of result.expired) parts.onStopped?.(operation)
    return result
  }

  /**
   * While `sending` is on its way: takes `done` out and counts the one behind already, so that the disk does not stand
   * between an answer and the next request. Not one on the same subject, which has to wait for the version of its forerunner.
   */
  async function ahead(sending: Operation, done: Done | undefined): Promise<Operation | undefined> {
    if (!done && live.get().operations.length < 2) return undefined
    const { claimed, operations } = await store.update((kept) => {
      const rest = left(kept, done)
      const found = nextOf(rest.filter(({ id }) => id !== sending.id))
      const mayLeave = found && !isSameSubject(found.subject, sending.subject)
      const counted = mayLeave ? tried(found, 1) : undefined
      const shown = counted ? replace(rest, counted.id, counted) : rest
      const result = { operations: shown, ...(counted && { claimed: counted }) }
      return { operations: shown, pictures: picturesOf(done), result }
    })
    show(operations, { sending, done })
    return claimed
  }

  /** The operation counted ahead, as it is kept now, if it is still the one to send once `done` is out. */
  async function stillNext(counted: Operation, done: Done): Promise<Operation | undefined> {
    const found = nextOf(left(await store.read(), done))
    return found?.id === counted.id ? found : undefined
  }

  /** Undoes `ahead` for one that did not leave. */
  async function release(counted: Operation): Promise<void> {
    await store.update((operations) => ({
      operations: operations.map((operation) =>
        operation.id === counted.id ? tried(operation, -1) : operation,
      ),
      result: undefined,
    }))
    await live.refresh()
  }

  function show(
    operations: readonly Operation[],
    { sending, done }: { sending: Operation | undefined; done: Done | undefined },
  ): void {
    // Even when nothing is left: a page that was closed told nobody what it had sent.
    live.take({ operations, sending: sending?.id, applied: done?.operation.id })
    if (!done) return
    tellPages()
    waiters.tell(done.operation.id, { is: 'done' })
  }

  return { next, ahead, stillNext, release }
}

function tried(operation: Operation, more: 1 | -1): Operation {
  return { ...operation, tries: Math.max(0, operation.tries + more) }
}

function left(operations: readonly Operation[], done: Done | undefined): readonly Operation[] {
  return done ? settle(operations, done.operation, done.answer.version) : operations
}

function picturesOf(done: Done | undefined): Readonly<Record<string, undefined>> {
  return done?.operation.image ? { [pictureId(done.operation)]: undefined } : {}
}
