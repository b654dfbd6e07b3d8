import { v7 as newId } from 'uuid'
import { outboxTexts } from '#contract/texts/outbox.ts'
import { createDrain } from './drain.ts'
import { createDiscards } from './discards.ts'
import { createFolding, type Fold, type Folding } from './fold.ts'
import { createQueueState } from './queue-state.ts'
import {
  changedHere,
  changesIn,
  endsReadOnly,
  isForeign,
  isSameThing,
  type Operation,
  type Refusal,
} from './operation.ts'
import { adopt, blocks, isBlind } from './queue-rules.ts'
import { createOtherTabs, type Discarded } from './other-tabs.ts'
import type { Accepted, OutboxPorts } from './ports.ts'
import { createPauses } from './pauses.ts'
import { createReservations } from './reserve.ts'
import type { Update } from './store.ts'
import { createVersionChain } from './version-chain.ts'
import {
  createPendingCallers,
  type AddedAll,
  type AddOptions,
  type ChangeResult,
  type WaitReason,
} from './pending-callers.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** The queue of changes: keeps each on disk before saying so, and sends them one at a time, in order, from one tab of the browser. */
export function createOutbox(ports: OutboxPorts) {
  const { store } = ports
  const callers = createPendingCallers(whyWaits)
  const versions = createVersionChain()
  /** The changes that the server took while this page was open. */
  const taken = new Set<string>()
  const queue = createQueueState(store, (operation) => isForeign(operation, ports.account?.()))
  const pauses = createPauses(() => sending.resume())
  const otherTabs = createOtherTabs({
    onChanged: async () => {
      await queue.refresh()
      void sending.drain()
    },
    // Shown before the change leaves the queue, as on the page that sent it.
    onApplied: async ({ operation, answer }) => {
      await noteApplied(operation, answer, false)
      callers.tell(operation.id, { state: 'saved' })
    },
    onDiscarded,
    log: ports.log,
  })

  /** After a change of the kept queue: this tab and the others look at it again. */
  async function showEverywhere(): Promise<void> {
    await queue.refresh()
    tellTabs()
  }

  /** Tells the makers, but for one that is on its way: its answer says what became of it. */
  function onDiscarded({ discarded: ids, because }: Discarded): void {
    for (const id of ids) if (!sending.isOnItsWay(id)) callers.tellQueued(id, because)
  }

  /** In the same turn, here and in the other tabs: to a later one it looks as if another tab had sent them. */
  function tellDiscarded(dropped: Discarded): void {
    onDiscarded(dropped)
    otherTabs.tell(dropped)
  }

  const tellTabs = () => otherTabs.tell('changed')

  const sending = createDrain({
    ports,
    queue,
    callers,
    pauses,
    reservations: createReservations({ ports, queue, callers, pauses, tellTabs }),
    showEverywhere,
    onApplied: async (operation, answer) => {
      await noteApplied(operation, answer, !callers.has(operation.id))
      otherTabs.tell({ operation, answer })
    },
  })

  const discards = createDiscards({
    ports,
    queue,
    tellDiscarded,
    showEverywhere,
    drain: () => void sending.drain(),
  })

  async function noteApplied(
    operation: Operation,
    answer: Accepted,
    isLate: boolean,
  ): Promise<void> {
    versions.note(operation, answer.version)
    for (const id of changesIn(operation)) taken.add(id)
    if (endsReadOnly(operation)) sending.endReadOnly()
    await ports
      .onApplied({ operation, json: answer.json, isLate })
      // The server has it, and would be sent it for ever.
      .catch((cause: unknown) => ports.log('What arrived could not be shown', cause))
  }

  /** One more change in the queue. Its maker waits from before it is stored: another turn of sending may take it at once. */
  function take(
    folding: Folding,
    operation: Operation,
    { picture, ...caller }: Taking,
  ): Fold & Required<Pick<Update<unknown>, 'pictures'>> {
    const fold = folding.add(operation)
    const orphans = Object.fromEntries(fold.orphans.map((id) => [id, undefined]))
    const kept = picture && operation.image && fold.carrier ? { [operation.id]: picture } : {}
    for (const id of fold.gathered ?? []) callers.tellQueued(id)
    const { superfluous } = fold
    if (superfluous.length > 0) tellDiscarded({ discarded: superfluous, because: 'superfluous' })
    if (fold.carrier && !fold.isUndecided) callers.add(fold.carrier, operation, caller)
    return { ...fold, pictures: { ...orphans, ...kept } }
  }

  async function add(
    change: Operation,
    { picture, isFormless, leavesDrafts, onProgress = () => undefined }: AddOptions = {},
  ): Promise<ChangeResult> {
    const { promise: outcome, resolve } = Promise.withResolvers<ChangeResult>()
    const operation = versions.rebase(change)
    const { carrier, isUndecided, superfluous, refusal } = await store.update<Added>((found) => {
      const operations = adopt(found, ports.account?.())
      // What no form can take back waits in the queue instead: the server's no has her choose there.
      const conflict = isFormless ? undefined : conflictOf(operation, operations)
      if (conflict) return { operations, result: { refusal: conflict } }
      const folding = createFolding(operations)
      const result = take(folding, operation, {
        picture,
        settle: resolve,
        onProgress,
        isFormless,
      })
      return { operations: folding.operations(), pictures: result.pictures, result }
    })
    if (refusal) return { state: 'refused', refusal }
    const isQueued = carrier && ports.isKept?.() !== false
    if (isQueued && !leavesDrafts) await ports.markDrafts?.([operation], true)
    await queue.refresh()
    const isToSend = carrier && !isUndecided && ports.isOnline()
    // Its turn is asked for before the other tabs hear of it: what they send and the server refuses is its form's no more.
    if (isToSend) {
      sending.askAgain()
      void sending.drain()
    }
    tellTabs()
    if (!carrier) {
      const isLeft = await ports.isLeft?.(superfluous ?? [])
      return isLeft ? { state: 'queued', because: 'not-kept' } : { state: 'saved' }
    }
    if (isUndecided) return asKept({ state: 'queued', because: 'conflict' })
    if (!isToSend) callers.tellQueued(carrier.id)
    return asKept(await outcome)
  }

  /**
   * Adds changes that no form takes back in one turn, so that the device has all of them or none; one that is queued already
   * stays as it is. Resolves once they are kept; with `isOnlyKept` it rejects where the device refuses them, and nothing is changed.
   */
  async function addAll(changes: readonly Operation[], isOnlyKept = false): Promise<AddedAll> {
    const { carriers, results } = await store.update((found) => {
      const queued = adopt(found, ports.account?.())
      const known = new Set(queued.flatMap(changesIn))
      const folding = createFolding(queued)
      const pictures: Record<string, undefined> = {}
      const added: Operation[] = []
      const outcomes: Promise<ChangeResult>[] = []
      for (const change of changes.filter(({ id }) => !known.has(id))) {
        const { promise, resolve: settle } = Promise.withResolvers<ChangeResult>()
        const caller = { settle, onProgress: () => undefined, isFormless: true }
        const fold = take(folding, versions.rebase(change), caller)
        Object.assign(pictures, fold.pictures)
        if (!fold.carrier) continue
        added.push(fold.carrier)
        if (!fold.isUndecided) outcomes.push(promise)
      }
      const operations = folding.operations()
      return { operations, pictures, result: { carriers: added, results: outcomes } }
    }, isOnlyKept)
    const isKept = ports.isKept?.() !== false
    if (isKept) await ports.markDrafts?.(carriers, true)
    await showEverywhere()
    if (ports.isOnline()) {
      sending.askAgain()
      void sending.drain()
    } else for (const { id } of carriers) callers.tellQueued(id)
    return { isKept, results: Promise.all(results) }
  }

  /** The refusal of a change whose form never saw what this device has queued for the same thing since. */
  function conflictOf(operation: Operation, operations: readonly Operation[]): Refusal | undefined {
    const account = ports.account?.()
    const own = operations.filter((queued) => !isForeign(queued, account))
    const shown = isBlind(operation, own) ? ports.shown?.(operation.subject, own) : undefined
    if (!shown) return undefined
    const last = own.findLast((queued) => isSameThing(queued, operation))
    const current = { ...shown, ...(last && { changed: { at: last.madeAt } }) }
    return { code: changedHere, reason: outboxTexts.changedHere, current }
  }

  /** What waits on a device that keeps nothing is lost with the page. */
  function asKept(result: ChangeResult): ChangeResult {
    const isWaiting = result.state === 'queued' && result.because !== 'superfluous'
    return isWaiting && ports.isKept?.() === false ? { ...result, because: 'not-kept' } : result
  }

  /** What a queued change waits for at this moment. */
  function whyWaits(operation: Operation): WaitReason {
    const { needsLogin, isReadOnly } = queue.get()
    const refused = queue.refused()
    if (refused.some(({ id }) => id === operation.id)) return 'trouble'
    if (blocks(refused, operation)) return 'blocked'
    if (needsLogin) return 'login'
    if (isReadOnly) return 'read-only'
    return ports.isOnline() ? 'no-answer' : 'offline'
  }

  /** Sends a refused operation again, with `change` applied first: another base version, other values or a new date. */
  async function retry(
    id: string,
    change: Partial<Pick<Operation, 'values' | 'version' | 'before' | 'madeAt'>> = {},
  ) {
    await store.update((operations) => ({
      operations: operations.map((operation) => {
        if (operation.id !== id) return operation
        const { refusal: _, ...rest } = operation
        // Merged: another page may have added a change meanwhile. And no form has seen what is put right here.
        const values = { ...rest.values, ...change.values }
        const changes = change.values && { changes: [...changesIn(rest), newId()] }
        return { ...rest, ...change, ...changes, values }
      }),
      result: undefined,
    }))
    await showEverywhere()
    void sending.drain({ force: true })
  }

  /** Follows the other tabs and sends what an earlier visit left; resolves once its changes can be shown. */
  async function start(): Promise<void> {
    otherTabs.follow()
    await queue.refresh()
    void sending.drain()
  }

  /** The request to sign in was answered: what waited goes now, or is left in the queue. */
  function answerLogin(isRenewed: boolean): void {
    queue.show({ ...queue.get(), needsLogin: !isRenewed })
    if (isRenewed) void sending.drain()
    else callers.tellAllQueued()
  }

  return {
    add,
    addAll,
    answerLogin,
    ...discards,
    followAccount: queue.sortAgain,
    drain: sending.drain,
    retry,
    showEverywhere,
    start,
    getState: queue.get,
    /** Whether the server took this change while the page was open: what left the queue otherwise was never sent. */
    isTaken: (id: string) => taken.has(id),
    picture: (id: string) => store.picture(id),
    subscribe: queue.subscribe,
  }
}

type Added = Partial<Pick<Fold, 'carrier' | 'isUndecided' | 'superfluous'>> & {
  readonly refusal?: Refusal
}

interface Taking extends Pick<AddOptions, 'picture' | 'isFormless'> {
  readonly settle: (result: ChangeResult) => void
  readonly onProgress: (share: number) => void
}
