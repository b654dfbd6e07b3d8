import type { StoredFile } from '#client/browser/stored-file.ts'
import { isSameThing, type Operation, type Refusal, type Subject } from './operation.ts'
import type { Later } from './ports.ts'
import type { Begun } from './pauses.ts'
import { newsOf } from './retry-rule.ts'

/** What became of a change: the server has it, the server said no and the form has it again, or it waits in the queue. */
export type ChangeResult =
  | { readonly state: 'saved' }
  | { readonly state: 'refused'; readonly refusal: Refusal }
  | { readonly state: 'queued'; readonly because: WaitReason }

/** Why a change waits in the queue, or waits no more although it was never sent. */
export type WaitReason =
  | 'offline'
  /** There is a network, and the server does not answer, or asks for time. */
  | 'no-answer'
  /** For her to sign in again. */
  | 'login'
  /** The site is set to read-only. */
  | 'read-only'
  /** Behind a refused change of the same thing, or of an entry that it moves. */
  | 'blocked'
  /** Until the person chooses between this device's version and another's. */
  | 'conflict'
  /** The server answers, but with trouble. */
  | 'trouble'
  /** Nothing of it is to be sent any more: she has deleted what it made, or brought back what it deleted. */
  | 'superfluous'
  /** For any of these but that, in this page's memory only: the device keeps nothing, and forgets nothing. */
  | 'not-kept'

/** How a change is added to the queue. */
export interface AddOptions {
  readonly picture?: Blob | StoredFile | undefined
  /** No form takes it back: refused, it stays in the queue with the reason. */
  readonly isFormless?: boolean | undefined
  /** Nothing of what forms keep of the thing is handed over with it. */
  readonly leavesDrafts?: boolean | undefined
  readonly onProgress?: ((share: number) => void) | undefined
}

/** What became of several changes. */
export interface AddedAll {
  /** Whether they outlive this page. */
  readonly isKept: boolean
  readonly results: Promise<readonly ChangeResult[]>
}

interface Caller {
  readonly settle: (result: ChangeResult) => void
  readonly onProgress: (share: number) => void
  /** The operation as it carried this change alone; absent when it carried others already. */
  readonly alone?: Operation
  /** The operation that carries this change. */
  readonly carrier: Operation
  troubles: number
}

interface NewCaller extends Pick<Caller, 'settle' | 'onProgress'> {
  /** Nothing shows what was refused: it stays in the queue. */
  readonly isFormless?: boolean | undefined
}

/** Somebody who waited when nothing could be sent, and whether the operation was still queued then. */
export interface StillWaiting {
  readonly id: string
  readonly caller: Caller
  readonly isQueued: boolean
}

/** How long the word of another page may take, in milliseconds. */
const wordMs = 500

export type PendingCallers = ReturnType<typeof createPendingCallers>

/**
 * Those on this page who made a change and have not heard of it yet, by the operation that carries it. `whyWaits` gives the
 * reason where no answer named one.
 */
export function createPendingCallers(whyWaits: (operation: Operation) => WaitReason) {
  const callers = new Map<string, Caller>()

  function tell(id: string, result: ChangeResult): void {
    callers.get(id)?.settle(result)
    callers.delete(id)
  }

  function tellQueued(id: string, because?: WaitReason): void {
    const caller = callers.get(id)
    if (caller) tell(id, { state: 'queued', because: because ?? whyWaits(caller.carrier) })
  }

  return {
    tell,
    tellQueued,
    tellAllQueued: () => {
      for (const id of callers.keys()) tellQueued(id)
    },
    has: (id: string) => callers.has(id),
    /** Waits for the operation that carries `made`, together with whoever waits for it already: it is one call. */
    add: (carrier: Operation, made: Operation, { isFormless, ...caller }: NewCaller): void => {
      const { id } = carrier
      const earlier = callers.get(id)
      const settle = (result: ChangeResult) => {
        earlier?.settle(result)
        caller.settle(result)
      }
      // Not where it took the place of an earlier one, which would be lost with it.
      const alone = carrier === made && !isFormless && { alone: made }
      callers.set(id, { ...caller, ...alone, settle, carrier, troubles: 0 })
    },
    progress: (id: string, share: number) => callers.get(id)?.onProgress(share),
    /** Those whose changes a pause delays hear of it when the rule of retrying says so. */
    delayed: (later: Later, { delayMs, delays }: Begun): void => {
      for (const [id, caller] of callers) {
        const { subject } = caller.carrier
        if (!delays(subject)) continue
        if (later.isTrouble) caller.troubles++
        const news = newsOf(later, { on: subject.on, troubles: caller.troubles, delayMs })
        if (news === 'waits') tellQueued(id)
        if (news === 'trouble') tellQueued(id, 'trouble')
      }
    },
    /** Who waits at this very moment, but for what is tried again soon: another change may come before they are told. */
    stillWaiting: (
      operations: readonly Operation[],
      isSoon: (subject: Subject) => boolean,
    ): readonly StillWaiting[] => {
      const queued = new Set(operations.map(({ id }) => id))
      return [...callers]
        .filter(([, { carrier }]) => !isSoon(carrier.subject))
        .map(([id, caller]) => ({ id, caller, isQueued: queued.has(id) }))
    },
    /** Tells those that their changes wait behind others, or that another page has sent them. */
    tellStillWaiting: (waiting: readonly StillWaiting[]): void => {
      for (const { id, caller, isQueued } of waiting) {
        if (callers.get(id) !== caller) continue
        if (isQueued) tellQueued(id)
        // The page that took it out says why; one that was closed meanwhile had sent it.
        else setTimeout(() => callers.get(id) === caller && tell(id, { state: 'saved' }), wordMs)
      }
    },
    /** Whether a refused operation can be its form's again: it is still what the form made, and nothing was built on it. */
    canHaveBack: (operation: Operation, operations: readonly Operation[]): boolean => {
      const alone = callers.get(operation.id)?.alone
      const isFollowed = operations.some(
        (other) => other.id !== operation.id && isSameThing(other, operation),
      )
      return alone !== undefined && !isFollowed && isSameContent(alone, operation)
    },
  }
}

function isSameContent(a: Operation, b: Operation): boolean {
  return contentOf(a) === contentOf(b)
}

function contentOf({ subject, values, image }: Operation): string {
  return JSON.stringify([subject, values, image?.name, image?.broughtBy])
}
