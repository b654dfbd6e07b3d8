import { queryOptions } from '@tanstack/react-query'
import { hourMs } from '#contract/durations.ts'
import { linksCall, type DeadLink, type LinkStatus } from '#contract/links.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { callInBackground } from '#client/session/background-call.ts'

/** Asked by the page itself, once an hour. */
export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: async () => (await callInBackground('GET', linksCall)).json as LinkStatus,
  staleTime: hourMs,
  refetchOnWindowFocus: true,
  refetchOnReconnect: true,
  retry: false,
})

/** Only while the entry still holds the link. */
export function deadIn(
  status: LinkStatus | undefined,
  { key }: Pick<Section, 'key'>,
  entries: readonly Pick<Entry, 'id' | 'fields'>[],
): readonly DeadLink[] {
  return (status?.dead ?? []).filter(({ link, places }) =>
    places.some(
      (place) =>
        'section' in place &&
        place.section === key &&
        entries.some(({ id, fields }) => id === place.id && Object.values(fields).includes(link)),
    ),
  )
}
