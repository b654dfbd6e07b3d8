import type { Changed } from '../db/changes.ts'
import { lastChange, type Thing } from '../db/last-changes.ts'
import type { Executor } from '../db/tables.ts'
import type { Services } from '../services.ts'
import type { Call } from './env.ts'
import { versionTag } from './etag.ts'
import { Problem } from '../problem.ts'

/** Throws 404 when there is no row, 412 with the current row when another version was named. */
export async function rowOrThrow<T extends { readonly version: number }>(
  x: Executor,
  changed: Changed<T>,
  { thing, toJson }: { readonly thing: Thing; readonly toJson: (row: T) => object },
): Promise<T> {
  if (changed.outcome === 'done') return changed.value
  if (changed.outcome === 'missing') throw new Problem('no-encontrado')
  const { version } = changed.current
  const current = await withLastChange(x, thing, toJson(changed.current))
  throw new Problem('version-cambiada', { current, headers: { etag: versionTag(version) } })
}

/** Adds when and on which device the current row was changed, as far as is known. */
export async function withLastChange(x: Executor, thing: Thing, current: object): Promise<object> {
  const changed = await lastChange(x, thing)
  return { ...current, ...(changed && { changed }) }
}

/** The moment and the device that are noted with a change. */
export function madeBy(call: Call, { now }: Pick<Services, 'now'>) {
  return { now: now(), device: call.var.session?.device ?? '' }
}
