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

export function ListPage({ section, page }: ListPageProps) {
  // Deferred, so that the page on screen stays until the owner's code is there.
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
  /** The places of the list, including those of entries deleted just now; absent: as many as entries. */
  readonly places?: number
  readonly tools?: ReactNode
  /** Replaces the visitors' words for the number of entries. */
  readonly count?: string
  /** Stands between the heading and the list. */
  readonly panel?: ReactNode
  /** Replaces the visitors' list of entries, unless it gives nothing; of a list of which only a part is known it is given none. */
  readonly renderEntries?: (
    entries: readonly ShownEntry[] | undefined,
    isFresh: boolean,
  ) => ReactNode
}

export function SectionList(props: SectionListProps) {
  const { section, count, tools, panel, renderEntries } = props
  const { whole, shown, page, pages, length, query } = useList(props)
  const isPending = query.isPending && !!whole
  const [isFresh] = useState(isPending)
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{titleOfPage(section, page)}</h1>
        <p>{count ?? (length > 0 && countOf(section, length))}</p>
        {tools}
      </header>
      {panel}
      {isPending ? (
        <div role="status" aria-busy="true">
          <span className="sr-only">{texts.loading}</span>
          <ListSkeleton section={section} />
        </div>
      ) : (
        <>
          {renderEntries?.(whole, isFresh) ??
            (length > 0 ? (
              <EntryList section={section} entries={shown} isFresh={isFresh} />
            ) : query.data ? (
              <EmptyList section={section} />
            ) : (
              <LoadFailed onRetry={() => void query.refetch()} />
            ))}
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
  // Of three pages the one between the first and the last has room, wherever she is.
  const middle = pages === 3 ? 2 : page
  return (
    <nav className="pager" aria-label={texts.pages}>
      {page > 1 && link(page - 1, texts.previous)}
      <ol>
        {[...new Set([1, middle, pages])].map((number) => (
          <li key={number}>{link(number)}</li>
        ))}
      </ol>
      {page < pages && link(page + 1, texts.next)}
    </nav>
  )
}

interface List {
  /** With the queued changes on top; undefined while only a part of the list is known. */
  readonly whole: readonly ShownEntry[] | undefined
  /** The entries on this page. */
  readonly shown: readonly ShownEntry[]
  readonly page: number
  readonly pages: number
  /** The number of entries on all pages. */
  readonly length: number
  readonly query: Pick<UseQueryResult, 'data' | 'isPending' | 'refetch'>
}

/** Judges by the newest state of the list that is known. */
export function useIsBeyond(section: Section, page: number): boolean {
  const whole = useQuery(entriesQuery(section))
  // The server said how many there are where it had nothing else to show.
  const end = useQueryClient().getQueryState(listPartQuery(section, 0).queryKey)
  const isWholeNewer = whole.dataUpdatedAt >= (end?.dataUpdatedAt ?? 0)
  const count = isWholeNewer ? whole.data?.length : end?.data?.count
  return count !== undefined && page > pagesOf(count)
}

/** A part of a list as the server drew it; undefined once the whole list is as new. */
export function useDrawnPart(
  section: Section,
  which: number | 'cv',
  whole: Pick<UseQueryResult, 'data' | 'dataUpdatedAt'>,
): ListPart | undefined {
  const drawn = useQueryClient().getQueryState(listPartQuery(section, which).queryKey)
  const isNewer = !whole.data || whole.dataUpdatedAt < (drawn?.dataUpdatedAt ?? 0)
  return isNewer ? drawn?.data : undefined
}

function useList({ section, page: asked, places, renderEntries }: SectionListProps): List {
  const query = useQuery(entriesQuery(section))
  // What only the owner sees comes with the marks that say so.
  const rows = useEntries(section.key, query.data ?? none, !!renderEntries)
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

/** How many entries a list has, in its section's words. */
export function countOf({ words }: Section, count: number): string {
  return count === 1 ? words.one : fill(words.many, { n: count })
}
