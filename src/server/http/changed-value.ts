import type { Changed } from '../db/content.ts'
import { versionTag } from './etag.ts'
import { Problem } from './problem.ts'

/** The row after its change. Throws 404 when there is none, 412 with the current row when another version was named. */
export function changedValue<T extends { readonly version: number }>(
  changed: Changed<T>,
  toJson: (row: T) => unknown,
): T {
  if (changed.outcome === 'done') return changed.value
  if (changed.outcome === 'missing') throw new Problem('no-encontrado')
  const { current } = changed
  const headers = { etag: versionTag(current.version) }
  throw new Problem('version-cambiada', { current: toJson(current), headers })
}
