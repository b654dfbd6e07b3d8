import { laneOf, type Lane, type Operation, type Subject } from './operation.ts'
import type { Later } from './ports.ts'
import { isPauseOfLane, isShort, pauseMs, pauseReason, type PauseReason } from './retry-rule.ts'

interface Pause {
  readonly timer: ReturnType<typeof setTimeout>
  /** In milliseconds since 1970, for people. */
  readonly endsAt: number
  readonly reason: PauseReason
  readonly isShort: boolean
}

/** A pause that just began. */
export interface Begun {
  readonly delayMs: number
  readonly delays: (subject: Subject) => boolean
}

export type Pauses = ReturnType<typeof createPauses>

/**
 * What is not tried for a while: one thing, or everything of its lane where the server asks for time or nobody answers. What
 * it is not about goes on. `onOver` is told when one has run out.
 */
export function createPauses(onOver: () => void) {
  const pauses = new Map<string, Pause>()
  const failures = new Map<string, number>()
  /** What of each lane was in trouble, or got no answer, since the last good answer. */
  const troubled = new Map<Lane, Set<string>>()
  const silent = new Map<Lane, Set<string>>()
  /** How often in a row each thing got no answer. */
  const unanswered = new Map<string, number>()

  const of = (subject: Subject) => [pauses.get(laneOf(subject)), pauses.get(nameOf(subject))]

  function end(name: string): void {
    clearTimeout(pauses.get(name)?.timer)
    pauses.delete(name)
  }

  function begin(subject: Subject, later: Later): Begun {
    const lane = laneOf(subject)
    const thing = nameOf(subject)
    const row = later.isTrouble ? 0 : (unanswered.get(thing) ?? 0) + 1
    unanswered.set(thing, row)
    // Where there is an answer, the line is not what is wrong.
    if (later.isTrouble) silent.delete(lane)
    const noted = later.isTrouble ? troubled : silent
    const things = (noted.get(lane) ?? new Set()).add(thing)
    noted.set(lane, things)
    const name = isPauseOfLane(later, things.size, row) ? lane : thing
    const failed = failures.get(name) ?? 0
    failures.set(name, failed + 1)
    const delayMs = pauseMs(later, failed)
    end(name)
    const timer = setTimeout(() => {
      pauses.delete(name)
      onOver()
    }, delayMs)
    const endsAt = Date.now() + delayMs
    pauses.set(name, { timer, endsAt, reason: pauseReason(later), isShort: isShort(delayMs) })
    return { delayMs, delays: (other) => name === laneOf(other) || name === nameOf(other) }
  }

  return {
    begin,
    // Asked of the whole queue before each change that leaves it, mostly without any pause.
    delays: (subject: Subject): boolean => pauses.size > 0 && of(subject).some(Boolean),
    /** Whether it is delayed, and that for so short a time that nobody need hear of it. */
    delaysShortly: (subject: Subject): boolean => {
      const found = of(subject).filter((pause) => pause !== undefined)
      return found.length > 0 && found.every((pause) => pause.isShort)
    },
    /** Ends those that began for one of these reasons. */
    end: (...reasons: readonly PauseReason[]): void => {
      for (const [name, { reason }] of pauses) if (reasons.includes(reason)) end(name)
    },
    /** The server answered this, yes or no: what failed before is counted anew. */
    answered: (subject: Subject): void => {
      failures.delete(laneOf(subject))
      failures.delete(nameOf(subject))
      unanswered.delete(nameOf(subject))
      troubled.delete(laneOf(subject))
      silent.delete(laneOf(subject))
    },
    /** When the first of these is tried again, in milliseconds since 1970. */
    nextAt: (operations: readonly Operation[]): number | undefined => {
      const ends = operations.flatMap(({ subject }) => of(subject).map((pause) => pause?.endsAt))
      const known = ends.filter((at) => at !== undefined)
      return known.length > 0 ? Math.min(...known) : undefined
    },
  }
}

function nameOf(subject: Subject): string {
  return JSON.stringify(subject)
}
