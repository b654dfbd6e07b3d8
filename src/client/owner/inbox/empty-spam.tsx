import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import { messageNotices, type Seen } from '#contract/messages/messages.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { emptySpam } from './messages.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { Button } from '#client/ui/button.tsx'
import { focusTitleAfter, isFocusLost } from '#client/ui/lost-focus.ts'
import { showNotice } from '#client/ui/notices.ts'
import { confirmRemoval } from '#client/owner/editor/confirm-removal.ts'
import { searchOf } from './message-list.tsx'
import { toldOf } from '#client/owner/calls/told-of.ts'

interface EmptySpamProps {
  /** What is on screen. */
  readonly seen: Seen
}

/** Asks first, because deleting is final, and deletes no more than what was on screen when she pressed, and what came before. */
export function EmptySpam({ seen }: EmptySpamProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const empty = async (event: MouseEvent) => {
    const isConfirmed = await confirmRemoval('spam', event, inboxTexts.confirmEmptySpam)
    if (isConfirmed !== true) return
    setBusy(true)
    // Leaves the open message, which is about to go.
    await navigate({ to: '/inbox', search: searchOf('spam'), replace: true })
    const isDone = await toldOf(emptySpam(queryClient, seen))
    setBusy(false)
    if (!isDone) return
    void showNotice('success-snackbar', messageNotices.spamEmptied)
    // What was pressed is gone; she may be elsewhere by now.
    if (isFocusLost()) focusHeading()
  }
  return (
    <Button
      ref={focusTitleAfter}
      tone="ghost"
      icon="trash"
      aria-label={inboxTexts.emptySpam}
      title={inboxTexts.emptySpam}
      busy={isBusy}
      onClick={(event) => void empty(event)}
    >
      <span>{inboxTexts.emptySpam}</span>
    </Button>
  )
}
