import { v7 as newId } from 'uuid'
import { inTurn } from '#client/browser/in-turn.ts'
import { isLost } from '#client/browser/stored-file.ts'
import type { QueueState } from './queue-state.ts'
import { isForeign, laneOf, pictureId, type Operation, type Refusal } from './operation.ts'
import { forgottenPictures, renamed, replace, without } from './queue-rules.ts'
import type { Accepted, AcceptedOperation, Answer, Later, OutboxPorts } from './ports.ts'
import type { Pauses } from './pauses.ts'
import type { Update } from './store.ts'
import type { PendingCallers } from './pending-callers.ts'
import type { Reservations } from './reserve.ts'
import { readAgainMs, readTries } from './retry-rule.ts'

interface DrainOptions {
  readonly ports: OutboxPorts
  readonly queue: QueueState
  readonly callers: PendingCallers
  readonly pauses: Pauses
  /** Told of the server's yes before the operation leaves the queue. */
  readonly onApplied: (operation: Operation, answer: Accepted) => Promise<void>
  /** Shows the kept queue anew, here and in the other tabs. */
  readonly showEverywhere: () => Promise<void>
  readonly reservations: Reservations
}

/** An operation on its way out, and the one before it when that still has to be shown and taken out of the queue. */
interface Leaving {
  readonly operation: Operation
  readonly done?: AcceptedOperation
}

