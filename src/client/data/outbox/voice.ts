import { logProblem } from '#client/platform/log.ts'
import type { Operation } from './operation.ts'

/** What the queue has to tell the person, in whatever words and places the page has for it. */
export interface Voice {
  /** These changes had to wait and are on the server now. */
  readonly delivered: (operations: readonly Operation[]) => void
  /** This one was stopped, by the server or by its age, while nobody waited for it. */
  readonly stopped: (operation: Operation) => void
  /** This device keeps nothing of what is queued. */
  readonly nothingKept: (cause: unknown) => void
}

let voice: Voice = {
  delivered: () => undefined,
  stopped: () => undefined,
  nothingKept: (cause) => logProblem('The queue of changes is not kept', cause),
}

/** Gives the queue its voice; before that it only logs. */
export function setVoice(next: Voice): void {
  voice = next
}

export function outboxVoice(): Voice {
  return voice
}
