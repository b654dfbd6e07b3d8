import { useEffect, useState, type ReactNode } from 'react'
import { v7 as newId } from 'uuid'
import { takeDraft, type KeptDraft } from '#client/outbox/entry-drafts.ts'

interface FormDraftProps {
  /** Names the form on this device. */
  readonly form: string
  /** It makes a new thing: what is recovered gets a new id. */
  readonly isNew?: boolean
  readonly children: (kept: KeptDraft) => ReactNode
}

/**
 * Draws a form once what an earlier page kept of it has been read, anew each time the form opens; while it is open no other
 * tab has its draft.
 */
export function FormDraft({ form, isNew = false, children }: FormDraftProps) {
  const [kept, setKept] = useState<KeptDraft>()
  useEffect(() => {
    let isCurrent = true
    const taking = takeDraft(form, isNew ? newId : undefined)
    const read = async () => {
      const found = await taking
      if (isCurrent) setKept(found)
    }
    void read()
    return () => {
      isCurrent = false
      void taking.then(({ letGo }) => letGo())
    }
  }, [form, isNew])
  return kept ? children(kept) : null
}
