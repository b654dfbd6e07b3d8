import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { readResume, type ReadResume } from '#contract/resume/resume.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { importTexts } from '#contract/texts/import.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Icon, Sprite, type Symbols } from '#client/ui/icon.tsx'
import '#client/styles/owner.css'
import type { Decision } from '#contract/resume/decisions.ts'
import { applyImport } from './apply-import.ts'
import { DropZone, Sources } from './drop-zone.tsx'
import { useDroppedFiles } from './dropped-files.ts'
import { Partial, ReadingBox } from './file-states.tsx'
import { EarlierImports, ImportResult } from './import-result.tsx'
import type { ImportRecord } from './import-records.ts'
import { ProposalList } from './proposal-list.tsx'
import { useShownSite } from './shown-site.ts'
import {
  presetSides,
  proposalsOf,
  type Proposal,
  type Shown,
  type BroughtBefore,
} from '#contract/resume/proposals.ts'
import { FileRefused, readFile, type Found, type Progress } from './read-file.ts'
import { readBroughtBefore } from './brought-before.ts'

/** The symbols of the page that brings data in: Lucide outlines (ISC). */
const importSymbols: Symbols = {
  upload: 'M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4',
  file: 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v5h6M9 13h6M9 17h6',
  undo: 'M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
}

/** Where she stands: before a file, in one, before what it has for her site, or after. */
type Stage =
  | { readonly is: 'start'; readonly refused?: FileRefused }
  | { readonly is: 'reading'; readonly file: File; readonly progress?: Progress }
  | { readonly is: 'partial'; readonly found: Found; readonly before: BroughtBefore }
  | { readonly is: 'proposals'; readonly found: Found; readonly proposals: readonly Proposal[] }
  | { readonly is: 'applied'; readonly record: ImportRecord }

/** Brings what another place has of her into the site, with her word for each of it. Another account begins with a file of its own. */
export function ImportScreen() {
  const session = useSession()
  return isAdmin(session) ? <Import key={session.account} /> : null
}

function Import() {
  const [stage, setStage] = useState<Stage>({ is: 'start' })
  const { shown, isUnread } = useShownSite()
  const reading = useRef<AbortController>(undefined)
  const read = useMemo(
    () => ('found' in stage ? readResume(stage.found.resume) : undefined),
    [stage],
  )
  const box = useRef<HTMLDivElement>(null)
  const shownStage = useRef(stage.is)
  useEffect(() => {
    if (shownStage.current !== stage.is) box.current?.focus()
    shownStage.current = stage.is
  }, [stage.is])
  useEffect(() => () => reading.current?.abort(), [])
  const restart = () => {
    reading.current?.abort()
    setStage({ is: 'start' })
  }
  const take = async (file: File) => {
    reading.current?.abort()
    const { signal } = (reading.current = new AbortController())
    setStage({ is: 'reading', file })
    try {
      const reads = readFile(file, {
        signal,
        onPart: (progress) => setStage({ is: 'reading', file, progress }),
      })
      const [found, before] = await Promise.all([reads, readBroughtBefore()])
      if (signal.aborted) return
      if (found.damaged.length > 0) setStage({ is: 'partial', found, before })
      else setStage(proposalStage({ found, before }, shown))
    } catch (cause) {
      if (signal.aborted) return
      if (!(cause instanceof FileRefused) || cause.cause !== undefined) {
        logProblem('A file could not be brought in', cause)
      }
      setStage({ is: 'start', refused: refusalOf(cause, file) })
    }
  }
  const isReady = shown !== undefined
  const takeDropped = (files: readonly File[]) => {
    const [file, another] = files
    if (another) setStage({ is: 'start', refused: severalAtOnce(files.length) })
    else if (file) void take(file)
  }
  // What she decides about one file is not thrown away by another that falls on the page.
  const isOver = useDroppedFiles(
    stage.is === 'start' && isReady && !isUnread ? takeDropped : undefined,
  )
  return (
    <div className="import" ref={box} tabIndex={-1}>
      <Sprite symbols={importSymbols} />
      <Link className="crumb" to="/settings" hash="datos">
        <Icon name="back" />
        {importTexts.back}
      </Link>
      <header className="page-head">
        <h1 className="caret">{texts.import}</h1>
        {stage.is === 'proposals' ? <p>{headLine(stage.found, stage.proposals)}</p> : null}
      </header>
      {isUnread ? (
        <Alert tone="bad" role="alert" title={importTexts.unread} words={importTexts.unreadHint} />
      ) : null}
      {stage.is === 'start' && !isUnread ? (
        <div className="start">
          {stage.refused ? (
            <Alert
              tone="bad"
              role="alert"
              title={stage.refused.message}
              words={stage.refused.hint}
            />
          ) : null}
          <DropZone isReady={isReady} isOver={isOver} onFile={(file) => void take(file)} />
          <Sources />
          {shown ? <EarlierImports shown={shown} /> : null}
        </div>
      ) : null}
      {stage.is === 'reading' ? (
        <ReadingBox file={stage.file} progress={stage.progress} onCancel={restart} />
      ) : null}
      {stage.is === 'partial' && shown ? (
        <Partial
          found={stage.found}
          n={proposalsOf(readResume(stage.found.resume), shown).length}
          onGo={() => setStage(proposalStage(stage, shown))}
          onCancel={restart}
        />
      ) : null}
      {stage.is === 'proposals' && read && shown ? (
        <Choosing
          found={stage.found}
          proposals={stage.proposals}
          read={read}
          shown={shown}
          onApplied={(record) => setStage({ is: 'applied', record })}
          onCancel={restart}
        />
      ) : null}
      {stage.is === 'applied' && shown ? (
        <ImportResult record={stage.record} shown={shown} onAnother={restart} />
      ) : null}
    </div>
  )
}

