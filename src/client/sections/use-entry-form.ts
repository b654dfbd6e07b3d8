import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { imageFieldOf, type Draft, type Fields } from '#contract/fields.ts'
import { imageLimit } from '#contract/setting-kinds.ts'
import { defaultSettings } from '#contract/setting-defaults.ts'
import { fill, lengthOf } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { fieldErrors } from '#contract/texts.ts'
import { checkDraft, limitOf, type FieldErrors, type Moment } from '#contract/validate.ts'
import { useShownSettings } from '#client/data/outbox/shown.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { preparePicture } from '#client/platform/picture.ts'
import { useDraft } from './use-draft.ts'

/** What a form hands over when everything in it is in order. */
export interface Submission {
  readonly values: Draft
  readonly picture: File | undefined
  /** The id a new entry is to get, the same at every try. */
  readonly id: string
  /** The version the edit started from. */
  readonly version: number
  readonly onProgress: (share: number) => void
  /** Says that the picture is what is wrong. */
  readonly refusePicture: (why: string) => void
  /** Empties the form and forgets its draft: everything in it is on the server. */
  readonly forget: () => void
}

export interface EntryFormOptions {
  /** Names the form on this device; its draft is kept under it. */
  readonly form: string
  readonly fields: Fields
  readonly moment: Moment
  /** What the server holds; empty texts for a new entry. */
  readonly stored: Draft
  /** The id of the row, or a fresh one for every new entry. */
  readonly makeId: () => string
  readonly version: number
  readonly onSubmit: (submission: Submission) => Promise<void>
}

export type EntryForm = ReturnType<typeof useEntryForm>

/** The state of one form over a section's or the profile's fields: values, picture, errors, draft and sending. */
export function useEntryForm(options: EntryFormOptions) {
  const { fields, moment, onSubmit } = options
  const draft = useDraft(options)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [progress, setProgress] = useState<number>()
  const [isSending, setSending] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const imageField = imageFieldOf(fields)
  const settings = useShownSettings(useQuery(settingsQuery).data) ?? defaultSettings

  const setError = (name: string, error: string | undefined) =>
    setErrors(({ [name]: _old, ...rest }) =>
      error === undefined ? rest : { ...rest, [name]: error },
    )

  const send = async () => {
    const checked = checkDraft(fields, moment, draft.values)
    setErrors(checked.ok ? {} : checked.errors)
    if (!checked.ok) return
    await onSubmit({
      values: checked.value,
      picture: draft.picture?.file,
      id: draft.id,
      version: draft.version,
      onProgress: setProgress,
      refusePicture: (why) => setError(imageField ?? '', why),
      forget: draft.forget,
    })
    setProgress(undefined)
  }

  // Not a form action: React holds back every other form's outcome while one is under way, and this one may have to wait for a sign-in.
  const submit = async () => {
    if (isSending) return
    setSending(true)
    await send()
    setSending(false)
    setAttempts((count) => count + 1)
  }

  return {
    ...options,
    ...draft,
    attempts,
    errors,
    progress,
    imageField,
    submit,
    isSending,
    change: (name: string, value: string) => {
      draft.change(name, value)
      const wasWrong = errors[name] !== undefined
      setError(name, liveError({ fields, moment, name, value, wasWrong }))
    },
    pick: async (file: File) => {
      const picture = await preparePicture(file, imageLimit(settings))
      if (picture.ok) draft.choose(picture.file)
      const wrong = {
        wrong: ownerTexts.wrongImage,
        big: fill(ownerTexts.bigImage, { n: settings.max_image_mb }),
      }
      setError(imageField ?? '', picture.ok ? undefined : wrong[picture.reason])
    },
  }
}

interface Typed {
  readonly fields: Fields
  readonly moment: Moment
  readonly name: string
  readonly value: string
  readonly wasWrong: boolean
}

/** While typing only too much is said at once; what was found wrong before is checked until it is right. */
function liveError({ fields, moment, name, value, wasWrong }: Typed): string | undefined {
  const field = fields[name]
  if (field === undefined) return undefined
  const limit = limitOf(field, moment)
  if (lengthOf(value) > limit) return fill(fieldErrors.tooLong, { n: limit })
  if (!wasWrong) return undefined
  const checked = checkDraft({ [name]: field }, moment, { [name]: value })
  return checked.ok ? undefined : checked.errors[name]
}
