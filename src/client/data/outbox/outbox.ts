import { createClaims } from './claims.ts'
import { createDelivery } from './delivery.ts'
import { fold } from './fold.ts'
import { createLiveState } from './live-state.ts'
import { discarded, pictureId, type Operation } from './operation.ts'
import { createPages } from './pages.ts'
import type { OutboxParts, Yes } from './parts.ts'
import { createSuccessors } from './successors.ts'
import { createWaiters, type Settled } from './waiters.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** The queue of changes: keeps each on disk before saying so, and sends them one at a time, in order, from one page of the browser. */
export function createOutbox(parts: OutboxParts) {
  const { store } = parts
  const waiters = createWaiters()
  const successors = createSuccessors()
  const live = createLiveState(store)
  const pages = createPages({
    onChanged: async () => {
      await live.refresh()
      delivery.wake()
    },
    // Shown before the change leaves the queue, as on the page that sent it.
    onApplied: async ({ operation, answer }) => {
      await noteApplied(operation, answer, false)
      waiters.tell(operation.id, { is: 'done' })
    },
    onDiscarded: (ids) => void ids.map((id) => waiters.tell(id, { is: 'failed' })),
    log: parts.log,
  })

  /** After a change of the kept queue: this page and the others look at it again. */
  async function publish(): Promise<void> {
    await live.refresh()
    tellPages()
  }

  const tellPages = () => pages.tell('changed')

  const delivery = createDelivery({
    parts,
    live,
    waiters,
    claims: createClaims({ parts, live, waiters, tellPages }),
    publish,
    onApplied: async (operation, answer) => {
      await noteApplied(operation, answer, !waiters.has(operation.id))
      pages.tell({ operation, answer })
    },
  })

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
    const { carrier, isUndecided } = await store.update((operations) => {
      const folded = fold(operations, operation)
      const orphans = Object.fromEntries(folded.orphans.map((id) => [id, undefined]))
      const kept = picture && operation.image && folded.carrier ? { [operation.id]: picture } : {}
      for (const id of folded.gathered ?? []) waiters.tell(id, { is: 'queued' })
      // Before it is stored: another turn of sending may take it at once.
      if (folded.carrier && !folded.isUndecided) {
        waiters.add(folded.carrier, operation, { settle: resolve, onProgress })
      }
      const pictures = { ...orphans, ...kept }
      return { operations: folded.operations, pictures, result: folded }
    })
    if (carrier && parts.isKept?.() !== false) parts.onHeld?.(operation, true)
    await publish()
    if (!carrier) return { is: 'done' }
    if (isUndecided) return asKept({ is: 'undecided' })
    if (parts.isOnline()) void delivery.insist()
    else waiters.tell(carrier.id, { is: 'queued' })
    return asKept(await settled)
  }

  /** What waits on a device that keeps nothing is lost with the page. */
  function asKept(settled: Settled): Settled {
    const isWaiting = settled.is !== 'done' && settled.is !== 'refused'
    return isWaiting && parts.isKept?.() === false ? { is: 'unkept' } : settled
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
    delivery.restart()
  }

  /** Forgets an operation, its pictures and what was built on it: only ever by the person's word. */
  async function discard(id: string): Promise<void> {
    await store.update((operations) => {
      const dropped = discarded(operations, id)
      // In the same turn, here and on the other pages: to a later one it looks as if another page had sent them.
      for (const operation of dropped) waiters.tell(operation.id, { is: 'failed' })
      pages.tell({ discarded: dropped.map((operation) => operation.id) })
      return {
        operations: operations.filter((operation) => !dropped.includes(operation)),
        pictures: Object.fromEntries(dropped.map((operation) => [pictureId(operation), undefined])),
        result: undefined,
      }
    })
    await publish()
    delivery.kick()
  }

  /** Follows the other pages and sends what an earlier visit left; resolves once its changes can be shown. */
  async function start(): Promise<void> {
    pages.follow()
    await live.refresh()
    delivery.wake()
  }

  /** The request to sign in was answered: what waited goes now, or is left in the queue. */
  function answerLogin(isRenewed: boolean): void {
    live.show({ ...live.get(), needsLogin: !isRenewed })
    if (isRenewed) return delivery.kick()
    waiters.tellAll({ is: 'queued' })
  }

  return {
    add,
    answerLogin,
    discard,
    flush: delivery.insist,
    kick: () => void delivery.insist(),
    retry,
    start,
    wake: delivery.wake,
    getState: live.get,
    picture: (id: string) => store.picture(id),
    subscribe: live.subscribe,
  }
}

interface AddOptions {
  readonly picture?: Blob | undefined
  readonly onProgress?: ((share: number) => void) | undefined
}
