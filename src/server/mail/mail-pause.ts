import { minuteMs } from '#contract/durations.ts'

const pauseMs = 15 * minuteMs
/** Longer than one try takes. */
const probeMs = minuteMs

/** While a mail server takes no mail at all, one of those that wait tries it every quarter of an hour. */
export interface MailPause {
  /** When to come again; undefined for whoever is to try now. */
  wait(): Date | undefined
  /** Nobody tries for a quarter of an hour; returns when to come again. */
  begin(): Date
  end(): void
}

/** Lives in memory: whoever mends the account starts the server anew. */
export function createMailPause(now: () => Date): MailPause {
  let pause: { readonly from: number; readonly until: number } | undefined
  const begin = (ms: number): Date => {
    const from = now().getTime()
    pause = { from, until: from + ms }
    return new Date(pause.until)
  }
  return {
    wait() {
      if (!pause) return undefined
      const moment = now().getTime()
      // A clock that was set back makes no pause longer.
      if (pause.from <= moment && moment < pause.until) return new Date(pause.until)
      begin(probeMs)
      return undefined
    },
    begin: () => begin(pauseMs),
    end() {
      pause = undefined
    },
  }
}