/** Sends the queue's operations one at a time, in order, from one tab of the browser, and keeps what each answer means. */
export function createDrain(options: DrainOptions) {
  const { ports, queue, callers, pauses, reservations, onApplied, showEverywhere } = options
  const { store } = ports
  let isWaiting = false
  let turn = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What left and was not answered by a no: its maker hears from the answer what became of it, whatever is discarded. */
  const onItsWay = new Set<string>()

  /**
   * Sends what may be sent; resolves once sending has stopped, with nothing left or because something is in the way. Without
   * a network nothing begins, since what was never handed to it can still be merged away; a pause that the server asked for
   * is kept. With `force`, the person's own word to try again, neither counts, and she is asked to sign in again if need be.
   */
  async function drain({ force = false } = {}): Promise<void> {
    if (!force && !ports.isOnline()) return
    pauses.end('no-answer')
    if (force) {
      pauses.end('trouble', 'read-only')
      askAgain()
    }
    await takeTurn()
  }

  /** Goes on because one pause has run out: the others are kept, whatever they are for. */
  function resume(): void {
    if (ports.isOnline()) void takeTurn()
  }

  /** Her changes go again after something that she just did, although she had put off signing in. */
  function askAgain(): void {
    if (queue.get().needsLogin && ports.isOwner()) queue.show({ ...queue.get(), needsLogin: false })
  }

  /** The site takes changes again. */
  function endReadOnly(): void {
    pauses.end('read-only')
    showReadOnly(false)
  }

  function showReadOnly(isReadOnly: boolean): void {
    if ((queue.get().isReadOnly ?? false) !== isReadOnly) queue.show({ ...queue.get(), isReadOnly })
  }

  function takeTurn(): Promise<void> {
    clearTimeout(timer)
    if (isWaiting) return turn
    isWaiting = true
    turn = inTurn('tintero-outbox-drain', () => {
      isWaiting = false
      return ports.whileSending(sendAll)
    }).catch((cause: unknown) => {
      isWaiting = false
      giveUp(cause)
    })
    return turn
  }

  async function sendAll(): Promise<void> {
    try {
      let leaving = await nextLeaving()
      while (leaving) leaving = await send(leaving)
    } catch (error) {
      giveUp(error)
    }
    onItsWay.clear()
    queue.stopSending(pauses.nextAt(queue.get().operations))
    ports.onIdle()
  }

  function giveUp(cause: unknown): void {
    ports.log('The queue could not be read or written', cause)
    callers.tellAllQueued()
    timer = setTimeout(() => void drain(), readAgainMs)
  }

  async function nextLeaving(done?: AcceptedOperation): Promise<Leaving | undefined> {
    const { reserved, waiting } = await reservations.reserveNext(done)
    if (reserved) return { operation: reserved }
    // Those who wait for the login go on waiting.
    if (!queue.get().needsLogin) callers.tellStillWaiting(waiting)
    return undefined
  }

  /** Resolves to what is to leave next. No answer is looked at before what came earlier is shown and out of the queue. */
  async function send({ operation, done }: Leaving): Promise<Leaving | undefined> {
    onItsWay.add(operation.id)
    const [sent, settled] = await Promise.allSettled([handOver(operation), settleMeanwhile()])
    const counted = settled.status === 'fulfilled' ? settled.value : undefined
    if (sent.status === 'rejected' || settled.status === 'rejected') {
      if (counted) await reservations.release(counted)
      throw sent.status === 'rejected' ? sent.reason : new Error('not settled', { cause: settled })
    }
    const answer = sent.value
    if (answer.is !== 'applied') {
      onItsWay.delete(operation.id)
      if (counted) await reservations.release(counted)
      await keepAnswer(operation, answer)
      return nextLeaving()
    }
    noteAnswer(operation)
    const arrived = { operation, answer }
    const next = counted && (await reservations.isStillNext(counted, arrived))
    if (next) return { operation: next, done: arrived }
    if (counted) await reservations.release(counted)
    await onApplied(operation, answer)
    return nextLeaving(arrived)

    async function settleMeanwhile(): Promise<Operation | undefined> {
      if (done) await onApplied(done.operation, done.answer)
      return reservations.prefetchNext(operation, done)
    }
  }

  async function handOver(operation: Operation): Promise<Answer> {
    try {
      return await ports.send(operation, {
        picture: operation.image && (await pictureOf(operation)),
        onProgress: (progress) => {
          queue.show({ ...queue.get(), sending: { id: operation.id, progress } })
          callers.progress(operation.id, progress)
        },
        keepAddress: async (address) => {
          await store.update((kept) => withAddress(kept, operation, address))
          // Should the device lose it, another tab may be the one that puts it back.
          await showEverywhere()
        },
      })
    } catch (cause) {
      // Its picture cannot be read, which is no reason for the others to wait.
      ports.log('A change could not be handed over', cause)
      return { is: 'later', isTrouble: true }
    }
  }

  /** Undefined, too, for one that the device does not give and that is uploaded already, or that it has lost for good. */
  async function pictureOf(operation: Operation): Promise<Blob | undefined> {
    try {
      return await store.picture(pictureId(operation))
    } catch (cause) {
      const isUploaded = operation.image?.address !== undefined
      if (!isUploaded && !(isLost(cause) && operation.tries > readTries)) throw cause
      ports.log('The picture of a change cannot be read', cause)
      return undefined
    }
  }

  /** Keeps what an answer other than yes means. */
  async function keepAnswer(
    operation: Operation,
    answer: Exclude<Answer, Accepted>,
  ): Promise<void> {
    const isQueued = (await store.read()).some(({ id }) => id === operation.id)
    // It was discarded on its way.
    if (!isQueued) return callers.tellQueued(operation.id, 'trouble')
    if (answer.is === 'later') return postpone(operation, answer)
    if (answer.is === 'taken') return rename(operation)
    noteAnswer(operation)
    // What is not the owner's goes on.
    if (answer.is === 'login') return queue.show({ ...queue.get(), needsLogin: true })
    await keepRefusal(operation, answer.refusal)
  }

  /** Somebody else's entry stays as it is, and the new one is sent again under an id of its own. */
  async function rename(operation: Operation): Promise<void> {
    const id = newId()
    await store.update((operations) => ({
      operations: renamed(operations, operation, id),
      result: undefined,
    }))
    await showEverywhere()
  }

  function noteAnswer({ subject }: Operation): void {
    pauses.answered(subject)
    if (laneOf(subject) === 'content') showReadOnly(false)
  }

  /**
   * Somebody with the form still open gets the change back, unless others were built on it; otherwise it waits, with the
   * reason, for the person's word.
   */
  async function keepRefusal(operation: Operation, refusal: Refusal): Promise<void> {
    const { id } = operation
    const isWaitedFor = callers.has(id)
    // Before the turn that takes it out: at every moment the text is in the draft or in the queue.
    // Under another account its form is gone, and its draft is not to be touched.
    const isHers = !isForeign(operation, ports.account?.())
    const mayGoBack = isHers && callers.canHaveBack(operation, queue.get().operations)
    if (mayGoBack) await ports.markDrafts?.([operation], false)
    const isHandedBack = await store.update((operations) => {
      if (!mayGoBack || !callers.canHaveBack(operation, operations)) {
        return { operations: replace(operations, id, { ...operation, refusal }), result: false }
      }
      const pictures = forgottenPictures([operation])
      return { operations: without(operations, id), pictures, result: true }
    })
    if (mayGoBack && !isHandedBack) await ports.markDrafts?.([operation], true)
    await showEverywhere()
    if (!isWaitedFor) ports.onStopped?.(operation)
    if (isHandedBack) callers.tell(id, { state: 'refused', refusal })
    else callers.tellQueued(id, 'trouble')
  }

  /** It is tried again later, after a longer while each time, and with it what waits for the same reason. */
  function postpone({ subject }: Operation, later: Later): void {
    const pause = pauses.begin(subject, later)
    if (later.isReadOnly && laneOf(subject) === 'content') showReadOnly(true)
    callers.delayed(later, pause)
  }

  return { askAgain, drain, endReadOnly, isOnItsWay: (id: string) => onItsWay.has(id), resume }
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
