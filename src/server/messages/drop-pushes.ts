import { messageTag } from '#contract/notifications/push.ts'
import type { Executor } from '../db/tables.ts'

/** Forgets notifications, waiting or given up, that tell of one of these messages alone: they carry its text. */
export async function dropPushesOf(x: Executor, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return
  const tags = new Set(messageIds.map((id) => messageTag + id))
  const jobs = await x
    .selectFrom('job')
    .select(['id', 'payload'])
    .where('kind', '=', 'push')
    .execute()
  const told = jobs.filter(({ payload }) => {
    const { tag } = JSON.parse(payload) as { readonly tag: string }
    return tags.has(tag)
  })
  for (const { id } of told) await x.deleteFrom('job').where('id', '=', id).execute()
}
