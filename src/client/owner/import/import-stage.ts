import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  proposalsOf,
  type BroughtBefore,
  type Proposal,
  type Shown,
} from '#contract/resume/proposals.ts'
import { readResume, type ReadResume } from '#contract/resume/resume.ts'
import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { logProblem } from '#client/browser/early/log.ts'
import type { OpenDraft } from '#client/owner/editor/draft-start.ts'
import { readBroughtBefore } from './brought-before.ts'
import { dropPlan, importForm, keptPlan, newPlan, type ImportPlan } from './import-plan.ts'
import { hasRecords, readRecord, type ImportRecord } from './import-records.ts'
import { FileRefused, readFile, type Found, type Progress } from './read-file.ts'

/** Where she stands: before a file, in one, before what it has for her site, or after. */
type Stage =
  | { readonly is: 'start'; readonly refused?: FileRefused }
  | { readonly is: 'reading'; readonly file: File; readonly progress?: Progress }
  | ({ readonly is: 'partial' } & TakenFile)
  | ({ readonly is: 'proposals'; readonly proposals: readonly Proposal[] } & TakenFile)
  | { readonly is: 'applied'; readonly record: ImportRecord }

/**
 * The stage, and what leads from one to the next. A page that is left reads no further; the next one goes on where she was with
 * what is kept of it.
 */
export function useImportStage(shown: Shown | undefined, kept: OpenDraft) {
  const { place = importForm } = kept
  const [stage, setStage] = useState<Stage>({ is: 'start' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const readOne = async (plan: ImportPlan) => {
    const { file } = plan
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
      const taken = { found, before, plan }
      if (found.damaged.length > 0) setStage({ is: 'partial', ...taken })
      else setStage(proposalStage(taken, shown))
    } catch (cause) {
      if (signal.aborted) return
      if (!(cause instanceof FileRefused) || cause.cause !== undefined) {
        logProblem('A file could not be brought in', cause)
      }
      setStage({ is: 'start', refused: refusalOf(cause, file) })
    }
  }
  const goOnWith = async (plan: ImportPlan) => {
    if (await isCarriedOut(plan)) await dropPlan(place)
    else await readOne(plan)
  }
  const goOnHere = useEffectEvent(() => {
    const plan = keptPlan(kept)
    if (plan) void goOnWith(plan)
  })
  const isReady = shown !== undefined
  useEffect(() => {
    if (isReady) goOnHere()
  }, [isReady])
  return {
    place,
    stage,
    /** One file is read; of several none is. */
    take: (files: readonly File[]) => {
      const [file, another] = files
      if (another) setStage({ is: 'start', refused: severalAtOnce(files.length) })
      else if (file) void readOne(newPlan(file, kept))
    },
    /** Takes what could be read of a file that is damaged in part. */
    goOn: () => {
      if (stage.is === 'partial') setStage(proposalStage(stage, shown))
    },
    finish: (record: ImportRecord) => {
      void dropPlan(place)
      setStage({ is: 'applied', record })
    },
    restart: () => {
      reading.current?.abort()
      void dropPlan(place)
      setStage({ is: 'start' })
    },
  }
}

/** Whether the page that it was made on was killed between carrying it out and forgetting it. */
async function isCarriedOut({ id }: ImportPlan): Promise<boolean> {
  return (await hasRecords()) && (await readRecord(id)) !== undefined
}

interface TakenFile {
  readonly plan: ImportPlan
  readonly found: Found
  readonly before: BroughtBefore
}

function proposalStage(taken: TakenFile, shown: Shown | undefined): Stage {
  const { found, before } = taken
  if (!shown) return { is: 'start' }
  const read = readResume(found.resume)
  const proposals = proposalsOf(read, { ...shown, before })
  if (proposals.length > 0 || asideOf(read).length > 0) {
    return { ...taken, is: 'proposals', proposals }
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

const unplaced = new Set(['$schema', 'meta', 'basics'])

/** What of the file has no place on the site, in words. */
export function asideOf({ rest }: ReadResume): readonly string[] {
  const words: Readonly<Record<string, string>> = importTexts.names
  const names = Object.entries(rest)
    .filter(([name, value]) => !unplaced.has(name) && JSON.stringify(value).length > 2)
    .map(([name]) => (Object.hasOwn(words, name) && words[name]) || importTexts.names.others)
  return [...new Set(names)]
}
