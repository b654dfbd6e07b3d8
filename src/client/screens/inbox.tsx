import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { MessageList as Listed, Tray } from '#contract/messages.ts'
import { fullName } from '#contract/person.ts'
import { inboxParameter } from '#contract/push.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { texts } from '#contract/texts.ts'
import { trayQuery } from '#client/data/messages.ts'
import { useShownPerson, useShownSettings } from '#client/data/outbox/shown.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { trayParameter } from '#client/sections/message-list.tsx'
import { EmptySpam } from '#client/sections/empty-spam.tsx'
import { EmptyTray, TrayFailed, TraySkeleton, TrayStale } from '#client/sections/message-states.tsx'
import { MessageTray } from '#client/sections/message-tray.tsx'
import { PushAsk } from '#client/sections/push-ask.tsx'
import { ReadAll } from '#client/sections/read-all.tsx'
import { TraySwitch } from '#client/sections/tray-switch.tsx'
import { useTrouble } from '#client/sections/use-trouble.ts'
import '#client/styles/owner.css'

/** What visitors wrote to the owner; nothing of it stays on the page once she has signed out. */
export function InboxScreen() {
  const session = useSession()
  return isAdmin(session) ? <Inbox /> : null
}

function Inbox() {
  const address = useLocation({ select: ({ searchStr }) => searchStr })
  const search = new URLSearchParams(address)
  const tray: Tray = search.get(trayParameter) === 'spam' ? 'spam' : 'inbox'
  const opened = search.get(inboxParameter) ?? undefined
  const { data: list, error, isFetching, refetch } = useQuery(trayQuery(tray))
  const trouble = useTrouble(error)
  const news = isFetching ? 'loading' : trouble ? 'failed' : 'here'
  const settings = useShownSettings(useSuspenseQuery(settingsQuery).data)
  const isAskable = settings.push_prompt_enabled === 'true'
  const owner = fullName(useShownPerson(useSuspenseQuery(personQuery).data))
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{tray === 'spam' ? inboxTexts.spam : texts.inbox}</h1>
        <p role="status">{list && headline(tray, list)}</p>
        {tray === 'inbox' && list && list.unread > 0 ? (
          <div className="actions-slot">
            <ReadAll />
          </div>
        ) : null}
        {tray === 'spam' && list && list.total > 0 ? (
          <div className="actions-slot">
            <EmptySpam />
          </div>
        ) : null}
      </header>
      {trouble && !list ? <TrayFailed trouble={trouble} onRetry={() => void refetch()} /> : null}
      {list || trouble ? null : <TraySkeleton />}
      {list && trouble ? <TrayStale trouble={trouble} /> : null}
      {list?.messages.length === 0 && opened === undefined ? <EmptyTray tray={tray} /> : null}
      {list && (list.messages.length > 0 || opened !== undefined) ? (
        <MessageTray {...{ tray, list, opened, owner }} news={news} />
      ) : null}
      {tray === 'inbox' && list && list.total > 0 && isAskable ? <PushAsk /> : null}
      <TraySwitch tray={tray} />
    </>
  )
}

function headline(tray: Tray, { unread, total }: Listed): string {
  if (tray === 'spam') return inboxTexts.spamHint
  if (total === 0) return ''
  if (unread === 0) return inboxTexts.allRead
  return unread === 1 ? inboxTexts.unreadOne : fill(inboxTexts.unread, { n: unread })
}
