import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MessagePage, Folder } from '#contract/messages/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { loadOlder } from './messages.ts'
import { Button } from '#client/ui/button.tsx'
import { focusMessage } from './reader-focus.ts'
import { toldOf } from '#client/owner/calls/told-of.ts'

interface OlderMessagesProps {
  readonly folder: Folder
  readonly list: MessagePage
}

export function OlderMessages({ folder, list: { messages, total } }: OlderMessagesProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [before, setBefore] = useState(Infinity)
  const isMore = total > messages.length
  const isAllBrought = !isMore && messages.length > before
  const bring = async () => {
    if (isBusy) return
    setBefore(messages.length)
    setBusy(true)
    await toldOf(loadOlder(queryClient, folder))
    setBusy(false)
  }
  // With the last part the button goes, so the focus moves to the first message of that part.
  useEffect(() => {
    if (isAllBrought) focusMessage(before)
  }, [isAllBrought, before])
  return (
    <p className="inbox-note">
      <span role="status">
        {isMore ? fill(inboxTexts.more, { n: messages.length, total }) : ''}
        {isAllBrought ? fill(inboxTexts.allShown, { total }) : ''}
      </span>
      {isMore ? (
        <Button
          tone="quiet"
          small
          busy={isBusy}
          aria-disabled={isBusy || undefined}
          onClick={() => void bring()}
        >
          {inboxTexts.seeOlder}
        </Button>
      ) : null}
    </p>
  )
}
