import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readResume, type ReadResume } from '#contract/resume/resume.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { importTexts } from '#contract/texts/import.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import { markUnsaved } from '#client/data/unsaved.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Icon, Sprite, type Symbols } from '#client/ui/icon.tsx'
import '#client/styles/owner.css'
import type { Decision } from '#contract/resume/decisions.ts'
import { FormDraft } from '#client/owner/editor/form-draft.tsx'
import type { OpenDraft } from '#client/owner/editor/draft-start.ts'
import { applyImport } from './apply-import.ts'
import { DropZone, Sources } from './drop-zone.tsx'
import { useDroppedFiles } from './dropped-files.ts'
import { Partial, ReadingBox } from './file-states.tsx'
import { EarlierImports, ImportResult } from './import-result.tsx'
import type { ImportRecord } from './import-records.ts'
import { ProposalList } from './proposal-list.tsx'
import { useShownSite } from './shown-site.ts'
import { proposalsOf, type Proposal, type Shown } from '#contract/resume/proposals.ts'
import {
  decisionsOf,
  importForm,
  keepPlan,
  presetOf,
  type Decisions,
  type ImportPlan,
} from './import-plan.ts'
import { asideOf, useImportStage } from './import-stage.ts'
import type { Found } from './read-file.ts'

/** The symbols of the page that brings data in: Lucide outlines (ISC). */
const importSymbols: Symbols = {
  upload: 'M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4',
  file: 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v5h6M9 13h6M9 17h6',
  undo: 'M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
}

/** Brings what another place has of her into the site, with her word for each of it. */
export function ImportScreen() {
  return (
    <OwnScreen>
      <FormDraft form={importForm}>{(kept) => <Import kept={kept} />}</FormDraft>
    </OwnScreen>
  )
}

function Import({ kept }: { readonly kept: OpenDraft }) {
  const { shown, isUnread } = useShownSite()
  const { place, stage, take, goOn, finish, restart } = useImportStage(shown, kept)
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
  const isReady = shown !== undefined
  // What she decides about one file is not thrown away by another that falls on the page.
  const isOver = useDroppedFiles(stage.is === 'start' && isReady && !isUnread ? take : undefined)
  return (
    <div className="import" ref={box} tabIndex={-1}>
      <Sprite symbols={importSymbols} />
      <Link className="crumb" to="/settings" hash={otherPlaces.data}>
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
          <DropZone isReady={isReady} isOver={isOver} onFile={(file) => take([file])} />
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
          onGo={goOn}
          onCancel={restart}
        />
      ) : null}
      {stage.is === 'proposals' && read && shown ? (
        <Choosing
          place={place}
          plan={stage.plan}
          found={stage.found}
          proposals={stage.proposals}
          read={read}
          shown={shown}
          onApplied={finish}
          onCancel={restart}
        />
      ) : null}
      {stage.is === 'applied' && shown ? (
        <ImportResult record={stage.record} shown={shown} onAnother={restart} />
      ) : null}
    </div>
  )
}

function headLine({ source }: Found, proposals: readonly Proposal[]): string {
  const words = source === 'linkedIn' ? importTexts.fromLinkedIn : importTexts.fromResume
  const n = proposals.length
  return fill(n === 1 ? importTexts.oneProposal : importTexts.proposals, { n, source: words })
}

interface ChoosingProps {
  /** Where her plan is kept. */
  readonly place: string
  readonly plan: ImportPlan
  readonly found: Found
  readonly proposals: readonly Proposal[]
  readonly read: ReadResume
  readonly shown: Shown
  readonly onApplied: (record: ImportRecord) => void
  readonly onCancel: () => void
}

/** What she decides about each proposal, and the pressing that makes it so. */
function Choosing(props: ChoosingProps) {
  const { place, plan, found, proposals, read, shown, onApplied, onCancel } = props
  const queryClient = useQueryClient()
  const [decisions, setDecisions] = useState(() => decisionsOf(proposals, plan.decided))
  const [isKept, setKept] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [isRefused, setRefused] = useState(false)
  // Nothing loads the page anew over what she has decided.
  useEffect(() => {
    markUnsaved('proposals', true)
    return () => markUnsaved('proposals', false)
  }, [])
  const isSaid = useRef(plan.decided !== undefined)
  useEffect(() => {
    const isNew = !isSaid.current
    isSaid.current = true
    void keepPlan(place, { ...plan, isNew }, decisions).then(setKept)
  }, [place, plan, decisions])
  const decide = useCallback((changed: Decisions) => {
    setDecisions((before) => new Map([...before, ...changed]))
  }, [])
  const decisionOf = (proposal: Proposal): Decision => decisions.get(proposal) ?? presetOf(proposal)
  const apply = async () => {
    setBusy(true)
    setRefused(false)
    try {
      const { name } = found
      const { id } = plan
      onApplied(await applyImport({ id, name, read, proposals, shown, decisionOf, queryClient }))
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
      {isKept ? null : (
        <Alert
          tone="bad"
          role="alert"
          title={importTexts.planNotKept}
          words={importTexts.planNotKeptHint}
        />
      )}
      {plan.decided ? (
        <p className="hint2">{fill(importTexts.planBack, { name: found.name })}</p>
      ) : null}
      <ProposalList
        proposals={proposals}
        found={found}
        shown={shown}
        decisionOf={decisionOf}
        aside={asideOf(read)}
        isBusy={isBusy}
        onDecide={decide}
        onApply={() => void apply()}
        onCancel={onCancel}
      />
    </>
  )
}
