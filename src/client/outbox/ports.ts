import type { Account, Operation, Refusal, Row, Subject } from './operation.ts'
import type { OutboxStore } from './store.ts'

/** What became of one attempt to send an operation. */
export type Answer =
  | { readonly is: 'applied'; readonly json?: unknown; readonly version?: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | Later
  /** Another entry has the id of this new one, so it needs one of its own. */
  | { readonly is: 'taken' }
  /** The session is over; nothing of the owner's is sent until she signs in again. */
  | { readonly is: 'login' }

/** No answer, or (`isTrouble`) one that says to come back: the operation stays as it is. */
export interface Later {
  readonly is: 'later'
  readonly isTrouble: boolean
  readonly afterMs?: number
  /** The site is set to read-only. */
  readonly isReadOnly?: boolean
}

export type Accepted = Extract<Answer, { is: 'applied' }>

/** An operation that the server has taken and that may still stand in the queue. */
export interface AcceptedOperation {
  readonly operation: Operation
  readonly answer: Accepted
}

/** What goes with an operation on its way. */
export interface Sending {
  readonly picture: Blob | undefined
  /** Told how much of the picture is up, from 0 to 1. */
  readonly onProgress: (share: number) => void
  /** Keeps the address of the uploaded picture for every further try. */
  readonly keepAddress: (address: string) => Promise<void>
}

export interface OutboxPorts {
  readonly store: OutboxStore
  /** Hands one operation to the server; must not reject. */
  readonly send: (operation: Operation, sending: Sending) => Promise<Answer>
  /** Runs what sends one operation after the other; no reload may cut it short. */
  readonly whileSending: (run: () => Promise<void>) => Promise<void>
  readonly isOwner: () => boolean
  /** Who is signed in on this page. */
  readonly account?: () => Account | undefined
  readonly isOnline: () => boolean
  /** Whether what is queued outlives the page; it does unless this says otherwise. */
  readonly isKept?: () => boolean
  /** Whether the device refused to forget any of these, which the next page would send. */
  readonly isLeft?: (ids: readonly string[]) => Promise<boolean>
  /** The thing as this page shows it with these operations on top; undefined for what it does not know. */
  readonly shown?: (subject: Subject, operations: readonly Operation[]) => Row | undefined
  /** Told that the device has these operations, or, before one is taken out, that its maker has it back. */
  readonly markDrafts?: (operations: readonly Operation[], isQueued: boolean) => Promise<void>
  /** Told of an applied operation before it leaves the queue; `isLate` when its maker was told that it waits. */
  readonly onApplied: (applied: Applied) => Promise<void>
  /** Told of an operation that was stopped, by the server or by its age, while nobody waited for it. */
  readonly onStopped?: (operation: Operation) => void
  /** Told when sending stops, for whatever reason. */
  readonly onIdle: () => void
  readonly log: (what: string, cause: unknown) => void
}

/** What an accepted operation brought. */
interface Applied {
  readonly operation: Operation
  readonly json: unknown
  readonly isLate: boolean
}
