import type { Changed } from '../db/changes.ts'
import { lastChange, type Thing } from '../db/last-changes.ts'
import type { Executor } from '../db/tables.ts'
import type { Services } from '../services.ts'
import type { Call } from './env.ts'
import { versionTag } from './etag.ts'
import { Problem } from '../problem.ts'

/** The row after its change. Throws 404 when there is none, 412 with the current row when another version was named. */
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

/** What stands now, and when and where it came to be so, as far as is known. */
export async function withLastChange(x: Executor, thing: Thing, current: object): Promise<object> {
  const changed = await lastChange(x, thing)
  return { ...current, ...(changed && { changed }) }
}

/** When and on which device a call is made, to be noted of what it changes. */
export function madeBy(call: Call, { now }: Pick<Services, 'now'>) {
  return { now: now(), device: call.var.session?.device ?? '' }
}
