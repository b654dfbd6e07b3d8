import type { QueryClient } from '@tanstack/react-query'
import { drainOnConnection } from '#client/browser/background-sync.ts'
import { inTime } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { toStored } from '#client/browser/stored-file.ts'
import { dropSentDrafts, markDraftsQueued } from './queued-drafts.ts'
import { isCarried, type SavedDraft } from './saved-draft.ts'
import { settleMessageDraft } from '#client/drafts/message-draft.ts'
import { getSession, isAdmin, isSomebody, onSession } from '#client/data/session.ts'
import { sessionRenewed } from '#client/session/session-change.ts'
import { markUnsaved, queueInMemory, whileBusy } from '#client/data/unsaved.ts'
import type { Account, Operation } from './operation.ts'
import {
  overlayEntries,
  overlayPerson,
  overlaySettings,
  rowShown,
  type Queued,
} from './overlay-rows.ts'
import type { OutboxState } from './queue-state.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { ChangeResult } from './pending-callers.ts'
import { isHidden, type HiddenEntry } from '#contract/entries/hidden.ts'
import { hiddenOf, withHidden } from './hidden-entries.ts'
import { freeAddresses, pictureAddress, picturesRead, type Pictures } from './picture-addresses.ts'
import { noteQueue } from '#client/data/queue-note.ts'
import { sendOperation } from './send.ts'
import { createOutdated } from './outdated.ts'
import { showApplied } from './show-applied.ts'
import { setOverlay, type Overlay } from '#client/data/overlay.ts'
import { fallbackStore } from './fallback-store.ts'
import { openOutboxStore, type OutboxStore } from './store.ts'
import { createStore, useStore } from '#client/ui/store.ts'
import { outboxListener } from './outbox-events.ts'

const nothing: OutboxState = { operations: [], needsLogin: false }
const anySetting = { subject: { on: 'settings' } } as const
const state = createStore(nothing)
let current: PageOutbox | undefined

export interface PageOutbox extends Outbox {
  /** Resolves once the queue has been read, so that its changes are on every page. */
  readonly opened: Promise<void>
  readonly left: ReturnType<typeof fallbackStore>['left']
  /** What the page's cache has of the server. */
  readonly queryClient: QueryClient
  /** Where the queue is kept; the owner's pages have it watched. */
  readonly device: OutboxStore
}

/** This page's queue, opened with the first call: what an earlier visit left is then sent. */
export function pageOutbox(queryClient: QueryClient): PageOutbox {
  current ??= openOutbox(queryClient)
  return current
}

/** This page's queue if anybody has opened it. */
export function presentOutbox(): PageOutbox | undefined {
  return current
}

/** Whether this page sends what of the owner's waits as soon as there is a connection. */
export function mayPublish(): boolean {
  return isSignedIn() && current?.getState().needsLogin !== true
}

/** The queue as React state; server and hydration always see it empty. */
export function useOutbox(): OutboxState {
  return useStore(state, nothing)
}

function openOutbox(queryClient: QueryClient): PageOutbox {
  const outdated = createOutdated(queryClient)
  let late: Operation[] = []
  let isDraftApplied = false
  let hidden = hiddenOf(queryClient)
  const device = openOutboxStore()
  const store = fallbackStore({
    open: () => device,
    onTrouble: (cause) => outboxListener().nothingKept(cause),
  })
  const outbox = createOutbox({
    store,
    send: async (...sending) => {
      const answer = await sendOperation(...sending)
      // It is about something else than this page shows.
      if (answer.is === 'refused' || answer.is === 'taken') await outdated.note(sending[0])
      // The switch that ends it is to be found where it is shown.
      if (answer.is === 'later' && answer.isReadOnly) await outdated.note(anySetting)
      if (answer.is === 'login') void sessionRenewed().then(outbox.answerLogin)
      return answer
    },
    whileSending: whileBusy,
    isOwner: isSignedIn,
    account: presentAccount,
    isOnline: () => navigator.onLine,
    isKept: store.isKept,
    isLeft: store.isLeft,
    shown: (subject, operations) =>
      rowShown(queryClient, subject, withPictures(operations, pictures)),
    markDrafts,
    onApplied: async ({ operation, json, isLate }) => {
      const { subject, id, values } = operation
      if (subject.on === 'message') await settleMessageDraft(id, values)
      if (isLate) late.push(operation)
      isDraftApplied ||= draftIdOf(subject) !== undefined
      await outdated.note(operation)
      await showApplied(queryClient, operation, json)
    },
    onStopped: (operation) => outboxListener().stopped(operation),
    onIdle: () => {
      outdated.readAgain()
      if (isDraftApplied) void dropSent()
      isDraftApplied = false
      if (late.length > 0) outboxListener().delivered(late)
      late = []
    },
    log: logProblem,
  })
  const pictures: Pictures = { read: outbox.picture, onReady: draw }

  /** A page that was left before it heard of its change has not dropped the draft itself. */
  async function dropSent(): Promise<void> {
    if (!isSignedIn() || !store.isKept()) return
    await dropSentDrafts(async () => {
      const ids = (await store.read()).map(({ subject }) => draftIdOf(subject))
      return new Set(ids.filter((id) => id !== undefined))
    })
  }

  function draw(): void {
    const next = outbox.getState()
    const { operations } = next
    freeAddresses(operations)
    setOverlay(overlayOf(operations, hidden, pictures))
    state.set(next)
  }

  outbox.subscribe(() => {
    const { operations, others = [] } = outbox.getState()
    const changes = operations.filter(({ subject }) => subject.on !== 'message').length
    noteQueue({ changes: changes + others.length, messages: operations.length - changes })
    // No new version may reload the page over what only the page holds.
    markUnsaved(queueInMemory, operations.length > 0 && !store.isKept())
    draw()
  })
  queryClient.getQueryCache().subscribe(() => {
    const read = hiddenOf(queryClient)
    if (read === hidden) return
    hidden = read
    draw()
  })
  onSession(outbox.followAccount)
  followLogin(outbox.answerLogin)

  const add: Outbox['add'] = async (change, options) => {
    const picture = options?.picture
    const stored = picture instanceof Blob ? await toStored(picture) : picture
    const result = await outbox.add(change, { ...options, picture: stored })
    if (result.state === 'queued') void drainOnConnection()
    return result
  }
  const addAll: Outbox['addAll'] = async (...changes) => {
    const added = await outbox.addAll(...changes)
    void drainLaterFor(added.results)
    return added
  }
  const started = outbox.start()
  void started.then(dropSent)
  // One that the device does not give is shown when it comes.
  const opened = started.then(() =>
    inTime(picturesRead(outbox.getState().operations, pictures)).catch(() => undefined),
  )
  return { ...outbox, add, addAll, opened, left: store.left, queryClient, device }
}

