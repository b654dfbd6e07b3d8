import { hiddenField } from '#contract/entries/hidden.ts'
import { entriesPerPage, type ListPart } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'
import { tableOf, toEntry } from './entry-rows.ts'
import type { Executor } from './tables.ts'

/** What visitors see of a section's list on one page, and how many entries it has on all of them; page 0 only counts. */
export async function readListPage(
  x: Executor,
  section: Section,
  page: number,
  size = entriesPerPage,
): Promise<ListPart> {
  const visible = tableOf(x, section).selectFrom(section.key).where(hiddenField, '=', '')
  const isNewestFirst = section.order === 'newest-first'
  const direction = isNewestFirst ? 'desc' : 'asc'
  const rows =
    page === 0
      ? []
      : await visible
          .selectAll()
          .orderBy('position', direction)
          .orderBy('id', direction)
          .offset((page - 1) * size)
          // One more tells whether these are all.
          .limit(size + 1)
          .execute()
  const shown = rows.slice(0, size).map((row) => toEntry(section, row))
  const entries = isNewestFirst ? shown.toReversed() : shown
  if (page === 1 && rows.length <= size) return { entries, count: rows.length }
  const { count } = await visible
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return { entries, count: Number(count) }
}
