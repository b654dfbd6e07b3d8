import { useEffect, useEffectEvent, useState } from 'react'
import { altField } from '#contract/images/alternative-text.ts'
import { imageFieldOf, type FieldValues, type Fields } from '#contract/fields.ts'
import { fill, lengthOf } from '#contract/text.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { checkValues, limitOf, type FieldErrors, type FormMode } from '#contract/validate.ts'
import type { Base } from '#client/owner/changes/submit-change.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import { sharedPicture } from '#client/owner/drafts/entry-drafts.ts'
import type { ShownPicture } from '#client/outbox/picture-addresses.ts'
import type { OpenDraft } from './draft-start.ts'
import { wholePicture, type FramedPicture } from './framed-picture.ts'
import { useDraft } from './use-draft.ts'
import { usePictureChoice } from './use-picture-choice.ts'

/** Handed over when every field is valid. */
export interface Submission {
  readonly values: FieldValues
  readonly picture: File | undefined
  /** The id of the new entry, the same at every try. */
  readonly id: string
  /** The same number as at an earlier try, unless the form was emptied in between. */
  readonly filling: number
  /** The version that the edit started from. */
  readonly base: Base
  readonly onProgress: (share: number) => void
  /** Marks the picture as refused, with the reason. */
  readonly refusePicture: (why: string) => void
  /** What was typed or chosen in the form since it was sent; undefined for nothing. */
  readonly typedSince: () => TypedSince | undefined
  /** Forgets the draft, but not the form's texts. */
  readonly dropKept: () => void
  /** Empties the form and forgets its draft, once everything is on the server. */
  readonly forget: () => void
}

/** A change over what was sent. */
export interface TypedSince {
  readonly fields: FieldValues
  /** Another picture than the one that was sent. */
  readonly picture?: FramedPicture | undefined
}

interface EntryFormOptions {
  /** Names the form on this device; its draft is kept under it. */
  readonly form: string
  readonly fields: Fields
  readonly mode: FormMode
  /** The server's texts; empty texts for a new entry. */
  readonly stored: FieldValues
  /** The draft of an earlier page. */
  readonly kept: OpenDraft
  /** The id of the row, or a fresh one for every new entry. */
  readonly makeId: () => string
  /** Absent for a new entry. */
  readonly base?: Base
  readonly onSubmit: (submission: Submission) => Promise<void>
  /** Width over height of the picture's place, where the owner may choose the visible part. */
  readonly frame?: number | undefined
  /** The picture of a queued change that was shown here and is forgotten. */
  readonly leftPicture?: ShownPicture | undefined
}

const nothing: Base = { version: 0, seen: [] }

export type EntryFormState = ReturnType<typeof useEntryForm>

/** Holds values, picture, errors, draft and sending of one form. */
export function useEntryForm(options: EntryFormOptions) {
  const { fields, mode, base = nothing, onSubmit, frame, leftPicture } = options
  const [isReading, setReading] = useState(false)
  const draft = useDraft({ ...options, version: base.version, isReading })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [progress, setProgress] = useState<number>()
  const [isSending, setSending] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const imageField = imageFieldOf(fields)

  const setError = (name: string, error: string | undefined) =>
    setErrors(({ [name]: _old, ...rest }) =>
      error === undefined ? rest : { ...rest, [name]: error },
    )

  const choice = usePictureChoice({
    draft,
    address: draft.values[imageField ?? ''] ?? '',
    frame,
    setReading,
    setError: (error) => setError(imageField ?? '', error),
  })

  const takeBack = useEffectEvent(async ({ url, picture }: ShownPicture) => {
    const whole = picture instanceof File ? picture : new File([picture], '')
    draft.takeBack(await wholePicture(whole), { field: imageField ?? '', url })
  })
  useEffect(() => {
    if (leftPicture) void takeBack(leftPicture)
  }, [leftPicture])

  const send = async () => {
    const picked = await choice.outcome()
    const isTriedAgain = 'refused' in picked && picked.refused?.byServer === true
    const bad = 'refused' in picked && !isTriedAgain ? picked.refused : undefined
    const picture = 'picture' in picked ? picked.picture : undefined
    const { values: sent } = draft
    const hasPicture = picture !== undefined || draft.values[imageField ?? ''] !== ''
    // Without a picture its description is emptied.
    const said = hasPicture ? draft.values : { ...draft.values, [altField]: '' }
    const checked = checkValues(fields, mode, said)
    setErrors({
      ...(checked.ok ? {} : checked.errors),
      ...(bad && { [imageField ?? '']: bad.why }),
    })
    if (!checked.ok || bad) return
    if (isTriedAgain) choice.forget()
    await onSubmit({
      values: checked.value,
      picture,
      id: draft.id,
      filling: draft.filling(),
      base,
      onProgress: setProgress,
      refusePicture: (why) => {
        choice.forget()
        if (picture) choice.refuse({ file: picture, why, byServer: true })
        else setError(imageField ?? '', why)
      },
      typedSince: () => {
        const now = draft.now()
        const typed = changedFields(sent, now.values)
        const other = now.picture?.file === picture ? undefined : now.picture
        const isSomething = other !== undefined || Object.keys(typed).length > 0
        return isSomething ? { fields: typed, picture: other } : undefined
      },
      dropKept: draft.dropKept,
      forget: () => {
        choice.forget()
        draft.forget()
      },
    })
    setProgress(undefined)
  }

  // Not a form action: React holds back every other form's outcome while one is under way, and this one may have to
  // wait for a sign-in.
  const submit = async () => {
    if (isSending) return
    setSending(true)
    await send().finally(() => setSending(false))
    setAttempts((count) => count + 1)
  }

  const { earlier } = draft
  return {
    ...options,
    ...draft,
    // A picture is kept once it is read, and a new position once the picture is cut there.
    keeping: choice.isMoving || isReading ? ('writing' as const) : draft.keeping,
    attempts,
    errors,
    progress,
    imageField,
    submit,
    isSending,
    refused: choice.refused,
    pick: choice.pick,
    framing: choice.framing,
    forget: () => {
      choice.forget()
      draft.forget()
    },
    change: (name: string, value: string) => {
      draft.change(name, value)
      const wasWrong = errors[name] !== undefined
      setError(name, liveError({ fields, mode, name, value, wasWrong }))
    },
    /** Leaves the entry without a picture. */
    removePicture: () => {
      choice.drop()
      setError(altField, undefined)
      if (imageField !== undefined) draft.removePicture([imageField, altField])
    },
    /** Goes on with the stored picture, or with none. */
    goOnWithoutPicture: () => {
      choice.drop()
      draft.dropPicture()
    },
    dropShared: () => {
      if (draft.shared.includes(sharedPicture)) choice.drop()
      draft.dropShared()
    },
    earlier: earlier && {
      recover: () => {
        if (earlier.picture) choice.drop()
        earlier.recover()
      },
      discard: earlier.discard,
    },
  }
}

interface Typed {
  readonly fields: Fields
  readonly mode: FormMode
  readonly name: string
  readonly value: string
  readonly wasWrong: boolean
}

/**
 * While typing only a text over the limit is an error at once; a field found wrong before is checked until it is right.
 */
function liveError({ fields, mode, name, value, wasWrong }: Typed): string | undefined {
  const field = fields[name]
  if (field === undefined) return undefined
  const limit = limitOf(field, mode)
  if (lengthOf(value) > limit) return fill(fieldErrors.tooLong, { n: limit })
  if (!wasWrong) return undefined
  const checked = checkValues({ [name]: field }, mode, { [name]: value })
  return checked.ok ? undefined : checked.errors[name]
}
