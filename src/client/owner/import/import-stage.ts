import { useEffect, useRef, useState } from 'react'
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
import { readBroughtBefore } from './brought-before.ts'
import type { ImportRecord } from './import-records.ts'
import { FileRefused, readFile, type Found, type Progress } from './read-file.ts'

/** Where she stands: before a file, in one, before what it has for her site, or after. */
type Stage =
  | { readonly is: 'start'; readonly refused?: FileRefused }
  | { readonly is: 'reading'; readonly file: File; readonly progress?: Progress }
  | { readonly is: 'partial'; readonly found: Found; readonly before: BroughtBefore }
  | { readonly is: 'proposals'; readonly found: Found; readonly proposals: readonly Proposal[] }
  | { readonly is: 'applied'; readonly record: ImportRecord }

/** The stage, and what leads from one to the next. A page that is left reads no further. */
export function useImportStage(shown: Shown | undefined) {
  const [stage, setStage] = useState<Stage>({ is: 'start' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const readOne = async (file: File) => {
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
  return {
    stage,
    /** One file is read; of several none is. */
    take: (files: readonly File[]) => {
      const [file, another] = files
      if (another) setStage({ is: 'start', refused: severalAtOnce(files.length) })
      else if (file) void readOne(file)
    },
    /** Takes what could be read of a file that is damaged in part. */
    goOn: () => {
      if (stage.is === 'partial') setStage(proposalStage(stage, shown))
    },
    finish: (record: ImportRecord) => setStage({ is: 'applied', record }),
    restart: () => {
      reading.current?.abort()
      setStage({ is: 'start' })
    },
  }
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

const unplaced = new Set(['$schema', 'meta', 'basics'])

/** What of the file has no place on the site, in words. */
export function asideOf({ rest }: ReadResume): readonly string[] {
  const words: Readonly<Record<string, string>> = importTexts.names
  const names = Object.entries(rest)
    .filter(([name, value]) => !unplaced.has(name) && JSON.stringify(value).length > 2)
    .map(([name]) => (Object.hasOwn(words, name) && words[name]) || importTexts.names.others)
  return [...new Set(names)]
}
