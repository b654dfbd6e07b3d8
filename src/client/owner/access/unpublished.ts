import { hiddenSections } from '#contract/settings/settings.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { presentOutbox } from '#client/outbox/page-outbox.ts'
import { settingsQuery } from '#client/data/queries.ts'

/** What of the owner's this device still holds back. */
export function unpublished(): readonly Operation[] {
  const operations = presentOutbox()?.getState().operations ?? []
  return operations.filter(({ subject }) => subject.on !== 'message')
}

/** What this device alone still has once the page is gone; undefined while it keeps everything. */
export function leftOnDevice(): readonly Operation[] | undefined {
  return presentOutbox()?.left()
}

/** Sends the queue at once; resolves when nothing is left or something is in the way. */
export async function publishNow(): Promise<void> {
  await presentOutbox()?.drain({ force: true })
}

/** What this page has read of sections that visitors have not. */
export function hiddenSectionsEntries(): readonly Entry[] {
  const client = presentOutbox()?.queryClient
  const settings = client?.getQueryData(settingsQuery.queryKey)
  const hidden = settings ? hiddenSections(settings) : []
  return hidden.flatMap((name) => client?.getQueryData<readonly Entry[]>(['entries', name]) ?? [])
}
