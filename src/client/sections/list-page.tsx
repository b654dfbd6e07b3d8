import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { useShownEntries } from '#client/data/outbox/shown.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { EntryList } from './entry-list.tsx'
import { EmptyList, ListSkeleton, LoadFailed } from './list-states.tsx'

// Only the owner's browser ever asks for this code.
const loadNewEntry = () => import('./new-entry.tsx')
const NewEntryButton = lazy(async () => ({ default: (await loadNewEntry()).NewEntryButton }))
const NewEntryPanel = lazy(async () => ({ default: (await loadNewEntry()).NewEntryPanel }))

const none: readonly Entry[] = []

interface ListPageProps {
  readonly section: Section
}

/** The page of any section: its heading, the number of its entries and the list in whatever state it is. */
export function ListPage({ section }: ListPageProps) {
  const { data } = useQuery(entriesQuery(section))
  const { length } = useShownEntries(section.key, data ?? none)
  const isOwner = isAdmin(useSession())
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{section.title}</h1>
        <p>{length > 0 ? countOf(section, length) : ''}</p>
        {isOwner && (
          <Suspense fallback={null}>
            <NewEntryButton section={section} isOpen={isOpen} setOpen={setOpen} />
          </Suspense>
        )}
      </header>
      {isOwner && (
        <Suspense fallback={null}>
          <NewEntryPanel section={section} isOpen={isOpen} setOpen={setOpen} />
        </Suspense>
      )}
      <ListBody section={section} onAdd={isOwner ? () => setOpen(true) : undefined} />
    </>
  )
}

interface ListBodyProps extends ListPageProps {
  /** Opens the form of a new entry; absent for visitors. */
  readonly onAdd: (() => void) | undefined
}

function ListBody({ section, onAdd }: ListBodyProps) {
  const { data, isPending, isError, refetch } = useQuery(entriesQuery(section))
  const entries = useShownEntries(section.key, data ?? none)
  const [isFresh] = useState(isPending)
  if (isPending) {
    return (
      <div role="status" aria-busy="true">
        <span className="sr-only">{texts.loading}</span>
        <ListSkeleton section={section} />
      </div>
    )
  }
  if (!data && entries.length === 0) return <LoadFailed onRetry={() => void refetch()} />
  return (
    <>
      {isError && (
        <p className="saved-copy" role="status">
          {texts.savedCopy}
        </p>
      )}
      {entries.length === 0 ? (
        <EmptyList section={section} onAdd={onAdd} />
      ) : (
        <EntryList section={section} entries={entries} isOwner={!!onAdd} isFresh={isFresh} />
      )}
    </>
  )
}

function countOf({ words }: Section, count: number): string {
  return count === 1 ? words.one : fill(words.many, { n: count })
}
