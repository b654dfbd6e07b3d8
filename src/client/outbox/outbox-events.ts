import { logProblem } from '#client/browser/early/log.ts'
import type { Operation } from './operation.ts'

/** What the queue has to tell the person, in whatever words and places the page has for it. */
export interface OutboxListener {
  /** These changes had to wait and are on the server now. */
  readonly delivered: (operations: readonly Operation[]) => void
  /** This one was stopped, by the server or by its age, while nobody waited for it. */
  readonly stopped: (operation: Operation) => void
  /** This device keeps nothing of what is queued. */
  readonly nothingKept: (cause: unknown) => void
}

let listener: OutboxListener = {
  delivered: () => undefined,
  stopped: () => undefined,
  nothingKept: (cause) => logProblem('The queue is not kept', cause),
}

/** Until the first listener is set, an unkept queue is logged and the other events go unheard. */
export function setOutboxListener(next: OutboxListener): void {
  listener = next
}

/** Asked at each event, since the listener may have been replaced. */
export function outboxListener(): OutboxListener {
  return listener
}
