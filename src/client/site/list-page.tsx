import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useState, type ReactNode } from 'react'
import { pagesOf, pathOfPage, rowsOn, type ListPart } from '#contract/entries/list-pages.ts'
import { titleOfPage } from '#contract/pages.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { entriesQuery, listPartQuery } from '#client/data/queries.ts'
import { useEntries, type ShownEntry } from '#client/data/overlay.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { EntryList } from './entry-list.tsx'
import { part } from '#client/data/part.ts'
import { EmptyList, ListSkeleton, LoadFailed } from './list-states.tsx'

// Only the owner's browser ever asks for this code.
const OwnerList = part<ListPageProps & { readonly children: ReactNode }>(
  async () => (await import('#client/owner/editor/owner-list.tsx')).OwnerList,
)

const none: readonly Entry[] = []

interface ListPageProps {
  readonly section: Section
  readonly page: number
}

/** The page of any section, with the owner's tools for her. */
export function ListPage({ section, page }: ListPageProps) {
  // Deferred: what is on screen stays until the owner's code is there.
  const isOwner = useDeferredValue(isAdmin(useSession()))
  const list = <SectionList section={section} page={page} />
  return (
    <Suspense fallback={list}>
      {isOwner ? (
        <OwnerList section={section} page={page}>
          {list}
        </OwnerList>
      ) : (
        list
      )}
    </Suspense>
  )
}

interface SectionListProps extends ListPageProps {
  /** How many places the list has, with those of entries that were deleted just now; as many as entries when absent. */
  readonly places?: number
  readonly tools?: ReactNode
  /** How many entries there are, in other words than the visitors'. */
  readonly count?: string
  /** Between the heading and the list. */
  readonly panel?: ReactNode
  /** Draws the entries in the visitors' list's place. */
  readonly renderEntries?: (entries: readonly ShownEntry[], isFresh: boolean) => ReactNode
}

/** A section's heading, the number of its entries and the list in whatever state it is. */
export function SectionList(props: SectionListProps) {
  const { section, count, tools, panel, renderEntries } = props
  const { whole, shown, page, pages, length, query } = useList(props)
  const isPending = query.isPending && whole !== undefined
  const [isFresh] = useState(isPending)
  const list =
    (whole && renderEntries?.(whole, isFresh)) ??
    (length === 0 ? (
      <EmptyList section={section} />
    ) : (
      <EntryList section={section} entries={shown} isFresh={isFresh} />
    ))
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{titleOfPage(section, page)}</h1>
        <p>{count ?? (length > 0 ? countOf(section, length) : '')}</p>
        {tools}
      </header>
      {panel}
      {isPending ? (
        <div role="status" aria-busy="true">
          <span className="sr-only">{texts.loading}</span>
          <ListSkeleton section={section} />
        </div>
      ) : !query.data && length === 0 ? (
        <LoadFailed onRetry={() => void query.refetch()} />
      ) : (
        <>
          {list}
          <Pager section={section} page={page} pages={pages} />
        </>
      )}
    </>
  )
}

interface PagerProps {
  readonly section: Section
  readonly page: number
  readonly pages: number
}

function Pager({ section, page, pages }: PagerProps) {
  if (pages === 1) return null
  const link = (to: number, label: string | number = to) => (
    <Link to={pathOfPage(section, to)} activeOptions={{ exact: true }}>
      {label}
    </Link>
  )
  return (
    <nav className="pager" aria-label={texts.pages}>
      {page > 1 && link(page - 1, texts.previous)}
      <ol>
        {[...new Set([1, page, pages])].map((number) => (
          <li key={number}>{link(number)}</li>
        ))}
      </ol>
      {page < pages && link(page + 1, texts.next)}
    </nav>
  )
}

interface List {
  /** With what is queued on top; undefined while only a part of it is shown. */
  readonly whole: readonly ShownEntry[] | undefined
  /** What stands on the page. */
  readonly shown: readonly ShownEntry[]
  readonly page: number
  readonly pages: number
  /** How many entries there are on all pages. */
  readonly length: number
  readonly query: Pick<UseQueryResult, 'data' | 'isPending' | 'refetch'>
}

/** Whether a list has no such page, as the newest that is known of it says. */
export function useIsBeyond(section: Section, page: number): boolean {
  const whole = useQuery(entriesQuery(section))
  // The server said how many there are where it had nothing else to show.
  const end = useQueryClient().getQueryState(listPartQuery(section, 0).queryKey)
  const isWholeNewer = whole.dataUpdatedAt >= (end?.dataUpdatedAt ?? 0)
  const count = isWholeNewer ? whole.data?.length : end?.data?.count
  return count !== undefined && page > pagesOf(count)
}

/** A part of a list as the server drew it, until the whole is as new. */
export function useDrawnPart(
  section: Section,
  which: number | 'cv',
  whole: Pick<UseQueryResult, 'data' | 'dataUpdatedAt'>,
): ListPart | undefined {
  const drawn = useQueryClient().getQueryState(listPartQuery(section, which).queryKey)
  const isNewer = !whole.data || whole.dataUpdatedAt < (drawn?.dataUpdatedAt ?? 0)
  return isNewer ? drawn?.data : undefined
}

/** A section's list: whole, or the page's part of it as the server drew that, until the whole is as new. */
function useList({ section, page: asked, places }: SectionListProps): List {
  const query = useQuery(entriesQuery(section))
  const rows = useEntries(section.key, query.data ?? none, true)
  const drawn = useDrawnPart(section, asked, query)
  if (drawn) {
    const { entries, count } = drawn
    const pages = pagesOf(count)
    return { whole: undefined, shown: entries, page: asked, pages, length: count, query }
  }
  const { length } = rows
  const pages = pagesOf(places ?? length)
  const page = Math.min(asked, pages)
  return { whole: rows, shown: rowsOn(section, rows, page), page, pages, length, query }
}

/** How many entries a section has, in its own words. */
export function countOf({ words }: Section, count: number): string {
  return count === 1 ? words.one : fill(words.many, { n: count })
}
