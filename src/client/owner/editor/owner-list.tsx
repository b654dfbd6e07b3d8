import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useState } from 'react'
import { isHidden } from '#contract/entries/hidden.ts'
import { pagesOf, pathOfPage, rowsOn } from '#contract/entries/list-pages.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { useEntries, type ShownEntry } from '#client/data/overlay.ts'
import { entriesQuery, listPartQuery } from '#client/data/queries.ts'
import { SyncMark } from '#client/owner/changes/sync-mark.tsx'
import { placeBehind } from '#client/outbox/place.ts'
import { ListFrame, loadOf } from '#client/site/entry-list.tsx'
import { EntryView } from '#client/site/entry-view.tsx'
import { SectionList } from '#client/site/list-page.tsx'
import { Button } from '#client/ui/button.tsx'
import { LoadFailed } from '#client/site/list-states.tsx'
import { DeadLinkBadge } from './dead-link.tsx'
import { HiddenBadge, PublishBar } from './hidden-mark.tsx'
import { useIsHiddenRead } from './hidden-query.ts'
import { hiddenCount } from './hidden-words.ts'
import { useCarriedFocus } from './carried-focus.ts'
import { NewEntryButton, NewEntryPanel } from './new-entry.tsx'
import { OrderPage } from './order-page.tsx'
import { OwnerControls } from './owner-controls.tsx'
import { OwnEmptyList } from './own-empty-list.tsx'
import { pageOfRow } from './page-of-row.ts'
import { forgetRemovedEntries, useRemoved, type RemovedEntry } from './removed-entries.ts'
import { RemovedRow } from './removed-row.tsx'
import { useQueuedEntries, useWholeList } from './whole-list.ts'
import '#client/styles/owner.css'

const none: readonly ShownEntry[] = []

interface OwnerListProps {
  readonly section: Section
  readonly page: number
}

export function OwnerList({ section, page }: OwnerListProps) {
  const [isOpen, setOpen] = useState(false)
  const [isOrdering, setOrdering] = useState(false)
  const { entries, isRead } = useWholeList(section)
  const query = useQuery(entriesQuery(section))
  const part = useQueryClient().getQueryData(listPartQuery(section, page).queryKey)
  // How many wait is not how many there are; a part of the list says how many these are.
  const unread = query.isError && !part ? '' : undefined
  const count = isRead ? hiddenCount(section, entries) : unread
  const queued = useQueuedEntries(section)
  const places = rowsOf(entries, useRemoved(section)).length
  const isWhole = useIsHiddenRead()
  const navigate = useNavigate()
  useCarriedFocus()
  useEffect(() => () => forgetRemovedEntries(section), [section])
  if (isOrdering) {
    return (
      <OrderPage
        section={section}
        onDone={() => {
          setOrdering(false)
          focusSort()
        }}
      />
    )
  }
  const overlaid = query.isError && !isRead && queued.length > 0 ? part?.entries : undefined
  const renderEntries = (whole: readonly ShownEntry[] | undefined, isFresh: boolean) =>
    whole ? (
      <OwnerEntries
        section={section}
        page={page}
        entries={whole}
        query={query}
        isFresh={isFresh}
        onAdd={() => setOpen(true)}
      />
    ) : (
      overlaid && <PartWithChanges section={section} part={overlaid} />
    )
  return (
    <SectionList
      section={section}
      page={page}
      {...(count !== undefined && { count })}
      places={places}
      tools={
        <NewEntryButton section={section} isOpen={isOpen} setOpen={setOpen}>
          <SortButton section={section} onPress={() => setOrdering(true)} />
        </NewEntryButton>
      }
      panel={
        <>
          <NewEntryPanel
            section={section}
            isOpen={isOpen}
            setOpen={setOpen}
            onCreated={() => {
              // A new entry stands at the end of the order in which entries were made.
              const last = pageOfRow(section, entries.length, entries.length + 1)
              if (isRead && last !== page) void navigate({ to: pathOfPage(section, last) })
            }}
          />
          {overlaid && <WaitingOverPart section={section} part={overlaid} queued={queued} />}
        </>
      }
      {...(isWhole && { renderEntries })}
    />
  )
}

interface PartProps {
  readonly section: Section
  /** What the server drew of a list that the device cannot read, in the server's order. */
  readonly part: readonly Entry[]
}

const isIn = (rows: readonly Entry[], { id }: Entry) => rows.some((row) => row.id === id)

interface WaitingProps extends PartProps {
  readonly queued: readonly ShownEntry[]
}

/** What waits and has no place in the part, above it. */
function WaitingOverPart({ section, part, queued }: WaitingProps) {
  const entries = queued.filter((entry) => !isIn(part, entry))
  if (entries.length === 0) return null
  return <UnreadEntries section={section} entries={entries} className="waiting-list" />
}

/** The part with what waits for its entries, each in its place. */
function PartWithChanges({ section, part }: PartProps) {
  const entries = useEntries(section.key, part, true).filter((entry) => isIn(part, entry))
  return <UnreadEntries section={section} entries={entries} />
}

