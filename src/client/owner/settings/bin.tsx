import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { binDays, binPlace } from '#contract/entries/bin.ts'
import { dayMs } from '#contract/durations.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { texts } from '#contract/texts/site.ts'
import { tellKept, tellResult } from '#client/owner/changes/change-notices.ts'
import { eraseEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { binKey } from '#client/outbox/show-applied.ts'
import { restoreFromBin } from '#client/owner/editor/removed-entries.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { EntryThumb } from '#client/site/entry-thumb.tsx'
import { Alert } from '#client/ui/alert.tsx'
import { Button, buttonClass, IconButton } from '#client/ui/button.tsx'
import { DangerQuestion } from '#client/ui/danger-question.tsx'
import { dateText, nightsBetween } from '#client/ui/date-text.ts'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter, useRowFocus } from '#client/ui/lost-focus.ts'
import { showNotice } from '#client/ui/notices.ts'
import { useNow } from '#client/ui/use-now.ts'
import { weightText } from './backup-words.ts'
import { useBin, type BinItem } from './bin-list.ts'
import { SettingLine } from './setting-line.tsx'
import { readAnew } from '#client/owner/calls/read-anew.ts'
import { withinSettings } from './within-settings.ts'

/** With so few days left the words are stressed. */
const fewDays = 4

export function BinLine() {
  return (
    <div className="card">
      <SettingLine title={binTexts.title} hint={fill(binTexts.about, { n: binDays })}>
        <Link
          className={buttonClass({ tone: 'ghost', small: true })}
          {...withinSettings}
          hash={binPlace}
        >
          <Icon name="trash" />
          {binTexts.open}
        </Link>
      </SettingLine>
    </div>
  )
}

export function Bin() {
  const { items, isRead, trouble, refetch } = useBin()
  const now = useNow()
  const lead = useRowFocus<HTMLDivElement>()
  const rows = useRowFocus<HTMLUListElement>()
  const count = items.length
  return (
    <>
      <Link className="crumb" {...withinSettings} hash={otherPlaces.data}>
        <Icon name="back" />
        {copiesTexts.title}
      </Link>
      <header className="page-head">
        <h1 className="caret">{binTexts.title}</h1>
        <p role="status">{isRead || count > 0 ? countWords(count) : ''}</p>
      </header>
      {trouble && (
        <Alert role="alert" title={binTexts.unread} words={binTexts.unreadHint}>
          <Button ref={focusTitleAfter} tone="ghost" small onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        </Alert>
      )}
      {count > 0 && (
        <div className="bin-lead" {...lead}>
          <p>{fill(binTexts.lead, { n: binDays })}</p>
          <Emptying items={items.filter(({ isPending }) => !isPending)} />
        </div>
      )}
      {count > 0 && (
        <ul className="card rows bin-list" {...rows}>
          {items.map((item) => (
            <BinRow key={item.entry.id} item={item} now={now} />
          ))}
        </ul>
      )}
      {count === 0 && isRead && (
        <div className="empty hers">
          <span className="bubble">
            <Icon name="trash" />
          </span>
          <h2>{binTexts.empty}</h2>
          <p>{fill(binTexts.emptyHint, { n: binDays })}</p>
        </div>
      )}
    </>
  )
}

