import { showBusy } from '#client/platform/busy.ts'

/** What would be lost or cut short by a reload: forms with unsaved text, and writes under way. */
const dirtyForms = new Set<string>()
const listeners = new Set<() => void>()
let writes = 0

/** Says whether the form with this key holds text that the server does not have yet. */
export function markUnsaved(form: string, isDirty: boolean): void {
  if (isDirty) dirtyForms.add(form)
  else dirtyForms.delete(form)
  tell()
}

export function isUnsaved(form: string): boolean {
  return dirtyForms.has(form)
}

/** Runs a write; the page is not reloaded before it has ended. */
export async function whileWriting<T>(run: () => Promise<T>): Promise<T> {
  writes++
  tell()
  try {
    return await run()
  } finally {
    writes--
    tell()
  }
}

/** Resolves as soon as nothing but the named form would suffer from a reload. */
export function quiet(ownForm: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (writes > 0 || [...dirtyForms].some((form) => form !== ownForm)) return
      listeners.delete(check)
      resolve()
    }
    listeners.add(check)
    check()
  })
}

function tell(): void {
  showBusy(writes > 0 || dirtyForms.size > 0)
  for (const listener of listeners) listener()
}
