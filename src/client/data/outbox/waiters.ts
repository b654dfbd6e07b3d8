import { isSameSubject, type Operation, type Refusal } from './operation.ts'

/** How whoever made a change hears of it first. */
export type Settled =
  | { readonly is: 'done' }
  /** The server's no; the operation is the form's again and not in the queue any more. */
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'queued' }
  /** The server answers, but with trouble; the operation stays in the queue. */
  | { readonly is: 'failed' }
  /** In the queue until the person chooses between this device's and another's. */
  | { readonly is: 'undecided' }
  /** Not sent, and in this page's memory only: the device keeps nothing. */
  | { readonly is: 'unkept' }

interface Waiter {
  readonly settle: (settled: Settled) => void
  readonly onProgress: (share: number) => void
  /** The operation as it carried this change alone; absent when it carried others already. */
  readonly alone?: Operation
  troubles: number
}

/** Somebody who waited when nothing could be sent, and whether the operation was still queued then. */
export interface Held {
  readonly id: string
  readonly waiter: Waiter
  readonly isQueued: boolean
}

/** After so many answers of trouble, or before so long a wait for the next try, whoever waits is told. */
const patience = 3
const patienceMs = 10_000

/** How long the word of another page may take, in milliseconds. */
const wordMs = 500

export type Waiters = ReturnType<typeof createWaiters>

/** Those on this page who made a change and have not heard of it yet, by the operation that carries it. */
export function createWaiters() {
  const waiters = new Map<string, Waiter>()

  function tell(id: string, settled: Settled): void {
    waiters.get(id)?.settle(settled)
    waiters.delete(id)
  }

  return {
    tell,
    tellAll: (settled: Settled) => {
      for (const id of waiters.keys()) tell(id, settled)
    },
    has: (id: string) => waiters.has(id),
    /** Waits for the operation that carries `made`; whoever waited for the same one before is told that it is queued. */
    add: (
      carrier: Operation,
      made: Operation,
      waiter: Pick<Waiter, 'settle' | 'onProgress'>,
    ): void => {
      const { id } = carrier
      // A store that failed starts over with the same change.
      if (waiters.get(id)?.settle !== waiter.settle) tell(id, { is: 'queued' })
      waiters.set(id, { ...waiter, ...(id === made.id && { alone: made }), troubles: 0 })
    },
    progress: (id: string, share: number) => waiters.get(id)?.onProgress(share),
    /** What is stopped holds back everything behind it, so all who wait are told; of trouble only when it lasts. */
    stopped: (isTrouble: boolean, delayMs: number): void => {
      for (const [id, waiter] of waiters) {
        if (!isTrouble) tell(id, { is: 'queued' })
        else if (++waiter.troubles >= patience || delayMs > patienceMs) tell(id, { is: 'failed' })
      }
    },
    /** Who waits at this very moment: another change may come before they are told. */
    heldIn: (operations: readonly Operation[]): readonly Held[] =>
      [...waiters].map(([id, waiter]) => ({
        id,
        waiter,
        isQueued: operations.some((operation) => operation.id === id),
      })),
    /** Tells those that their changes wait behind others, or that another page has sent them. */
    tellHeld: (held: readonly Held[]): void => {
      for (const { id, waiter, isQueued } of held) {
        if (waiters.get(id) !== waiter) continue
        if (isQueued) tell(id, { is: 'queued' })
        // The page that took it out says why; one that was closed meanwhile had sent it.
        else setTimeout(() => waiters.get(id) === waiter && tell(id, { is: 'done' }), wordMs)
      }
    },
    /** Whether a refused operation can be its form's again: it is still what the form made, and nothing was built on it. */
    canHaveBack: (operation: Operation, operations: readonly Operation[]): boolean => {
      const alone = waiters.get(operation.id)?.alone
      const isFollowed = operations.some(
        ({ id, subject }) => id !== operation.id && isSameSubject(subject, operation.subject),
      )
      return alone !== undefined && !isFollowed && isSameContent(alone, operation)
    },
  }
}

function isSameContent(a: Operation, b: Operation): boolean {
  return contentOf(a) === contentOf(b)
}

function contentOf({ values, image }: Operation): string {
  return JSON.stringify([values, image?.name, image?.broughtBy])
}
