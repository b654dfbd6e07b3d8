import { useState } from 'react'
import type { BackupList, BackupTrouble, ListedBackup } from '#contract/backups.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts-copies.ts'
import { ApiError } from '#client/data/api.ts'
import { backupAddress } from './backups.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { handFile } from './hand-file.ts'
import { momentText, weightText } from './backup-words.ts'

/** How many are shown until she asks for all. */
const shownAtFirst = 4

interface BackupFilesProps {
  readonly list: BackupList
  readonly now: number
}

/** The files, newest first, with the one that could not be made before them. */
export function BackupFiles({ list: { backups, standing }, now }: BackupFilesProps) {
  const [isAll, setAll] = useState(false)
  const failed = standing.trouble?.is === 'failed' ? standing.trouble : undefined
  const shown = isAll ? backups : backups.slice(0, shownAtFirst)
  if (backups.length === 0 && !failed) {
    return (
      <div className="setting">
        <div>
          <b>{copiesTexts.empty}</b>
          <p>{copiesTexts.emptyHint}</p>
        </div>
      </div>
    )
  }
  return (
    <>
      <ul className="rows" aria-label={copiesTexts.list}>
        {failed ? <FailedRow failed={failed} now={now} /> : null}
        {shown.map((backup) => (
          <BackupRow key={backup.name} backup={backup} now={now} />
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

interface BackupRowProps {
  readonly backup: ListedBackup
  readonly now: number
}

function BackupRow({
  backup: { name, madeAt, reason, bytes, state, lacking },
  now,
}: BackupRowProps) {
  const [notice, setNotice] = useState('')
  const [isBusy, setBusy] = useState(false)
  const when = momentText(madeAt, now)
  const isDamaged = state === 'damaged'
  const isBad = isDamaged || lacking > 0
  const download = async () => {
    setBusy(true)
    setNotice('')
    try {
      handFile(await backupAddress(name), name)
    } catch (cause) {
      logProblem('No backup was downloaded', cause)
      const reasonGiven = cause instanceof ApiError ? cause.mensaje : undefined
      setNotice(reasonGiven ?? copiesTexts.notDownloaded)
    }
    setBusy(false)
  }
  return (
    <li className={isBad ? 'is-bad' : undefined}>
      <Icon name={isBad ? 'warn' : 'checked'} />
      <div>
        <b>{when}</b>
        <small>
          {copiesTexts.reasons[reason]} · <span className="mono">{weightText(bytes)}</span> ·{' '}
          <span className={state === 'checking' ? undefined : 'state'}>
            {lacking > 0 ? lackingText(lacking) : copiesTexts.states[state]}
          </span>
        </small>
      </div>
      {isDamaged ? null : (
        <Button
          tone="quiet"
          small
          icon="save"
          busy={isBusy}
          aria-label={fill(copiesTexts.downloadOf, { when })}
          onClick={() => void download()}
        >
          {copiesTexts.download}
        </Button>
      )}
      <p className="field-error" role="status">
        {notice}
      </p>
    </li>
  )
}

function lackingText(n: number): string {
  return fill(n === 1 ? copiesTexts.lackingOne : copiesTexts.lackingMany, { n })
}