/** Notes in the drafts of what changes are about that the queue has them, or, where it has not, that their forms have them back. */
async function markDrafts(operations: readonly Operation[], isQueued: boolean): Promise<void> {
  // What is being typed is not what an earlier version said, nor what comes back from the bin.
  const typed = operations.filter(({ verb, isReturn }) => !isReturn && verb !== 'restore')
  const byDraft = Map.groupBy(typed, ({ subject }) => draftIdOf(subject))
  byDraft.delete(undefined)
  if (byDraft.size === 0) return
  const isMeant = (draft: SavedDraft) => (operation: Operation) =>
    !isQueued || operation.verb !== 'update' || isCarried(draft, operation)
  await markDraftsQueued(isQueued, (draft) => byDraft.get(draft.id)?.some(isMeant(draft)) ?? false)
}

/** Once all are known; what is queued waits for a connection. */
async function drainLaterFor(results: Promise<readonly ChangeResult[]>): Promise<void> {
  if ((await results).some(({ state: became }) => became === 'queued')) await drainOnConnection()
}

/** The id of the drafts that forms of this keep; those of the profile are none's. */
function draftIdOf(subject: Operation['subject']): string | undefined {
  if (subject.on === 'settings') return subject.key
  return subject.on === 'entry' ? subject.id : undefined
}

function isSignedIn(): boolean {
  const { token, isExpired } = getSession()
  return token !== undefined && !isExpired
}

/** Who is signed in on this tab, also while she is asked to sign in again; undefined for nobody. */
export function presentAccount(): Account | undefined {
  const session = getSession()
  const { account, userName } = session
  return isSomebody(session) ? { account, userName } : undefined
}

/** Only the signed-in owner sees what is queued or hidden; the next person on this device does not. */
function overlayOf(
  operations: readonly Operation[],
  hidden: readonly HiddenEntry[],
  pictures: Pictures,
): Overlay | undefined {
  if (operations.length + hidden.length === 0 || !isAdmin(getSession())) return undefined
  const shown = withPictures(operations, pictures)
  return {
    entries: (section, rows, isWhole) => {
      const whole = overlayEntries(section, withHidden(section, rows, hidden), shown)
      return isWhole ? whole : whole.filter((entry) => !isHidden(entry))
    },
    person: (person) => overlayPerson(person, shown),
    settings: (values) => overlaySettings(values, operations),
  }
}

function withPictures(operations: readonly Operation[], pictures: Pictures): Queued {
  return { operations, pictureOf: (operation) => pictureAddress(operation, pictures) }
}

/** Tells how the owner answered the request to sign in, whichever call it was that found the session over. */
export function followLogin(onAnswer: (isRenewed: boolean) => void): void {
  let before = getSession()
  onSession(() => {
    const was = before
    before = getSession()
    const { token, isExpired } = before
    if (token !== was.token) {
      if (token !== undefined) onAnswer(true)
    } else if (was.isExpired && !isExpired) onAnswer(false)
  })
}
