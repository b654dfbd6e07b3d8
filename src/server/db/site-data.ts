import type { SiteData } from '#contract/api.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import { entriesOnCv, entriesPerPage, type ListPart } from '#contract/entries/list-pages.ts'
import type { ShownEntries } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { listEntries } from './entries.ts'
import { readPerson } from './person.ts'
import { readSettings } from './settings.ts'
import { tableOf, toEntry } from './entry-rows.ts'
import type { Executor } from './tables.ts'

/** The last entry of a section that visitors see, as a list of one or none. */
async function latestEntry(x: Executor, section: Section): Promise<readonly Entry[]> {
  const row = await tableOf(x, section)
    .selectFrom(section.key)
    .selectAll()
    .where(hiddenField, '=', '')
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? [toEntry(section, row)] : []
}

/**
 * What the pages are drawn from, with those entries of each section that are shown; of all that there are `visitorsSite` leaves
 * out what only the owner sees. Read `siteRevision` first: a change in between then only costs one more reading.
 */
export async function readSite(
  x: Executor,
  shown: (section: Section) => ShownEntries = () => 'all',
  now = new Date(),
): Promise<SiteData> {
  const [person, settings, ...lists] = await Promise.all([
    readPerson(x),
    readSettings(x, now),
    ...sections.map(async (section) => {
      const { key } = section
      return { key, ...(await readShown(x, section, shown(section))) }
    }),
  ])
  const counted = lists.flatMap(({ key, count }) => (count === undefined ? [] : [[key, count]]))
  return {
    person,
    settings,
    entries: Object.fromEntries(lists.map(({ key, entries }) => [key, entries])),
    counts: Object.fromEntries(counted) as Readonly<Record<string, number>>,
  }
}

async function readShown(
  x: Executor,
  section: Section,
  shown: ShownEntries,
): Promise<Omit<ListPart, 'count'> & Partial<ListPart>> {
  if (typeof shown === 'number') return readListPage(x, section, shown)
  if (shown === 'cv') return readListPage(x, section, 1, entriesOnCv)
  if (shown === 'none') return { entries: [] }
  return { entries: await (shown === 'all' ? listEntries : latestEntry)(x, section) }
}

/** What visitors see of a section's list on one page, and how many entries it has on all of them; page 0 only counts. */
async function readListPage(
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
