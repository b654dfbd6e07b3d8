import type { QueryClient } from '@tanstack/react-query'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { storedEntries } from './hidden-entries.ts'
import type { Row, Subject } from './operation.ts'
import { overlayEntries, overlayPerson, overlaySettings, type Queued } from './overlay-rows.ts'
import { sectionOf } from './section-of.ts'

/** What a form opened now would start from: the page's row with the queue on top; undefined for what the page has not read. */
export function rowShown(
  queryClient: QueryClient,
  subject: Subject,
  queued: Queued,
): Row | undefined {
  if (subject.on === 'person') {
    const person = queryClient.getQueryData(personQuery.queryKey)
    return person && overlayPerson(person, queued)
  }
  if (subject.on === 'settings') {
    const { key } = subject
    const values = queryClient.getQueryData(settingsQuery.queryKey)
    if (!values || key === undefined) return undefined
    const shown = Object.entries(overlaySettings(values, queued.operations))
    return { version: 0, fields: Object.fromEntries(shown.filter(([name]) => name === key)) }
  }
  if (subject.on !== 'entry') return undefined
  const rows = storedEntries(queryClient, sectionOf(subject))
  return overlayEntries(subject.section, rows, queued).find(({ id }) => id === subject.id)
}
