import { reloadAfterCreateMs } from '#contract/durations.ts'
import { isQuiet, quiet } from './unsaved.ts'
import { noteVisit } from './visit.ts'

/**
 * Loads the page anew at the product's time after a create, or the given address instead; later when another form or a
 * write would suffer, and not at all without a connection or once the person has gone on to another page.
 */
export async function reloadAfterCreate(ownForm: string, target?: string): Promise<void> {
  const isHere = noteVisit()
  await passed()
  while (!isQuiet(ownForm)) {
    await quiet(ownForm)
    // What ended just now has its notice on screen.
    await passed()
  }
  if (!navigator.onLine || !isHere()) return
  if (target === undefined) location.reload()
  else location.assign(target)
}

function passed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, reloadAfterCreateMs))
}
