import { useEffect, useState, type ReactNode } from 'react'
import { v7 as newId } from 'uuid'
import { loginTexts } from '#contract/access/login.ts'
import { takeDraft } from '#client/owner/drafts/entry-drafts.ts'
import { useSession } from '#client/data/session.ts'
import { isProven } from '#client/session/proven.ts'
import { Loading } from '#client/site/loading.tsx'
import { Button } from '#client/ui/button.tsx'
import type { OpenDraft } from './draft-start.ts'
import { framePicture, wholePicture } from './framed-picture.ts'

interface FormDraftProps {
  /** Names the form on this device. */
  readonly form: string
  /** It makes a new thing: what is recovered gets a new id. */
  readonly isNew?: boolean
  /** Its place is closed: nobody waits for it. */
  readonly isClosed?: boolean
  readonly children: (kept: OpenDraft) => ReactNode
}

/**
 * Draws a form once what an earlier page kept of it has been read, anew each time the form opens; while it is open no other
 * tab has its draft. Whoever sits at a tab of hers after her session has ended sees nothing of it; whoever signs in there
 * under another account begins with a form of her own.
 */
export function FormDraft({ form, isNew = false, isClosed = false, children }: FormDraftProps) {
  const [kept, setKept] = useState<OpenDraft>()
  const [askAgain, setAskAgain] = useState<() => void>()
  const { account } = useSession()
  useEffect(() => {
    let isCurrent = true
    const taking = takeDraft(form, isNew ? newId : undefined)
    const read = async () => {
      const found = await taking
      const { picture: whole, draft } = found
      if (draft ?? whole) await untilProven((ask) => setAskAgain(() => ask))
      const framing = draft?.framing
      const picture =
        whole && (await (framing ? framePicture(whole, framing) : wholePicture(whole)))
      if (isCurrent) setKept({ ...found, picture, account })
    }
    void read()
    return () => {
      isCurrent = false
      setKept(undefined)
      setAskAgain(undefined)
      void taking.then(({ unlock }) => unlock())
    }
  }, [form, isNew, account])
  if (kept?.account === account) return children(kept)
  // Whether her session still lives is asked for as long as the server may take to answer.
  if (!askAgain) {
    return isClosed ? null : (
      <div className="form-wait">
        <Loading />
      </div>
    )
  }
  return (
    <div className="empty">
      <p>{loginTexts.continue}</p>
      <Button onClick={askAgain}>{loginTexts.submit}</Button>
    </div>
  )
}

/** Resolves once whoever sits here may see a draft; while she puts signing in off, `offer` gets what asks again. */
async function untilProven(offer: (ask: () => void) => void): Promise<void> {
  while (!(await isProven())) {
    const { promise, resolve } = Promise.withResolvers<void>()
    offer(resolve)
    await promise
  }
}
