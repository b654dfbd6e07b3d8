import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { MessagePage, Folder, Seen } from '#contract/messages/messages.ts'
import { fullName } from '#contract/person/person.ts'
import { inboxParameter } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { texts } from '#contract/texts/site.ts'
import { markAllRead, folderQuery, seenOf } from './messages.ts'
import { usePerson, useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import { searchOf, folderParameter } from './message-list.tsx'
import { EmptySpam } from './empty-spam.tsx'
import { EmptyFolder, FolderFailed, FolderSkeleton, FolderStale } from './message-states.tsx'
import { MessageFolder } from './message-folder.tsx'
import { PushAsk } from '#client/owner/notifications/push-ask.tsx'
import { toldOf } from '#client/owner/calls/told-of.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { useTrouble } from '#client/owner/calls/use-trouble.ts'
import '#client/styles/owner.css'

export function InboxScreen() {
  return (
    <OwnScreen>
      <Inbox />
    </OwnScreen>
  )
}

function Inbox() {
  const address = useLocation({ select: ({ searchStr }) => searchStr })
  const search = new URLSearchParams(address)
  const folder: Folder = search.get(folderParameter) === 'spam' ? 'spam' : 'inbox'
  const opened = search.get(inboxParameter) ?? undefined
  const { data: list, error, isFetching, refetch } = useQuery(folderQuery(folder))
  const trouble = useTrouble(error)
  const news = isFetching ? 'loading' : trouble ? 'failed' : 'here'
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const isAskable = settings.push_prompt_enabled === 'true'
  const seen = list && seenOf(list)
  const owner = fullName(usePerson(useSuspenseQuery(personQuery).data))
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{folder === 'spam' ? inboxTexts.spam : texts.inbox}</h1>
        <p role="status">{list && headline(folder, list)}</p>
        {folder === 'inbox' && list && list.unread > 0 && seen ? (
          <div className="actions-slot">
            <ReadAll seen={seen} />
          </div>
        ) : null}
        {folder === 'spam' && list && list.total > 0 && seen ? (
          <div className="actions-slot">
            <EmptySpam seen={seen} />
          </div>
        ) : null}
      </header>
      {trouble && !list ? <FolderFailed trouble={trouble} onRetry={() => void refetch()} /> : null}
      {list || trouble ? null : <FolderSkeleton />}
      {list && trouble ? <FolderStale trouble={trouble} /> : null}
      {list?.messages.length === 0 && opened === undefined ? <EmptyFolder folder={folder} /> : null}
      {list && (list.messages.length > 0 || opened !== undefined) ? (
        <MessageFolder {...{ folder, list, opened, owner }} news={news} />
      ) : null}
      {folder === 'inbox' && list && list.total > 0 && isAskable ? <PushAsk /> : null}
      <FolderSwitch folder={folder} />
    </>
  )
}

function headline(folder: Folder, { unread, total }: MessagePage): string {
  if (folder === 'spam') return inboxTexts.spamHint
  if (total === 0) return ''
  if (unread === 0) return inboxTexts.allRead
  return unread === 1 ? inboxTexts.unreadOne : fill(inboxTexts.unread, { n: unread })
}

function FolderSwitch({ folder }: { readonly folder: Folder }) {
  const isSpam = folder === 'spam'
  return (
    <p className="inbox-foot">
      <Link className="ext-link" to="/inbox" search={searchOf(isSpam ? 'inbox' : 'spam')}>
        <Icon name={isSpam ? 'back' : 'shield'} />
        {isSpam ? inboxTexts.seeInbox : inboxTexts.seeSpam}
      </Link>
    </p>
  )
}

interface ReadAllProps {
  /** What is on screen. */
  readonly seen: Seen
}

function ReadAll({ seen }: ReadAllProps) {
  const queryClient = useQueryClient()
  return (
    <Button
      ref={focusTitleAfter}
      tone="ghost"
      icon="check"
      aria-label={inboxTexts.readAll}
      title={inboxTexts.readAll}
      onClick={() => void toldOf(markAllRead(queryClient, seen))}
    >
      <span>{inboxTexts.readAll}</span>
    </Button>
  )
}