interface UnreadEntriesProps {
  readonly section: Section
  readonly entries: readonly ShownEntry[]
  readonly className?: string
}

function UnreadEntries({ section, entries, className = '' }: UnreadEntriesProps) {
  const shown = section.order === 'newest-first' ? entries.toReversed() : entries
  return (
    <ListFrame section={section} className={className}>
      {shown.map((entry, index) => (
        <li key={entry.id} className={classOf(entry)}>
          <EntryView
            section={section}
            entry={entry}
            load={loadOf(section, index)}
            controls={<OwnerEntry section={section} entry={entry} list={none} />}
          />
        </li>
      ))}
    </ListFrame>
  )
}

interface SortButtonProps {
  readonly section: Section
  readonly onPress: () => void
}

const sortId = 'sort-entries'

/** Absent where there are too few entries to order. */
function SortButton({ section, onPress }: SortButtonProps) {
  const { entries } = useWholeList(section)
  if (entries.length < 2) return null
  return (
    <Button
      id={sortId}
      tone="ghost"
      icon="sort"
      aria-label={orderTexts.sort}
      title={orderTexts.sort}
      onClick={onPress}
    >
      <span>{orderTexts.sort}</span>
    </Button>
  )
}

/** Focuses the button once it is on the page again. */
function focusSort(): void {
  requestAnimationFrame(() => document.getElementById(sortId)?.focus())
}

interface OwnerEntriesProps extends OwnerListProps {
  /** In the server's order. */
  readonly entries: readonly ShownEntry[]
  /** Looked at from where it stays: whoever begins to look at one that failed has it asked for again. */
  readonly query: Pick<UseQueryResult, 'data' | 'isError' | 'refetch'>
  readonly isFresh: boolean
  readonly onAdd: () => void
}

type ListRow = { readonly id: string } & (
  | { readonly entry: ShownEntry }
  | { readonly removed: RemovedEntry }
)

function OwnerEntries({ section, page, entries, query, isFresh, onAdd }: OwnerEntriesProps) {
  const { data, isError, refetch } = query
  const queued = useQueuedEntries(section)
  const removed = useRemoved(section)
  const all = rowsOf(data ? entries : queued, removed)
  const rows = rowsOn(section, all, Math.min(page, pagesOf(all.length)))
  const shown = section.order === 'newest-first' ? rows.toReversed() : rows
  return (
    <>
      {data !== undefined && entries.length === 0 && (
        <OwnEmptyList section={section} onAdd={onAdd} />
      )}
      {rows.length > 0 && (
        <ListFrame section={section} className={isFresh ? 'stagger' : ''}>
          {shown.map((row, index) => (
            <Fragment key={row.id}>
              {'removed' in row ? (
                <RemovedRow item={row.removed} />
              ) : (
                <li className={classOf(row.entry)}>
                  <EntryView
                    section={section}
                    entry={row.entry}
                    load={loadOf(section, index)}
                    controls={<OwnerEntry section={section} entry={row.entry} list={entries} />}
                    note={isHidden(row.entry) && <PublishBar section={section} entry={row.entry} />}
                  />
                </li>
              )}
            </Fragment>
          ))}
        </ListFrame>
      )}
      {isError && !data && <LoadFailed onRetry={() => void refetch()} />}
    </>
  )
}

interface OwnerEntryProps {
  readonly section: Section
  readonly entry: ShownEntry
  /** The list that holds it, in the server's order. */
  readonly list: readonly ShownEntry[]
}

function OwnerEntry({ section, entry, list }: OwnerEntryProps) {
  const { id, sync } = entry
  return (
    <>
      {!sync && isHidden(entry) && <HiddenBadge section={section} />}
      {!sync && !isHidden(entry) && <DeadLinkBadge section={section} entry={entry} />}
      {sync && (
        <SyncMark
          sync={sync}
          subject={{ on: 'entry', section: section.key, id }}
          isSmall={section.display.kind === 'icon'}
        />
      )}
      {/* Of one that this device has not read there is nothing to edit. */}
      {list.some((one) => one.id === id) && (
        <OwnerControls section={section} entry={entry} list={list} />
      )}
      {isHidden(entry) && section.display.kind === 'icon' && (
        <PublishBar section={section} entry={entry} />
      )}
    </>
  )
}

function classOf(entry: ShownEntry): string {
  const { sync } = entry
  return ['item', sync && `is-${sync}`, isHidden(entry) && 'is-hidden'].filter(Boolean).join(' ')
}

/** The entries, with those deleted just now in their former places. */
function rowsOf(
  entries: readonly ShownEntry[],
  removed: readonly RemovedEntry[],
): readonly ListRow[] {
  const rows: readonly ListRow[] = entries.map((entry) => ({ id: entry.id, entry }))
  return removed
    .filter(({ entry }) => !rows.some(({ id }) => id === entry.id))
    .reduce<readonly ListRow[]>(
      (placed, item) => placeBehind(placed, { id: item.entry.id, removed: item }, item.behind),
      rows,
    )
}
