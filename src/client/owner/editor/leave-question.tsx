import { useBlocker } from '@tanstack/react-router'
import { ownerTexts } from '#contract/texts/owner.ts'
import { isUnsaved } from '#client/data/unsaved.ts'
import { isPageLeaving } from '#client/session/session-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

interface LeaveQuestionProps {
  readonly form: string
  /** Whether the device holds the draft; if not, closing the tab is asked about too. */
  readonly isKept: boolean
}

/** A draft that the device holds stays there whatever the answer. */
export function LeaveQuestion({ form, isKept }: LeaveQuestionProps) {
  const blocker = useBlocker({
    // The link past the header leads to a place of this page, and leaves nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(form),
    enableBeforeUnload: () => isUnsaved(form) && !isKept && !isPageLeaving(),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog title={ownerTexts.leaveTitle} onCancel={blocker.reset}>
      <div className="actions">
        <Button tone="ghost" onClick={blocker.proceed}>
          {ownerTexts.leave}
        </Button>
        <Button onClick={blocker.reset}>{ownerTexts.keepEditing}</Button>
      </div>
    </Dialog>
  )
}
