import type { Operation, Refusal } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** What became of one attempt to send an operation. */
export type Answer =
  | { readonly is: 'applied'; readonly json?: unknown; readonly version?: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** No answer, or (`isTrouble`) one that says to come back: the operation stays as it is. */
  | { readonly is: 'later'; readonly isTrouble: boolean; readonly afterMs?: number }
  /** The session is over; nothing of the owner's is sent until she signs in again. */
  | { readonly is: 'login' }

export type Yes = Extract<Answer, { is: 'applied' }>

export interface OutboxParts {
  readonly store: OutboxStore
  /** Hands one operation to the server; must not reject. */
  readonly send: (
    operation: Operation,
    picture: Blob | undefined,
    onProgress: (share: number) => void,
  ) => Promise<Answer>
  readonly isOwner: () => boolean
  readonly isOnline: () => boolean
  /** Told of an applied operation before it leaves the queue; `isLate` when its maker was told that it waits. */
  readonly onApplied: (applied: Applied) => Promise<void>
  /** Told of an operation that was stopped, by the server or by its age, while nobody waited for it. */
  readonly onStopped?: (operation: Operation) => void
  /** Told when sending stops, for whatever reason. */
  readonly onIdle: () => void
  readonly log: (what: string, cause: unknown) => void
}

interface Applied {
  readonly operation: Operation
  readonly json: unknown
  readonly isLate: boolean
}
