import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queueUrl } from '#contract/notifications/worker-messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { texts } from '#contract/texts/site.ts'
import { unreadQuery } from './messages.ts'
import { followNotifications } from '#client/owner/notifications/follow-notifications.ts'
import { showAppBadge } from '#client/session/app-badge.ts'
import { openQueue } from '#client/owner/changes/open-queue.ts'
import { Icon } from '#client/ui/icon.tsx'

/** The badge shows no larger number. */
const most = 99

/** Shows the number of unread messages; the installed app's icon carries it too. */
export function InboxLink() {
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const { data: unread = 0, isSuccess } = useQuery(unreadQuery)
  useEffect(
    () =>
      followNotifications({
        queryClient,
        open: (url) => (url === queueUrl ? openQueue() : history.push(url)),
      }),
    [queryClient, history],
  )
  useEffect(() => {
    if (isSuccess) showAppBadge(unread)
  }, [isSuccess, unread])
  return (
    <Link className="icon-btn" to="/inbox" aria-label={labelOf(unread)} title={texts.inbox}>
      <Icon name="inbox" />
      {unread > 0 ? (
        <span className="count-badge" aria-hidden="true">
          {unread > most ? `${most}+` : unread}
        </span>
      ) : null}
    </Link>
  )
}

function labelOf(unread: number): string {
  if (unread === 0) return inboxTexts.link
  return unread === 1 ? inboxTexts.linkUnreadOne : fill(inboxTexts.linkUnread, { n: unread })
}
