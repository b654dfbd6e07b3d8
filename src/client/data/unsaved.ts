import { showBusy } from '#client/browser/busy.ts'
import { createStore } from '#client/ui/store.ts'

/** A reload would lose or cut short forms with unsaved text, writes under way and open questions. */
const dirtyForms = new Set<string>()
/** Changes with every beginning and end, for those who wait for quiet. */
const changes = createStore(0)
let running = 0
let settling = 0

/** Counts as a form with unsaved text: the queue of changes while this page's memory alone has it. */
export const queueInMemory = 'outbox'

/** A visitor's message in its form. */
export const messageForm = 'message'

/** Notes whether a form holds unsaved text. */
export function markUnsaved(form: string, isDirty: boolean): void {
  if (isDirty) dirtyForms.add(form)
  else dirtyForms.delete(form)
  tell()
}

/** Whether this form holds unsaved text. */
export function isUnsaved(form: string): boolean {
  return dirtyForms.has(form)
}

/** The page is not reloaded before it has ended. */
export async function whileBusy<T>(run: () => Promise<T>): Promise<T> {
  running++
  tell()
  try {
    return await run()
  } finally {
    running--
    tell()
  }
}

/** Holds up a new version, but not a reload of this page. */
export async function whileSettling(run: () => Promise<unknown>): Promise<void> {
  settling++
  tell()
  try {
    await run()
  } finally {
    settling--
    tell()
  }
}

/** Whether nothing but the named form would suffer from a reload. */
export function isQuiet(ownForm: string): boolean {
  return running === 0 && [...dirtyForms].every((form) => form === ownForm)
}

/** Resolves once nothing but the named form would suffer from a reload. */
export function quiet(ownForm: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isQuiet(ownForm)) return
      stop()
      resolve()
    }
    const stop = changes.subscribe(check)
    check()
  })
}

function tell(): void {
  showBusy(running + settling + dirtyForms.size > 0)
  changes.set(changes.get() + 1)
}
