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

/** What goes with an operation on its way. */
export interface Sending {
  readonly picture: Blob | undefined
  /** Told how much of the picture is up, from 0 to 1. */
  readonly onProgress: (share: number) => void
  /** Keeps the address of the uploaded picture for every further try. */
  readonly keepAddress: (address: string) => Promise<void>
}

export interface OutboxParts {
  readonly store: OutboxStore
  /** Hands one operation to the server; must not reject. */
  readonly send: (operation: Operation, sending: Sending) => Promise<Answer>
  /** Runs what sends one operation after the other; no reload may cut it short. */
  readonly whileSending: (run: () => Promise<void>) => Promise<void>
  readonly isOwner: () => boolean
  readonly isOnline: () => boolean
  /** Whether what is queued outlives the page; it does unless this says otherwise. */
  readonly isKept?: () => boolean
  /** Told that the device has the operation, or, inside the turn that takes it out, that its maker has it back. */
  readonly onHeld?: (operation: Operation, isQueued: boolean) => void
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
