import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, type MouseEvent } from 'react'
import {
  messageNotices,
  type Message,
  type MessagePage,
  type Folder,
} from '#contract/messages/messages.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { tellResult } from '#client/owner/changes/change-notices.ts'
import { markAnsweredOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { changeMessage, removeMessage } from './messages.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { showNotice } from '#client/ui/notices.ts'
import { useNow } from '#client/ui/use-now.ts'
import { confirmRemoval } from '#client/owner/editor/confirm-removal.ts'
import { MessageList, searchOf } from './message-list.tsx'
import { OlderMessages } from './older-messages.tsx'
import { MessageReader } from './message-reader.tsx'
import { MessageGone } from './message-states.tsx'
import { focusMessage, useReaderFocus } from './reader-focus.ts'
import { toldOf } from '#client/owner/calls/told-of.ts'

interface MessageFolderProps {
  readonly folder: Folder
  readonly list: MessagePage
  /** The id of the message in the page's address. */
  readonly opened: string | undefined
  /** Whether newer messages of the folder are loading or failed to load. */
  readonly news: 'loading' | 'failed' | 'here'
  readonly owner: string
}

/** The ids she marked as unread herself; showing such a message beside the list does not undo that. */
const keptUnread = new Set<string>()

/** Phones show either the list or the message. */
export function MessageFolder({ folder, list, opened, news, owner }: MessageFolderProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const now = useNow()
  const { messages, total } = list
  const asked = messages.find(({ id }) => id === opened)
  // Wide screens show the first message when none is asked for.
  const shown = opened === undefined ? messages[0] : asked
  const isAll = news === 'here' && total === messages.length
  const fate = news === 'loading' ? news : isAll ? 'gone' : 'unknown'
  useReaderFocus(opened)
  useEffect(() => {
    if (shown?.readAt !== null) return undefined
    const read = () =>
      void changeMessage(queryClient, shown, { read: true }).catch((cause: unknown) =>
        logProblem('A message could not be marked as read', cause),
      )
    if (asked) return read()
    // A message that arrives while nobody is at the screen is not read: that takes an action with the message in sight.
    return keptUnread.has(shown.id) ? undefined : onReading(read)
    // Only arriving at a message reads it: one that is marked as unread afterwards stays so.
    // oxlint-disable-next-line react/exhaustive-deps -- the message's id alone tells of an arrival
  }, [shown?.id, asked?.id])

  /** Goes back to the list before the message leaves it, so that its empty place is never shown. */
  const leaveWith = async (message: Message, call: () => Promise<void>, notice?: string) => {
    const index = messages.indexOf(message)
    await navigate({ to: '/inbox', search: searchOf(folder), replace: true })
    const isDone = await toldOf(call())
    if (isDone && notice !== undefined) void showNotice('success-snackbar', notice)
    focusMessage(index)
  }
  const remove = async (message: Message, event: MouseEvent) => {
    const isConfirmed = await confirmRemoval(message.id, event)
    if (isConfirmed !== true) return
    await leaveWith(message, () => removeMessage(queryClient, message), messageNotices.deleted)
  }
  const move = (message: Message) => {
    const to: Folder = folder === 'spam' ? 'inbox' : 'spam'
    const notice = to === 'spam' ? messageNotices.toSpam : messageNotices.toInbox
    return leaveWith(message, () => changeMessage(queryClient, message, { tray: to }), notice)
  }
  const answered = async (message: Message, isAnswered: boolean) => {
    const change = markAnsweredOperation(message.id, isAnswered)
    const result = await submitChange(change, { queryClient })
    tellResult(result, { failed: inboxTexts.notDone })
  }
  const unread = (message: Message) => {
    keptUnread.add(message.id)
    return leaveWith(message, () => changeMessage(queryClient, message, { read: false }))
  }

  return (
    <>
      <section className={opened === undefined ? 'card inbox' : 'card inbox is-reading'}>
        <MessageList folder={folder} messages={messages} current={shown?.id} now={now} />
        {shown ? (
          <MessageReader
            key={shown.id}
            message={shown}
            owner={owner}
            now={now}
            onUnread={() => void unread(shown)}
            onAnswered={(isAnswered) => answered(shown, isAnswered)}
            onMove={() => void move(shown)}
            onRemove={(event) => void remove(shown, event)}
          />
        ) : (
          <MessageGone folder={folder} fate={fate} />
        )}
      </section>
      <OlderMessages key={folder} folder={folder} list={list} />
    </>
  )
}

/** How long a message must be shown before an action counts as reading it, in milliseconds. */
const readingMs = 1_500
const signs = ['pointermove', 'pointerdown', 'wheel', 'keydown'] as const

/**
 * Calls once, on the first action after the message beside the list has been shown for a moment; phones show the list
 * alone. Returns how to stop waiting.
 */
function onReading(call: () => void): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  const look = () => {
    const message = document.querySelector('.msg-reader .msg')
    if (document.visibilityState === 'hidden' || message?.checkVisibility() !== true) return
    waiting.abort()
    call()
  }
  const timer = setTimeout(() => {
    for (const sign of signs) addEventListener(sign, look, { signal, passive: true })
  }, readingMs)
  return () => {
    clearTimeout(timer)
    waiting.abort()
  }
}
