import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { hourMs } from '#contract/durations.ts'
import { safeHref } from '#contract/link.ts'
import { linksCall, type DeadLink, type LinkPlace, type LinkStatus } from '#contract/links.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { linesOf } from '#contract/settings/profiles.ts'
import { useOverlay, useSettings } from '#client/data/overlay.ts'
import { entriesQuery, settingsQuery } from '#client/data/queries.ts'
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

type Holds = (place: LinkPlace, link: string) => boolean

/** Only the places that still hold the link: the server says where it stood when it was asked. */
function stillDead(status: LinkStatus | undefined, holds: Holds): readonly DeadLink[] {
  return (status?.dead ?? []).flatMap((dead) => {
    const places = dead.places.filter((place) => holds(place, dead.link))
    return places.length > 0 ? [{ ...dead, places }] : []
  })
}

/** The same address may be written otherwise elsewhere. */
const isIn = (values: readonly string[], link: string) =>
  values.some((value) => value === link || safeHref(value) === safeHref(link))

type Rows = readonly Pick<Entry, 'id' | 'fields'>[]

const isAt = (rows: Rows, { id: at }: { readonly id: string }, link: string) =>
  rows.some(({ id, fields }) => id === at && isIn(Object.values(fields), link))

/** The dead links of these entries. */
export function deadIn(
  status: LinkStatus | undefined,
  { key }: Pick<Section, 'key'>,
  entries: Rows,
): readonly DeadLink[] {
  return stillDead(
    status,
    (place, link) => 'section' in place && place.section === key && isAt(entries, place, link),
  )
}

/** All that the owner has, with her queued changes; what this page has not read counts as the server said. */
export function useDeadLinks(): readonly DeadLink[] {
  const queryClient = useQueryClient()
  const overlay = useOverlay()
  const settings: Partial<Readonly<Record<string, string>>> | undefined = useSettings(
    useQuery(settingsQuery).data,
  )
  return stillDead(useQuery(linksQuery).data, (place, link) => {
    if (!('section' in place)) return !settings || isIn(linesOf(settings[place.setting]), link)
    const section = sections.find(({ key }) => key === place.section)
    const rows = section && queryClient.getQueryData(entriesQuery(section).queryKey)
    return !rows || isAt(overlay?.entries(place.section, rows, true) ?? rows, place, link)
  })
}
