import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections, inOrder, type SettingValues } from '#contract/settings/settings.ts'
import { settingPlaces } from '#contract/texts/setting-words.ts'
import { fill, locale } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { connection } from '#client/browser/connection.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { pageOutbox, useOutbox } from '#client/outbox/page-outbox.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { useStore } from '#client/ui/store.ts'
import { finishImports } from './finish-import.ts'
import {
  countsOf,
  droppingWords,
  keepingWords,
  progressWords,
  publishingWords,
  type ProgressTexts,
} from './import-progress.ts'
import { readRecords, type ImportRecord, type QueuedChanges } from './import-records.ts'
import { undoImport, type Undone } from './undo-import.ts'
import type { Shown } from '#contract/resume/proposals.ts'

interface ImportResultProps {
  readonly record: ImportRecord
  readonly shown: Shown
  readonly onAnother: () => void
}

/** What was applied, how far it has come, and the way back. */
export function ImportResult({ record, shown, onAnother }: ImportResultProps) {
  const queryClient = useQueryClient()
  const [undone, setUndone] = useState<Undone | 'not-kept'>()
  const [isBusy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    setUndone(undefined)
    setUndone(await triedUndo(record, { shown, queryClient }))
    setBusy(false)
  }
  if (undone && undone !== 'not-kept') {
    return (
      <div className="result">
        <Undoing {...undone} />
        <Another onPress={onAnother} />
      </div>
    )
  }
  const n = countChanged(record)
  return (
    <div className="result">
      {undone ? <NotUndone /> : null}
      <Status
        queued={record.queued}
        drafts={record.drafts.length}
        done={fill(appliedWords[n] ?? importTexts.applied, { n })}
        refused={importTexts.notAllApplied}
        aside={keepingWords}
      >
        <Button
          ref={focusTitleAfter}
          tone="ghost"
          small
          icon="undo"
          busy={isBusy}
          onClick={() => void undo()}
        >
          {importTexts.undo}
        </Button>
      </Status>
      <Places record={record} settings={shown.settings} />
      <p className="hint2">{importTexts.undoHint}</p>
      <Another onPress={onAnother} />
    </div>
  )
}

/** Takes the import back, unless the device does not keep that: then it stays, for another try. */
async function triedUndo(
  record: ImportRecord,
  site: { readonly shown: Shown; readonly queryClient: QueryClient },
): Promise<Undone | 'not-kept'> {
  try {
    return await undoImport(record, site)
  } catch (cause) {
    logProblem('An import could not be undone', cause)
    return 'not-kept'
  }
}

function NotUndone() {
  const { notKept, notKeptHint } = importTexts
  return <Alert tone="bad" role="alert" title={notKept} words={notKeptHint} />
}

function Another({ onPress }: { readonly onPress: () => void }) {
  return (
    <p>
      <Button tone="quiet" onClick={onPress}>
        {importTexts.another}
      </Button>
    </p>
  )
}

/** For none, where it only kept something, and for one. */
const appliedWords: readonly string[] = [importTexts.keptAlone, importTexts.appliedOne]
const earlierWords: readonly string[] = [importTexts.earlierKept, importTexts.earlierOne]

/** How many things of hers an import changed. */
function countChanged({ created, updated, drafts, person, settings }: ImportRecord): number {
  const profile = Object.keys({ ...person.after, ...settings.after }).length > 0 ? 1 : 0
  return created.length + updated.length + drafts.length + profile
}

interface StatusProps {
  readonly queued: QueuedChanges | undefined
  /** How many things wait in their forms instead. */
  readonly drafts?: number
  /** What is said of them as long as none of them was refused. */
  readonly done: string
  readonly refused: string
  /** What is said where all that was or is to be sent is only kept. */
  readonly aside: ProgressTexts
  readonly children?: ReactNode
}

const none: QueuedChanges = { things: [], aside: [] }

/** How far the changes of an import have come. */
function Status({
  queued = none,
  drafts = 0,
  done,
  refused: failed,
  aside,
  children,
}: StatusProps) {
  const isOnline = useStore(connection, 'online') !== 'offline'
  const { isTaken } = pageOutbox(useQueryClient())
  const outbox = useOutbox()
  const countOf = (things: QueuedChanges['things']) => countsOf(things, outbox, isTaken)
  const [shown, kept] = [countOf(queued.things), countOf([queued.aside])]
  const isAside = queued.things.length === 0
  const counts = isAside ? kept : { ...shown, refused: shown.refused + kept.refused }
  const texts = isAside ? aside : publishingWords
  const { refused } = counts
  const said = [
    progressWords(counts, { isOnline, texts, isMore: kept.waiting > 0 }),
    words(drafts, importTexts.draftsLeftOne, importTexts.draftsLeft),
  ]
  const progress = said.filter(Boolean).join(' ')
  return (
    <div className={refused > 0 ? 'alert bad-tone' : 'alert ok-tone'} role="status">
      <Icon name={refused > 0 ? 'warn' : 'check'} />
      <div>
        <b>{refused > 0 ? failed : done}</b>
        {progress ? <p>{progress}</p> : null}
      </div>
      {children}
    </div>
  )
}

