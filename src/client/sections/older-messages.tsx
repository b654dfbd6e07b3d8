import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageList, Tray } from '#contract/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { loadOlder } from '#client/data/messages.ts'
import { Button } from '#client/ui/button.tsx'
import { focusMessage } from './reader-focus.ts'
import { toldOf } from './told-of.ts'

interface OlderMessagesProps {
  readonly tray: Tray
  readonly list: MessageList
}

/** Says how much of a long tray is on the page, and brings the next part of it. */
export function OlderMessages({ tray, list: { messages, total } }: OlderMessagesProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const bring = async () => {
    setBusy(true)
    const isDone = await toldOf(loadOlder(queryClient, tray))
    setBusy(false)
    // With the last part the button goes, and the focus on to the first message it brought.
    if (isDone) requestAnimationFrame(() => focusMessage(messages.length))
  }
  return (
    <p className="inbox-note">
      <span role="status">{fill(inboxTexts.more, { n: messages.length, total })}</span>
      <Button tone="quiet" small busy={isBusy} disabled={isBusy} onClick={() => void bring()}>
        {inboxTexts.seeOlder}
      </Button>
    </p>
  )
}
