import { useQueryClient } from '@tanstack/react-query'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { markAllRead } from '#client/data/messages.ts'
import { Button } from '#client/ui/button.tsx'
import { toldOf } from './told-of.ts'

/** Marks every message of the inbox as read. */
export function ReadAll() {
  const queryClient = useQueryClient()
  return (
    <Button
      tone="ghost"
      icon="check"
      aria-label={inboxTexts.readAll}
      title={inboxTexts.readAll}
      onClick={() => void toldOf(markAllRead(queryClient))}
    >
      <span>{inboxTexts.readAll}</span>
    </Button>
  )
}
