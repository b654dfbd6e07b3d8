import { useQuery } from '@tanstack/react-query'
import type { Entry, Section } from '#contract/sections/section.ts'
import { useEntries, type ShownEntry } from '#client/data/overlay.ts'
import { entriesQuery } from '#client/data/queries.ts'

const none: readonly Entry[] = []

interface WholeList {
  /** In the server's order, with the hidden ones and the queued changes; none while the list is not read. */
  readonly entries: readonly ShownEntry[]
  readonly isRead: boolean
}

/** What the owner has in a section. */
export function useWholeList(section: Section): WholeList {
  const { data } = useQuery(entriesQuery(section))
  return { entries: useEntries(section.key, data ?? none, true), isRead: data !== undefined }
}
