import { reloadAfterCreateMs } from '#contract/durations.ts'
import { quiet } from './unsaved.ts'

/**
 * Loads the page anew at the product's time after a create, or the given address instead;
 * later when another form or a write would suffer, and not at all without a connection.
 */
export async function reloadAfterCreate(ownForm: string, target?: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, reloadAfterCreateMs))
  await quiet(ownForm)
  if (!navigator.onLine) return
  if (target === undefined) location.reload()
  else location.assign(target)
}
