import { useEffect, useState, type ReactNode } from 'react'
import { v7 as newId } from 'uuid'
import { takeDraft } from '#client/outbox/entry-drafts.ts'
import type { OpenDraft } from './draft-start.ts'
import { framePicture, wholePicture } from './framed-picture.ts'

interface FormDraftProps {
  /** Names the form on this device. */
  readonly form: string
  /** It makes a new thing: what is recovered gets a new id. */
  readonly isNew?: boolean
  readonly children: (kept: OpenDraft) => ReactNode
}

/**
 * Draws a form once what an earlier page kept of it has been read, anew each time the form opens; while it is open no other
 * tab has its draft.
 */
export function FormDraft({ form, isNew = false, children }: FormDraftProps) {
  const [kept, setKept] = useState<OpenDraft>()
  useEffect(() => {
    let isCurrent = true
    const taking = takeDraft(form, isNew ? newId : undefined)
    const read = async () => {
      const found = await taking
      const { picture: whole, draft } = found
      const framing = draft?.framing
      const picture =
        whole && (await (framing ? framePicture(whole, framing) : wholePicture(whole)))
      if (isCurrent) setKept({ ...found, picture })
    }
    void read()
    return () => {
      isCurrent = false
      void taking.then(({ letGo }) => letGo())
    }
  }, [form, isNew])
  return kept ? children(kept) : null
}
