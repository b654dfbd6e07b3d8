import { useEffect, useRef, useState } from 'react'
import type { FieldValues } from '#contract/fields.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import {
  dropDraft,
  dropDraftImage,
  saveDraft,
  sharedPicture,
} from '#client/owner/drafts/entry-drafts.ts'
import { ownedBy } from '#client/outbox/owned-drafts.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { startOf, type OpenDraft } from './draft-start.ts'
import type { FramedPicture } from './framed-picture.ts'

interface DraftOptions {
  readonly form: string
  readonly stored: FieldValues
  /** The draft of an earlier page. */
  readonly kept: OpenDraft
  /** The id of the row, or a fresh one for a new entry. */
  readonly makeId: () => string
  readonly version: number
  /** A chosen picture is still being read: it is in no draft yet. */
  readonly isReading: boolean
}

/** The address lets the page show it before it is uploaded. */
export interface ChosenPicture extends FramedPicture {
  readonly url: string
}

/** Whether the form's texts are on this device: nothing to keep, being written, on disk, or on the page alone. */
type KeptState = 'nothing' | 'writing' | 'kept' | 'refused'

/** Keeps texts and picture on this device from the first change until they are saved or discarded. */
export function useDraft({ form, stored, kept, makeId, version, isReading }: DraftOptions) {
  const { place = form } = kept
  const [start, setStart] = useState(() => startOf({ kept, stored, makeId, version }))
  const [values, setValues] = useState(start.values)
  const [picture, setPicture] = useState(() => start.picture && chosenPicture(start.picture))
  const [keeping, setKeeping] = useState<KeptState>(start.isRecovered ? 'kept' : 'nothing')
  const [isRecovered, setRecovered] = useState(start.isRecovered)
  const [shared, setShared] = useState(kept.draft?.shared ?? [])
  const turn = useRef(0)
  const filling = useRef(0)
  // A picture that took time to prepare must meet the text typed meanwhile.
  const latest = useRef({ values, picture })
  const isDirty = picture !== undefined || Object.keys(changedFields(stored, values)).length > 0

  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture])

  useEffect(() => {
    markUnsaved(form, isDirty || isReading)
    return () => markUnsaved(form, false)
  }, [form, isDirty, isReading])

  const keep = async (next: FieldValues, chosen: ChosenPicture | undefined, from = shared) => {
    // Of what the device refused it is asked to take the picture, too.
    const isAskedAgain = kept.isUnkept && turn.current === 0
    const before = isAskedAgain ? undefined : latest.current.picture
    latest.current = { values: next, picture: chosen }
    const fields = changedFields(stored, next)
    // The picture of a queued change, or of an earlier draft, does not belong to this draft.
    if ((kept.isQueued || start.earlier) && turn.current === 0) void dropDraftImage(place)
    setRecovered(false)
    const isSomething = chosen !== undefined || Object.keys(fields).length > 0
    const mine = ++turn.current
    setKeeping(isSomething ? 'writing' : 'nothing')
    if (!isSomething) {
      filling.current++
      return dropDraft(place)
    }
    const isKept = await saveDraft(
      place,
      {
        ...ownedBy(kept.account),
        id: start.id,
        version: start.version,
        fields,
        base: baseOf(fields, stored),
        ...(kept.draft?.keepsId && start.id === kept.draft.id && { keepsId: true as const }),
        ...(chosen?.framing && { framing: chosen.framing }),
        ...(from.length > 0 && { shared: from }),
      },
      chosen?.whole === before?.whole ? undefined : chosen?.whole,
    )
    if (mine === turn.current) setKeeping(isKept ? 'kept' : 'refused')
  }

  const forget = () => {
    void dropDraft(place)
    turn.current++
    filling.current++
    markUnsaved(form, false)
    latest.current = { values: stored, picture: undefined }
    setValues(stored)
    setPicture(undefined)
    setKeeping('nothing')
    setRecovered(false)
    setShared([])
    setStart({ id: makeId(), version, values: stored, isRecovered: false })
  }

  const show = (next: FieldValues, chosen: ChosenPicture | undefined) => {
    setValues(next)
    setPicture(chosen)
    void keep(next, chosen)
  }

  /** Empties the fields that were filled by sharing. */
  const dropShared = () => {
    const named = shared.filter((name) => name in values)
    const next = {
      ...values,
      ...baseOf(Object.fromEntries(named.map((name) => [name, ''])), stored),
    }
    const chosen = shared.includes(sharedPicture) ? undefined : picture
    if (!chosen) void dropDraftImage(place)
    setShared([])
    setValues(next)
    setPicture(chosen)
    void keep(next, chosen, [])
  }

  const { earlier } = start
  // What a discarded change has left in the form, or the device refused before, is on the page alone until more is typed.
  const keptSo = keeping === 'nothing' ? 'refused' : keeping
  return {
    values,
    picture,
    id: start.id,
    isDirty,
    keeping: isDirty ? keptSo : ('nothing' as const),
    isRecovered,
    /** What stands in the form at this very moment, though it may not be drawn yet. */
    now: () => latest.current,
    /** Another number once the form was emptied: what is typed after that is another thing. */
    filling: () => filling.current,
    forget,
    /** Forgets the kept draft; the form itself keeps its texts. */
    dropKept: () => void dropDraft(place),
    shared,
    dropShared,
    change: (name: string, value: string) => {
      const now = latest.current
      show({ ...now.values, [name]: value }, now.picture)
    },
    dropPicture: () => {
      void dropDraftImage(place)
      show(values, undefined)
    },
    /** Leaves these fields empty and the form without a picture, whether it was stored or chosen. */
    removePicture: (fields: readonly string[]) => {
      void dropDraftImage(place)
      show({ ...values, ...Object.fromEntries(fields.map((name) => [name, ''])) }, undefined)
    },
    /** A picture that stood in the field at this address, where its change was forgotten, is the form's own. */
    takeBack: (framed: FramedPicture, { field, url }: { field: string; url: string }) => {
      const now = latest.current
      if (now.values[field] !== url) return
      show({ ...now.values, [field]: stored[field] ?? '' }, now.picture ?? chosenPicture(framed))
    },
    choose: (framed: FramedPicture) => show(latest.current.values, chosenPicture(framed)),
    /** Returns false when another picture was chosen meanwhile. */
    reframe: (framed: FramedPicture): boolean => {
      const now = latest.current
      if (now.picture && now.picture.whole !== framed.whole) return false
      show(now.values, chosenPicture(framed))
      return true
    },
    /** A draft typed over an older version, to restore or forget; absent where there is none. */
    earlier: earlier && {
      picture: earlier.picture,
      recover: () => {
        show(
          { ...values, ...earlier.fields },
          earlier.picture ? chosenPicture(earlier.picture) : picture,
        )
        setStart({ ...start, earlier: undefined })
      },
      discard: () => {
        setStart({ ...start, earlier: undefined })
        if (!isDirty) void dropDraft(place)
      },
    },
  }
}

const chosenPicture = (framed: FramedPicture): ChosenPicture => ({
  ...framed,
  url: URL.createObjectURL(framed.file),
})

function baseOf(fields: FieldValues, stored: FieldValues): FieldValues {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, stored[name] ?? '']))
}