/** Deletes everything in the server's bin for good, each entry only in the version she sees. */
function Emptying({ items }: { readonly items: readonly BinItem[] }) {
  const queryClient = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  if (items.length === 0) return null
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  const { emptyOne, emptyMany, emptied, emptiedFreed, frees, eraseFailed } = binTexts
  const empty = async () => {
    setAsked(false)
    const results = await Promise.all(
      items.map(({ section, entry }) =>
        submitChange(eraseEntryOperation(section, entry), { queryClient }),
      ),
    )
    const waiting = results.find(({ state }) => state === 'queued')
    const isRefused = results.some(({ state }) => state === 'refused')
    if (waiting?.state === 'queued') void tellKept(waiting, eraseFailed)
    if (isRefused) {
      void showNotice('error-snackbar', eraseFailed)
      void readAnew(queryClient, binKey)
    }
    if (!waiting && !isRefused)
      void showNotice('success-snackbar', freedWords(emptied, emptiedFreed, bytes))
  }
  return (
    <>
      <Button tone="ghost" small icon="trash" onClick={() => setAsked(true)}>
        {binTexts.emptyBin}
      </Button>
      {isAsked && (
        <DangerQuestion
          title={binTexts.confirmEmpty}
          yes={binTexts.emptyBin}
          no={queueTexts.keep}
          onYes={() => void whileBusy(empty)}
          onNo={() => setAsked(false)}
        >
          {items.length === 1 ? emptyOne : fill(emptyMany, { n: items.length })}{' '}
          {bytes > 0 ? `${fill(frees, { weight: weightText(bytes) })} ` : null}
          {binTexts.eraseHint}
        </DangerQuestion>
      )}
    </>
  )
}

function freedWords(plain: string, withWeight: string, bytes: number): string {
  return bytes > 0 ? fill(withWeight, { weight: weightText(bytes) }) : plain
}

function countWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? binTexts.one : fill(binTexts.many, { n: count })
}

function BinRow({ item, now }: { readonly item: BinItem; readonly now: number }) {
  const queryClient = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { section, entry, isPending, bytes } = item
  const { display, words } = section
  const name = entry.fields[display.title] ?? ''
  const restore = () => void whileBusy(() => restoreFromBin(item, queryClient))
  const erase = async () => {
    setAsked(false)
    const result = await submitChange(eraseEntryOperation(section, entry), { queryClient })
    tellResult(result, {
      saved: freedWords(binTexts.erased, binTexts.erasedFreed, bytes),
      failed: binTexts.eraseFailed,
    })
    // An entry may have been deleted again since, with other texts.
    if (result.state === 'refused') void readAnew(queryClient, binKey)
  }
  return (
    <li>
      <EntryThumb section={section} entry={entry} size={44} />
      <div>
        <b>{name}</b>
        <small>
          {capital(words.noun)} · {isPending ? binTexts.pending : <Ages item={item} now={now} />}
        </small>
      </div>
      <span className="ways">
        <Button
          tone="ghost"
          small
          icon="undo"
          aria-label={fill(binTexts.restoreName, { name })}
          onClick={restore}
        >
          {binTexts.restore}
        </Button>
        {!isPending && (
          <IconButton
            className="del"
            icon="trash"
            label={fill(binTexts.eraseName, { name })}
            title={binTexts.erase}
            onClick={() => setAsked(true)}
          />
        )}
      </span>
      {isAsked && (
        <DangerQuestion
          title={fill(binTexts.confirmErase, { name })}
          yes={binTexts.erase}
          no={queueTexts.keep}
          onYes={() => void whileBusy(erase)}
          onNo={() => setAsked(false)}
        >
          {bytes > 0 ? `${fill(binTexts.frees, { weight: weightText(bytes) })} ` : null}
          {binTexts.eraseHint}
        </DangerQuestion>
      )}
    </li>
  )
}

/** Says when it was deleted, and how long it can still come back. */
function Ages({ item: { removedAt }, now }: { readonly item: BinItem; readonly now: number }) {
  // A clock that was ahead may have dated it.
  const lain = Math.max(0, now - Date.parse(removedAt)) / dayMs
  const left = Math.max(1, Math.ceil(binDays - lain))
  const words = left === 1 ? binTexts.oneDayLeft : fill(binTexts.daysLeft, { n: left })
  return (
    <>
      {removedWords(removedAt, now)} ·{' '}
      <span className={left < fewDays ? 'bad' : undefined}>{words}</span>
    </>
  )
}

function removedWords(at: string, now: number): string {
  const nights = nightsBetween(at, now)
  if (nights < 1) return binTexts.today
  return nights === 1 ? binTexts.yesterday : fill(binTexts.on, { date: dateText(at, now) })
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
