import { useQueryClient } from '@tanstack/react-query'
import type { FailedPush } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { settleFailedPush } from './notifications.ts'
import { Button } from '#client/ui/button.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { longTime, nowEveryMs } from '#client/owner/inbox/message-words.ts'
import { toldOf } from '#client/owner/inbox/told-of.ts'

/** One notification that was given up: why, and whether to try again. */
export function FailedPushRow({ push }: { readonly push: FailedPush }) {
  const { id, what, device: name, why, at } = push
  const queryClient = useQueryClient()
  const now = useNow(nowEveryMs)
  const settle = (how: 'retry' | 'discard') => toldOf(settleFailedPush(queryClient, id, how))
  return (
    <li className="setting">
      <div>
        <b>{what}</b>
        <p>
          {longTime(at, now)} · {fill(noticeTexts.lostTo, { name, why })}
        </p>
      </div>
      <div className="actions">
        <Button
          tone="ghost"
          small
          aria-label={fill(noticeTexts.retryNotice, { name })}
          onClick={() => void settle('retry')}
        >
          {noticeTexts.retry}
        </Button>
        <Button
          tone="quiet"
          small
          aria-label={fill(noticeTexts.discardNotice, { name })}
          onClick={() => void settle('discard')}
        >
          {noticeTexts.discard}
        </Button>
      </div>
    </li>
  )
}
