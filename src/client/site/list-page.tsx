import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState, type ReactNode } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts.ts'
import { entriesQuery } from '#client/data/queries.ts'
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
}

/** The page of any section, with the owner's tools for her. */
export function ListPage({ section }: ListPageProps) {
  // Deferred: what is on screen stays until the owner's code is there.
  const isOwner = useDeferredValue(isAdmin(useSession()))
  const list = <SectionList section={section} />
  return (
    <Suspense fallback={list}>
      {isOwner ? <OwnerList section={section}>{list}</OwnerList> : list}
    </Suspense>
  )
}

interface SectionListProps extends ListPageProps {
  readonly tools?: ReactNode
  /** How many entries there are, in other words than the visitors'. */
  readonly count?: string
  /** Between the heading and the list. */
  readonly panel?: ReactNode
  /** Draws the entries in the visitors' list's place. */
  readonly renderEntries?: (entries: readonly ShownEntry[], isFresh: boolean) => ReactNode
}

/** A section's heading, the number of its entries and the list in whatever state it is. */
export function SectionList({ section, count, tools, panel, renderEntries }: SectionListProps) {
  const { data, isPending, isError, refetch } = useQuery(entriesQuery(section))
  const entries = useEntries(section.key, data ?? none, true)
  const [isFresh] = useState(isPending)
  const { length } = entries
  const list =
    renderEntries?.(entries, isFresh) ??
    (length === 0 ? (
      <EmptyList section={section} />
    ) : (
      <EntryList section={section} entries={entries} isFresh={isFresh} />
    ))
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{section.title}</h1>
        <p>{count ?? (length > 0 ? countOf(section, length) : '')}</p>
        {tools}
      </header>
      {panel}
      {isPending ? (
        <div role="status" aria-busy="true">
          <span className="sr-only">{texts.loading}</span>
          <ListSkeleton section={section} />
        </div>
      ) : !data && length === 0 ? (
        <LoadFailed onRetry={() => void refetch()} />
      ) : (
        <>
          {isError && (
            <p className="saved-copy" role="status">
              {texts.savedCopy}
            </p>
          )}
          {list}
        </>
      )}
    </>
  )
}

/** How many entries a section has, in its own words. */
export function countOf({ words }: Section, count: number): string {
  return count === 1 ? words.one : fill(words.many, { n: count })
}
