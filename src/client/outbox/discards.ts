import { v7 as newId } from 'uuid'
import { isSameThing, mayBeDone, type Operation } from './operation.ts'
import type { Discarded } from './other-tabs.ts'
import type { OutboxPorts } from './ports.ts'
import { discarded, forgottenPictures } from './queue-rules.ts'
import type { QueueState } from './queue-state.ts'
import type { Update } from './store.ts'

interface DiscardOptions {
  readonly ports: Pick<OutboxPorts, 'store' | 'isKept' | 'isLeft' | 'log'>
  readonly queue: Pick<QueueState, 'get'>
  /** Says it to whoever waits for these, in the turn that takes them out. */
  readonly tellDiscarded: (dropped: Discarded) => void
  readonly showEverywhere: () => Promise<void>
  /** Sends what stood behind what is gone. */
  readonly drain: () => void
}

/** Takes operations out of the queue before they are sent. */
export function createDiscards(options: DiscardOptions) {
  const { ports, queue, tellDiscarded, showEverywhere, drain } = options
  const { store } = ports

  /**
   * Forgets an operation, its pictures and what was built on it: only ever by the person's word, and with `isUndone` only while
   * the server cannot have done it. A new entry that it may have is to be removed there. Resolves to false where the device
   * does not forget it, so that it waits on.
   */
  async function discard(id: string, isUndone = false): Promise<boolean> {
    const isGone = await forget([id], (operations) =>
      isUndone && operations.some((one) => one.id === id && mayBeDone(one))
        ? { operations, result: undefined }
        : without(operations, id),
    )
    drain()
    return isGone
  }

  /**
   * Forgets an operation as `discard` does, on this page at least, because its maker has it again. With `tries`, only one that
   * has not been tried more often by now; resolves to whether.
   */
  async function takeBack(id: string, tries = Infinity): Promise<boolean> {
    const isBack = await store.update((operations) =>
      operations.some((operation) => operation.id === id && operation.tries > tries)
        ? { operations, result: false }
        : { ...without(operations, id), result: true },
    )
    await showEverywhere()
    drain()
    return isBack
  }

  /** The queue without an operation and what was built on it. */
  function without(operations: readonly Operation[], id: string): Update<void> {
    const dropped = discarded(operations, id)
    tellDiscarded({ discarded: dropped.map((operation) => operation.id), because: 'trouble' })
    const left = operations.flatMap((operation) => {
      if (!dropped.includes(operation)) return [operation]
      const isRemoved = operations.some(
        (other) => other.verb === 'remove' && isSameThing(other, operation),
      )
      return mayBeThere(operation) && !isRemoved ? [removalOf(operation, newId())] : []
    })
    return { operations: left, pictures: forgottenPictures(dropped), result: undefined }
  }

  /**
   * Forgets what another account left on this device, with its pictures: only ever by the person's word. Resolves to false where
   * the device does not forget it.
   */
  function discardOf(account: string): Promise<boolean> {
    const isTheirs = ({ owner }: Operation) => owner?.account === account
    const ids = (queue.get().others ?? []).filter(isTheirs).map(({ id }) => id)
    return forget(ids, (operations) => {
      const dropped = operations.filter(isTheirs)
      tellDiscarded({ discarded: dropped.map(({ id }) => id), because: 'trouble' })
      return {
        operations: operations.filter((operation) => !dropped.includes(operation)),
        pictures: forgottenPictures(dropped),
        result: undefined,
      }
    })
  }

  /** Resolves to false, with nothing changed, where the device has any of these and refuses: the next page would send it. */
  async function forget(
    ids: readonly string[],
    turn: (operations: readonly Operation[]) => Update<void>,
  ): Promise<boolean> {
    try {
      await store.update(turn, true)
    } catch (cause) {
      const isLeft = ports.isKept?.() !== false || (await ports.isLeft?.(ids))
      if (isLeft) {
        ports.log('The device does not forget what was discarded', cause)
        return false
      }
      await store.update(turn) // This page alone has it.
    }
    await showEverywhere()
    return true
  }

  return { discard, discardOf, takeBack }
}

/** Whether the server may have the new entry although nobody heard so. */
function mayBeThere(operation: Operation): boolean {
  const { subject, verb } = operation
  const isOneOfMany = subject.on === 'entry' || subject.on === 'resume'
  return isOneOfMany && verb === 'create' && mayBeDone(operation)
}

/** The remove, of this id, of a new entry that the server may have; it is done only while the entry is as it was made. */
function removalOf({ subject, values, label, owner }: Operation, id: string): Operation {
  const madeAt = new Date().toISOString()
  const removal = { id, subject, verb: 'remove', values, label } as const
  return { ...removal, madeAt, tries: 0, ...(owner && { owner }) }
}
