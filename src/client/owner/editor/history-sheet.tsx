import { useState } from 'react'
import { mostEarlier, type EarlierVersion, type History } from '#contract/entries/history.ts'
import { fill } from '#contract/text.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { texts } from '#contract/texts/site.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import type { Row } from '#client/outbox/operation.ts'
import { recentText } from '#client/owner/settings/backup-words.ts'
import { Loading } from '#client/site/loading.tsx'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { dateText, nightsBetween, timeText } from '#client/ui/date-text.ts'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { Sheet } from '#client/ui/sheet.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { FieldList } from './history-fields.tsx'
import { differing, useHistory, type HistoryThing } from './use-history.ts'

interface HistorySheetProps {
  readonly thing: HistoryThing
  readonly onClose: () => void
  readonly onReturn: (row: Row) => void
}

export function HistorySheet({ thing, onClose, onReturn }: HistorySheetProps) {
  const { history, trouble, refetch, goBack } = useHistory(thing, onReturn)
  const [chosen, choose] = useState<number>()
  const versions = history?.versions ?? []
  const version =
    chosen === presentNumber
      ? undefined
      : (versions.find((one) => one.number === chosen) ?? versions[0])
  const count = version ? Object.keys(differing(thing, version)).length : 0
  return (
    <Sheet
      className="modal history"
      title={thing.title}
      closeLabel={texts.close}
      onClose={onClose}
      foot={
        <>
          {count > 0 && (
            <p>
              <ins>{historyTexts.wouldReturn}</ins> · <del>{historyTexts.wouldGo}</del>.{' '}
              {historyTexts.stays}
            </p>
          )}
          <Button tone="ghost" onClick={onClose}>
            {texts.close}
          </Button>
          {version && count > 0 && (
            <Button
              onClick={() => {
                onClose()
                void whileBusy(() => goBack(version))
              }}
            >
              {historyTexts.goBack}
            </Button>
          )}
        </>
      }
    >
      {!history && !trouble && <Loading />}
      {!history && trouble && (
        <Alert
          role="alert"
          title={historyTexts.unread}
          words={trouble !== 'refused' && historyTexts.unreadHint}
        >
          <Button ref={focusTitleAfter} tone="ghost" small onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        </Alert>
      )}
      {history && versions.length === 0 && (
        <div className="empty">
          <span className="bubble">
            <Icon name="clock" />
          </span>
          <h3>{historyTexts.empty}</h3>
          <p>{fill(historyTexts.emptyHint, { n: mostEarlier })}</p>
        </div>
      )}
      {history && versions.length > 0 && (
        <>
          <VersionList
            thing={thing}
            history={history}
            chosen={version?.number ?? presentNumber}
            onChoose={choose}
          />
          <section
            className="changes"
            aria-label={version ? historyTexts.differences : historyTexts.present}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and whoever has no mouse has to get there
            tabIndex={0}
          >
            {trouble && <p className="hint">{historyTexts.old}</p>}
            <p className="sr-only" role="status">
              {version && countWords(count)}
            </p>
            {version && count === 0 && <p className="hint">{historyTexts.equal}</p>}
            <FieldList thing={thing} version={version} />
          </section>
        </>
      )}
    </Sheet>
  )
}

/** Stands for the present version, which has no number among the earlier ones. */
const presentNumber = 0

function countWords(count: number): string {
  if (count === 0) return historyTexts.equal
  return count === 1 ? historyTexts.oneChange : fill(historyTexts.changes, { n: count })
}

interface VersionListProps {
  readonly thing: HistoryThing
  readonly history: History
  readonly chosen: number
  readonly onChoose: (number: number) => void
}

function VersionList({ thing, history, chosen, onChoose }: VersionListProps) {
  const now = useNow()
  const rows = [
    { number: presentNumber, title: historyTexts.now, detail: presentWords(thing, history, now) },
    ...history.versions.map((version) => ({
      number: version.number,
      ...versionWords(version, now),
    })),
  ]
  return (
    <ul className="picks" aria-label={historyTexts.versions}>
      {rows.map(({ number, title, detail }) => (
        <li key={number}>
          <button
            type="button"
            aria-current={number === chosen ? 'true' : undefined}
            onClick={({ currentTarget }) => {
              onChoose(number)
              currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            }}
          >
            <b>{title}</b>
            <small>{detail}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

function presentWords({ now: row }: HistoryThing, { changed }: History, now: number): string {
  if (row.sync) return historyTexts.pending
  if (!changed) return historyTexts.published
  const isRecent = nightsBetween(changed.at, now) <= 1
  const words = isRecent ? historyTexts.publishedRecently : historyTexts.publishedOn
  return fill(words, { moment: recentText(changed.at, now) })
}

/** When and where a version was made; if that was not noted, only until when it stood. */
function versionWords({ made, replacedAt }: EarlierVersion, now: number) {
  if (!made) {
    const detail = fill(historyTexts.until, { moment: recentText(replacedAt, now) })
    return { title: historyTexts.unknown, detail }
  }
  const { at, device } = made
  const detail = [timeText(at), device].filter((text) => text !== undefined).join(' · ')
  return { title: dayText(at, now), detail }
}

function dayText(at: string, now: number): string {
  const nights = nightsBetween(at, now)
  if (nights < 1) return historyTexts.today
  return nights === 1 ? historyTexts.yesterday : dateText(at, now)
}