function Undoing({ queued, isWhole }: Undone) {
  const { undone, undoneInPart, notAllUndone } = importTexts
  return (
    <Status
      queued={queued}
      done={isWhole ? undone : undoneInPart}
      refused={notAllUndone}
      aside={droppingWords}
    />
  )
}

interface PlacesProps extends Pick<ImportResultProps, 'record'> {
  readonly settings: SettingValues
}

function Places({ record: { created, updated, drafts }, settings }: PlacesProps) {
  const hidden = hiddenSections(settings)
  const rows = inOrder(sections, settings).flatMap((section) => {
    const inIt = ({ section: key }: { readonly section: string }) => key === section.key
    const made = created.filter(inIt).length
    const changed = updated.filter(inIt).length
    const waiting = drafts.filter(inIt).length
    return made + changed + waiting > 0 ? [{ section, made, changed, waiting }] : []
  })
  if (rows.length === 0) return null
  return (
    <ul className="card rows import-places">
      {rows.map(({ section, made, changed, waiting }) => (
        <li key={section.key}>
          <Icon name={section.icon} />
          <span>
            <b>{section.title}</b>
            <small>
              {[
                words(made, importTexts.countNewOne, importTexts.countNew),
                words(changed, importTexts.countCombinedOne, importTexts.countCombined),
                hidden.includes(section.key) && importTexts.stillOff,
              ]
                .filter(Boolean)
                .join(' · ')}
              {waiting > 0 ? (
                <span className="no">
                  {made + changed > 0 ? ' · ' : ''}
                  {fill(importTexts.countDrafts, { n: waiting })}
                </span>
              ) : null}
            </small>
          </span>
          {waiting > 0 ? (
            <Link className={buttonClass({ tone: 'quiet', small: true })} to={section.addPath}>
              {importTexts.shorten}
            </Link>
          ) : hidden.includes(section.key) ? (
            <Link
              className={buttonClass({ tone: 'quiet', small: true })}
              to="/settings"
              hash={settingPlaces.sections}
              aria-label={fill(importTexts.turnOnOf, { section: section.title })}
            >
              {importTexts.turnOn}
            </Link>
          ) : (
            <Link
              className={buttonClass({ tone: 'quiet', small: true })}
              to={section.path}
              aria-label={fill(importTexts.seeOf, { section: section.title })}
            >
              {importTexts.see}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function words(n: number, one: string, many: string): string {
  return n === 0 ? '' : fill(n === 1 ? one : many, { n })
}

/** The imports that can still be taken back from this device. */
export function EarlierImports({ shown }: { readonly shown: Shown }) {
  const queryClient = useQueryClient()
  const [records, setRecords] = useState<readonly ImportRecord[]>([])
  const [undone, setUndone] = useState<Undone | 'not-kept'>()
  useEffect(() => {
    void finishImports(queryClient).then(readRecords).then(setRecords)
  }, [queryClient])
  const undo = async (record: ImportRecord) => {
    setRecords(records.filter((one) => one !== record))
    setUndone(undefined)
    const became = await triedUndo(record, { shown, queryClient })
    setUndone(became)
    // Where it was: others may have gone meanwhile.
    if (became === 'not-kept') {
      setRecords((left) => records.filter((one) => one === record || left.includes(one)))
    }
  }
  return (
    <>
      {undone === 'not-kept' ? <NotUndone /> : undone ? <Undoing {...undone} /> : null}
      {records.length > 0 ? (
        <ul className="card rows import-places">
          {records.map((record) => (
            <li key={record.id}>
              <Icon name="file" />
              <span>
                <small>{recordWords(record)}</small>
              </span>
              <Button
                ref={focusTitleAfter}
                tone="quiet"
                small
                icon="undo"
                onClick={() => void undo(record)}
              >
                {importTexts.undo}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function recordWords(record: ImportRecord): string {
  const n = countChanged(record)
  const date = new Date(record.at).toLocaleDateString(locale, { day: 'numeric', month: 'long' })
  const { name } = record
  return fill(earlierWords[n] ?? importTexts.earlier, { n, date, name })
}
