import { delay } from '#client/browser/delay.ts'
import { isQuiet, quiet } from './unsaved.ts'
import { trackPage } from './page-visit.ts'

interface ReloadOptions {
  /** From the notice to the reload, in milliseconds. */
  readonly afterMs: number
  readonly target?: string | undefined
}

/**
 * Loads the page anew some time after a create, or the given address instead; later when another form or a
 * write would suffer, and not at all without a connection or once the person has gone on to another page.
 */
export async function reloadAfterCreate(
  ownForm: string,
  { afterMs, target }: ReloadOptions,
): Promise<void> {
  const isHere = trackPage()
  await delay(afterMs)
  while (!isQuiet(ownForm)) {
    await quiet(ownForm)
    // What ended just now has its notice on screen.
    await delay(afterMs)
  }
  if (!navigator.onLine || !isHere()) return
  if (target === undefined) location.reload()
  else location.assign(target)
}
