import { reloadAfterCreateMs } from '#contract/durations.ts'
import { isQuiet, quiet } from './unsaved.ts'

/**
 * Loads the page anew at the product's time after a create, or the given address instead; later when another form or a
 * write would suffer, and not at all without a connection or once the person has gone on to another page.
 */
export async function reloadAfterCreate(ownForm: string, target?: string): Promise<void> {
  const begun = placeInHistory()
  await passed()
  while (!isQuiet(ownForm)) {
    await quiet(ownForm)
    // What ended just now has its notice on screen.
    await passed()
  }
  if (!navigator.onLine || placeInHistory() !== begun) return
  if (target === undefined) location.reload()
  else location.assign(target)
}

function passed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, reloadAfterCreateMs))
}

/** What tells one visit of a page from the next; browsers without the newer interface know at least the address. */
function placeInHistory(): string | undefined {
  return 'navigation' in globalThis ? navigation.currentEntry?.key : location.href
}
