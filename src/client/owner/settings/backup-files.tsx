import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BackupList, BackupTrouble, ListedBackup } from '#contract/backups.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { ApiError } from '#client/data/api.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { backupAddress, removeBackup } from './backups.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { DangerQuestion } from '#client/ui/danger-question.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { useRowFocus } from '#client/ui/lost-focus.ts'
import { handFile } from './hand-file.ts'
import { momentText, weightText } from './backup-words.ts'
import { SettingLine } from './setting-line.tsx'

/** How many files are shown until she asks for all. */
const shownAtFirst = 4

interface BackupFilesProps {
  readonly list: BackupList
  readonly now: number
  /** Called with the words for the owner once a file is deleted. */
  readonly onRemoved: (words: string) => void
}

/** Newest first, preceded by the backup that failed. */
export function BackupFiles({ list: { backups, status }, now, onRemoved }: BackupFilesProps) {
  const rows = useRowFocus<HTMLUListElement>()
  const [isAll, setAll] = useState(false)
  const failed = status.trouble?.is === 'failed' ? status.trouble : undefined
  const shown = isAll ? backups : backups.slice(0, shownAtFirst)
  if (backups.length === 0 && !failed) {
    return <SettingLine title={copiesTexts.empty} hint={copiesTexts.emptyHint} />
  }
  return (
    <>
      <ul className="rows" aria-label={copiesTexts.list} tabIndex={-1} {...rows}>
        {failed ? <FailedRow failed={failed} now={now} /> : null}
        {shown.map((backup) => (
          <BackupRow key={backup.name} backup={backup} now={now} onRemoved={onRemoved} />
        ))}
      </ul>
      <div className="backups-foot">
        <span>{copiesTexts.kept}</span>
        {backups.length > shownAtFirst ? (
          <Button tone="quiet" small aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? copiesTexts.showFewer : fill(copiesTexts.showAll, { n: backups.length })}
          </Button>
        ) : null}
      </div>
    </>
  )
}

interface FailedRowProps {
  readonly failed: Extract<BackupTrouble, { is: 'failed' }>
  readonly now: number
}

function FailedRow({ failed: { at, reason }, now }: FailedRowProps) {
  return (
    <li className="is-bad">
      <Icon name="warn" />
      <div>
        <b>{momentText(at, now)}</b>
        <small>
          {copiesTexts.reasons[reason]} · <span className="state">{copiesTexts.failed}</span>
        </small>
      </div>
    </li>
  )
}

interface BackupRowProps extends Pick<BackupFilesProps, 'now' | 'onRemoved'> {
  readonly backup: ListedBackup
}

function BackupRow({
  backup: { name, madeAt, reason, bytes, state, lacking, isNeeded },
  now,
  onRemoved,
}: BackupRowProps) {
  const queryClient = useQueryClient()
  const [notice, setNotice] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const when = momentText(madeAt, now)
  const isDamaged = state === 'damaged'
  const isBad = isDamaged || lacking > 0
  const weight = weightText(bytes)
  const attempt = async (act: () => Promise<void>, failed: string) => {
    setBusy(true)
    setNotice('')
    try {
      await act()
    } catch (cause) {
      logProblem('No backup was downloaded or deleted', cause)
      setNotice((cause instanceof ApiError ? cause.mensaje : undefined) ?? failed)
    }
    setBusy(false)
  }
  const download = async () => handFile(await backupAddress(name), name)
  const remove = async () => {
    await removeBackup(queryClient, name)
    onRemoved(fill(copiesTexts.removed, { weight }))
  }
  return (
    <li className={isBad ? 'is-bad' : undefined}>
      <Icon name={isBad ? 'warn' : 'checked'} />
      <div>
        <b>{when}</b>
        <small>
          {copiesTexts.reasons[reason]} · <span className="mono">{weight}</span> ·{' '}
          <span className={state === 'checking' ? undefined : 'state'}>
            {lacking > 0 ? lackingText(lacking) : copiesTexts.states[state]}
          </span>
        </small>
      </div>
      <span className="ways">
        {isDamaged ? null : (
          <Button
            tone="quiet"
            small
            icon="save"
            busy={isBusy}
            aria-label={fill(copiesTexts.downloadOf, { when })}
            onClick={() => void attempt(download, copiesTexts.notDownloaded)}
          >
            {copiesTexts.download}
          </Button>
        )}
        {isNeeded ? null : (
          <IconButton
            className="del"
            icon="trash"
            label={fill(copiesTexts.removeOf, { when })}
            title={copiesTexts.remove}
            // The file that is being handed over stays until its address is there.
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) setAsked(true)
            }}
          />
        )}
      </span>
      <p className="field-error" role="status">
        {notice}
      </p>
      {isAsked && (
        <DangerQuestion
          title={fill(copiesTexts.confirmRemove, { when })}
          yes={copiesTexts.remove}
          no={queueTexts.keep}
          onYes={() => {
            setAsked(false)
            void attempt(remove, copiesTexts.notRemoved)
          }}
          onNo={() => setAsked(false)}
        >
          {fill(copiesTexts.removeHint, { weight })}
        </DangerQuestion>
      )}
    </li>
  )
}

function lackingText(n: number): string {
  return fill(n === 1 ? copiesTexts.lackingOne : copiesTexts.lackingMany, { n })
}