interface TakenFile {
  readonly found: Found
  readonly before: BroughtBefore
}

function proposalStage({ found, before }: TakenFile, shown: Shown | undefined): Stage {
  if (!shown) return { is: 'start' }
  const read = readResume(found.resume)
  const proposals = proposalsOf(read, { ...shown, before })
  if (proposals.length > 0 || asideOf(read).length > 0) {
    return { is: 'proposals', found, proposals }
  }
  const nothing = fill(importTexts.nothingHint, { name: found.name })
  const hint = found.isPictureLeft ? `${nothing} ${importTexts.pictureLeft}` : nothing
  return { is: 'start', refused: new FileRefused(importTexts.nothing, hint) }
}

/** Each file has proposals of its own, which count on what the one before has brought. */
function severalAtOnce(n: number): FileRefused {
  return new FileRefused(importTexts.several, fill(importTexts.severalHint, { n }))
}

function refusalOf(cause: unknown, { name }: File): FileRefused {
  if (cause instanceof FileRefused) return cause
  return new FileRefused(fill(importTexts.unreadable, { name }), importTexts.unreadableHint)
}

function headLine({ source }: Found, proposals: readonly Proposal[]): string {
  const words = source === 'linkedIn' ? importTexts.fromLinkedIn : importTexts.fromResume
  const n = proposals.length
  return fill(n === 1 ? importTexts.oneProposal : importTexts.proposals, { n, source: words })
}

interface ChoosingProps {
  readonly found: Found
  readonly proposals: readonly Proposal[]
  readonly read: ReadResume
  readonly shown: Shown
  readonly onApplied: (record: ImportRecord) => void
  readonly onCancel: () => void
}

/** What she decides about each proposal, and the pressing that makes it so. */
function Choosing({ found, proposals, read, shown, onApplied, onCancel }: ChoosingProps) {
  const queryClient = useQueryClient()
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision>>>({})
  const [isBusy, setBusy] = useState(false)
  const [isRefused, setRefused] = useState(false)
  // Nothing loads the page anew over what she has decided.
  useEffect(() => {
    markUnsaved('proposals', true)
    return () => markUnsaved('proposals', false)
  }, [])
  const decisionOf = (proposal: Proposal): Decision =>
    decisions[proposal.key] ?? { choice: proposal.preset, sides: presetSides(proposal) }
  const apply = async () => {
    setBusy(true)
    setRefused(false)
    try {
      const { name } = found
      onApplied(await applyImport({ name, read, proposals, shown, decisionOf, queryClient }))
    } catch (cause) {
      logProblem('An import could not be kept', cause)
      setRefused(true)
      setBusy(false)
    }
  }
  return (
    <>
      {isRefused ? (
        <Alert
          tone="bad"
          role="alert"
          title={importTexts.notKept}
          words={importTexts.notKeptHint}
        />
      ) : null}
      <ProposalList
        proposals={proposals}
        found={found}
        shown={shown}
        decisionOf={decisionOf}
        aside={asideOf(read)}
        isBusy={isBusy}
        onDecide={(changed) => setDecisions({ ...decisions, ...changed })}
        onApply={() => void apply()}
        onCancel={onCancel}
      />
    </>
  )
}

const unplaced = new Set(['$schema', 'meta', 'basics'])

/** What of the file has no place on the site, in words. */
function asideOf({ rest }: ReadResume): readonly string[] {
  const words: Readonly<Record<string, string>> = importTexts.names
  const names = Object.entries(rest)
    .filter(([name, value]) => !unplaced.has(name) && JSON.stringify(value).length > 2)
    .map(([name]) => (Object.hasOwn(words, name) && words[name]) || importTexts.names.others)
  return [...new Set(names)]
}
