import { useEffect, useState } from 'react'
import { cleanText } from '#contract/text.ts'
import type { Draft } from '#contract/fields.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import {
  dropDraft,
  isDraftQueued,
  readDraft,
  readDraftImage,
  saveDraft,
  saveDraftImage,
} from '#client/data/drafts.ts'
import { markUnsaved } from '#client/data/unsaved.ts'

interface DraftOptions {
  readonly form: string
  readonly stored: Draft
  /** The id of the row, or a fresh one for a new entry. */
  readonly makeId: () => string
  readonly version: number
}

/** A file that is not uploaded yet, and an address under which the page can show it. */
export interface ChosenPicture {
  readonly file: File
  readonly url: string
}

/** The texts and the picture of a form, kept on this device from the first change until they are saved or discarded. */
export function useDraft({ form, stored, makeId, version }: DraftOptions) {
  const [start, setStart] = useState(() => startOf({ form, stored, makeId, version }))
  const [values, setValues] = useState(start.values)
  const [picture, setPicture] = useState<ChosenPicture>()
  const [isKept, setKept] = useState(false)
  const [isRecovered, setRecovered] = useState(start.isRecovered)
  const isDirty = picture !== undefined || Object.keys(changedFields(stored, values)).length > 0

  useEffect(() => {
    let isCurrent = true
    const recover = async () => {
      const file = isDraftQueued(form) ? undefined : await readDraftImage(form)
      if (file === undefined || !isCurrent) return
      setPicture((chosen) => chosen ?? chosenPicture(file))
      setRecovered(true)
    }
    void recover()
    return () => {
      isCurrent = false
    }
  }, [form])

  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture])

  useEffect(() => {
    markUnsaved(form, isDirty)
    return () => markUnsaved(form, false)
  }, [form, isDirty])

  const keep = (next: Draft, hasPicture: boolean) => {
    const fields = changedFields(stored, next)
    // The picture of a change that was handed over is not this draft's.
    if (isDraftQueued(form)) dropDraft(form)
    const isSomething = hasPicture || Object.keys(fields).length > 0
    if (isSomething) setKept(saveDraft(form, { id: start.id, version: start.version, fields }))
    else dropDraft(form)
    setRecovered(false)
  }

  const forget = () => {
    dropDraft(form)
    markUnsaved(form, false)
    setValues(stored)
    setPicture(undefined)
    setKept(false)
    setRecovered(false)
    setStart({ id: makeId(), version, values: stored, isRecovered: false })
  }

  return {
    values,
    picture,
    id: start.id,
    version: start.version,
    isDirty,
    isKept: isKept && isDirty,
    isRecovered,
    forget,
    change: (name: string, value: string) => {
      const next = { ...values, [name]: value }
      setValues(next)
      keep(next, picture !== undefined)
    },
    choose: (file: File) => {
      setPicture(chosenPicture(file))
      keep(values, true)
      void saveDraftImage(form, file)
    },
  }
}

const chosenPicture = (file: File): ChosenPicture => ({ file, url: URL.createObjectURL(file) })

function startOf({ form, stored, makeId, version }: DraftOptions) {
  const saved = readDraft(form)
  const fields = Object.entries(saved?.fields ?? {}).filter(
    ([name, value]) => name in stored && cleanText(value) !== cleanText(stored[name] ?? ''),
  )
  const isRecovered = fields.length > 0
  return {
    id: saved?.id ?? makeId(),
    version: isRecovered ? (saved?.version ?? version) : version,
    values: { ...stored, ...Object.fromEntries(fields) },
    isRecovered,
  }
}
