import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BackupList, BackupStatus, BackupTrouble } from '#contract/backups.ts'
import { binPlace } from '#contract/entries/bin.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { texts } from '#contract/texts/site.ts'
import { ApiError } from '#client/data/api.ts'
import { backupsQuery, makeBackup } from './backups.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon, Sprite, type Symbols } from '#client/ui/icon.tsx'
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { useNow } from '#client/ui/use-now.ts'
import { BackupFiles } from './backup-files.tsx'
import { goodWords, recentText, troubleTitle, weightText } from './backup-words.ts'
import { useTrouble, type Trouble } from '#client/owner/calls/use-trouble.ts'
import { LineOutcome, SettingLine } from './setting-line.tsx'
import { withinSettings } from './within-settings.ts'

/** Lucide outlines (ISC). */
const backupSymbols: Symbols = {
  checked:
    'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4',
  save: 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5',
  history: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5M12 7v5l4 2',
}

interface Outcome {
  readonly isGood: boolean
  readonly words: string
}

export function BackupSettings() {
  const queryClient = useQueryClient()
  const now = useNow()
  const { data: list, error, refetch, isFetching } = useQuery(backupsQuery)
  const trouble = useTrouble(error)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const make = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      setOutcome({ isGood: true, words: await makeBackup(queryClient) })
    } catch (cause) {
      logProblem('No backup was made', cause)
      setOutcome({ isGood: false, words: refusalOf(cause) })
    }
    setBusy(false)
  }
  const onRemoved = (words: string) => setOutcome({ isGood: true, words })
  return (
    <>
      <Sprite symbols={backupSymbols} />
      {list ? <TroubleAlert {...{ list, now, isBusy }} onTry={() => void make()} /> : null}
      <div className="card backups">
        <SettingLine title={copiesTexts.heading} hint={statusWords(list?.status, now)}>
          <Button icon="checked" busy={isBusy} onClick={() => void make()}>
            {copiesTexts.make}
          </Button>
          <LineOutcome words={outcome?.words} isBad={outcome?.isGood === false} />
        </SettingLine>
        {list ? <BackupFiles {...{ list, now, onRemoved }} /> : null}
        {!list && trouble ? (
          <Unread trouble={trouble} isBusy={isFetching} onRetry={() => void refetch()} />
        ) : null}
        {!list && !trouble ? <Waiting /> : null}
        {list && trouble ? <p className="setting note">{copiesTexts.stale}</p> : null}
      </div>
      <Restoring />
    </>
  )
}

/** Without an answer the backup may still be in the making. */
function refusalOf(cause: unknown): string {
  if (!(cause instanceof ApiError)) return copiesTexts.unanswered
  return cause.mensaje ?? copiesTexts.notMade
}

function statusWords(status: BackupStatus | undefined, now: number): string {
  if (!status || status.lastGood === null) return copiesTexts.when
  const when = recentText(status.lastGood, now)
  if (status.trouble) return fill(copiesTexts.lastGood, { when })
  return `${copiesTexts.when} ${fill(copiesTexts.last, { when })}`
}

interface TroubleAlertProps {
  readonly list: BackupList
  readonly now: number
  readonly isBusy: boolean
  readonly onTry: () => void
}

function TroubleAlert({ list: { status }, now, isBusy, onTry }: TroubleAlertProps) {
  const { trouble } = status
  if (!trouble) return null
  const title = troubleTitle(trouble, status, now)
  const fault = trouble.is === 'failed' ? trouble.why : undefined
  const { advice, faults, fullHint } = copiesTexts
  const words =
    trouble.is === 'full'
      ? fill(fullHint, { weight: weightText(trouble.toFree) })
      : goodWords(status, now, true)
  return (
    <Alert
      tone="bad"
      role="alert"
      title={fault ? `${title}: ${faults[fault]}` : title}
      words={
        <>
          {words} {fault === 'full' ? advice.full : null}
          {fault === 'other' ? advice.other : null}
          {trouble.is === 'incomplete' ? advice.incomplete : null}
          {trouble.is === 'ahead' ? advice.ahead : null}
          {isToRepeat(trouble) ? advice.again : null}
        </>
      }
    >
      {trouble.is === 'full' ? (
        <Link
          className={buttonClass({ tone: 'ghost', small: true })}
          {...withinSettings}
          hash={binPlace}
        >
          {copiesTexts.openBin}
        </Link>
      ) : (
        <Button ref={focusTitleAfter} tone="ghost" small busy={isBusy} onClick={onTry}>
          {copiesTexts.tryNow}
        </Button>
      )}
    </Alert>
  )
}

/** Whether only another try helps. */
function isToRepeat(trouble: BackupTrouble): boolean {
  if (trouble.is === 'failed') return trouble.why === 'unreadable'
  return trouble.is === 'damaged' || trouble.is === 'overdue'
}

const failures: Readonly<Record<Trouble, readonly [title: string, hint: string]>> = {
  offline: [copiesTexts.offline, copiesTexts.offlineHint],
  silent: [copiesTexts.unread, copiesTexts.silentHint],
  session: [copiesTexts.session, copiesTexts.sessionHint],
  refused: [copiesTexts.unread, copiesTexts.refusedHint],
}

interface UnreadProps {
  readonly trouble: Trouble
  readonly isBusy: boolean
  readonly onRetry: () => void
}

/** Replaces a list that could not be read, since the device keeps no copy. */
function Unread({ trouble, isBusy, onRetry }: UnreadProps) {
  const [title, hint] = failures[trouble]
  return (
    <SettingLine title={title} hint={hint} role="alert">
      <Button ref={focusTitleAfter} tone="ghost" small icon="sync" busy={isBusy} onClick={onRetry}>
        {texts.retry}
      </Button>
    </SettingLine>
  )
}

function Waiting() {
  return (
    <ul className="waiting" aria-hidden="true">
      {Array.from({ length: 4 }, (_, index) => (
        <li key={index}>
          <span className="skeleton line short" />
          <span className="skeleton line long" />
        </li>
      ))}
    </ul>
  )
}

function Restoring() {
  const [download, run, start] = copiesTexts.steps
  const [before, after] = run.split('{command}')
  return (
    <details className="card unfolds restoring">
      <summary>
        <Icon name="history" />
        <span>
          <b>{copiesTexts.restore}</b>
          <small>{copiesTexts.restoreHint}</small>
        </span>
        <Icon name="unfold" />
      </summary>
      <ol>
        <li>{download}</li>
        <li>
          {before}
          <code>{copiesTexts.command}</code>
          {after}
        </li>
        <li>{start}</li>
      </ol>
    </details>
  )
}
