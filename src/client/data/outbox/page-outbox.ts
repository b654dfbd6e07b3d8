import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { wakeOnConnection } from '#client/platform/background-sync.ts'
import { forget } from '#client/platform/api-copy.ts'
import { logProblem } from '#client/platform/log.ts'
import { markDraftQueued } from '../drafts.ts'
import { settleMessageDraft } from '../message-draft.ts'
import { getSession, isAdmin, onSession, sessionRenewed } from '../session.ts'
import { markUnsaved, whileBusy, whileSettling } from '../unsaved.ts'
import type { Operation } from './operation.ts'
import { overlayEntries, overlayPerson, overlaySettings } from './overlay.ts'
import type { OutboxState } from './live-state.ts'
import { followLogin } from './follow-login.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { freeAddresses, pictureAddress, type Pictures } from './picture-addresses.ts'
import { rememberQueue } from './remember-queue.ts'
import { sendOperation } from './send.ts'
import { kindOf, queryKeyOf, showApplied } from './show-applied.ts'
import { setOverlay, type Overlay } from './shown.ts'
import { steadyStore } from './steady-store.ts'
import { openOutboxStore } from './store.ts'
import { outboxVoice } from './voice.ts'

/** How long an update waits for what is read after a queue has left, in milliseconds. */
const rereadWithinMs = 5_000
const nothing: OutboxState = { operations: [], needsLogin: false }
const listeners = new Set<() => void>()
let current: PageOutbox | undefined

interface PageOutbox extends Outbox {
  /** Resolves once the queue has been read, so that its changes are on every page. */
  readonly opened: Promise<void>
}

/** This page's queue, opened with the first call: what an earlier visit left is then sent. */
export function pageOutbox(queryClient: QueryClient): PageOutbox {
  current ??= openOutbox(queryClient)
  return current
}

/** Whether the queue stands still until the owner signs in. */
export function isWaitingForLogin(): boolean {
  return current?.getState().needsLogin ?? false
}

/** Whether this page sends what of the owner's waits as soon as there is a connection. */
export function mayPublish(): boolean {
  return isSignedIn() && !isWaitingForLogin()
}

/** What of the owner's this device still holds back. */
export function unpublished(): readonly Operation[] {
  const operations = current?.getState().operations ?? []
  return operations.filter(({ subject }) => subject.on !== 'message')
}

/** Sends the queue at once; resolves when nothing is left or something is in the way. */
export async function publishNow(): Promise<void> {
  await current?.flush()
}

/** The queue as React state; server and hydration always see it empty. */
export function useOutbox(): OutboxState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current?.getState() ?? nothing,
    () => nothing,
  )
}

function openOutbox(queryClient: QueryClient): PageOutbox {
  const stale = new Map<string, QueryKey>()
  let late: Operation[] = []
  const store = steadyStore({
    open: openOutboxStore,
    onTrouble: (cause) => outboxVoice().nothingKept(cause),
  })
  const outbox = createOutbox({
    store,
    send: async (...sending) => {
      const answer = await sendOperation(...sending)
      // It is about something else than this page shows.
      if (answer.is === 'refused') await outdate(sending[0])
      if (answer.is === 'login') void sessionRenewed().then(outbox.answerLogin)
      return answer
    },
    whileSending: whileBusy,
    isOwner: isSignedIn,
    isOnline: () => navigator.onLine,
    isKept: store.isKept,
    onHeld: ({ subject }, isQueued) => {
      if (subject.on === 'entry') markDraftQueued(subject.id, isQueued)
    },
    onApplied: async ({ operation, json, isLate }) => {
      const { subject, id, values } = operation
      if (subject.on === 'message') settleMessageDraft(id, values)
      await outdate(operation)
      await showApplied(queryClient, operation, json)
      if (isLate) late.push(operation)
    },
    onStopped: (operation) => outboxVoice().stopped(operation),
    onIdle: () => {
      for (const [kind, queryKey] of stale) {
        // Once more: what was read meanwhile may have been older than what came last. Busy until then, for a worker that
        // is asked in the moment it leaves starts again, and no new version takes over. A tab that nobody sees may wait for
        // its answer until it is looked at.
        const reread = forget(kind).then(() => queryClient.invalidateQueries({ queryKey }))
        void whileSettling(() => Promise.race([reread, passed(rereadWithinMs)]))
      }
      stale.clear()
      if (late.length > 0) outboxVoice().delivered(late)
      late = []
    },
    log: logProblem,
  })
  /** The worker's copy goes once for a whole queue, before the first of its kind leaves it. */
  async function outdate(operation: Operation): Promise<void> {
    const queryKey = queryKeyOf(operation)
    const kind = kindOf(operation)
    if (!queryKey || kind === undefined) return
    if (!stale.has(kind)) await forget(kind)
    stale.set(kind, queryKey)
  }
  const draw = () => {
    const { operations } = outbox.getState()
    freeAddresses(operations)
    setOverlay(overlayOf(operations, { read: outbox.picture, onReady: draw }))
    for (const listener of listeners) listener()
  }
  outbox.subscribe(() => {
    const isFilled = outbox.getState().operations.length > 0
    rememberQueue(isFilled)
    // No new version may reload the page over what only the page holds.
    markUnsaved('outbox', isFilled && !store.isKept())
    draw()
  })
  onSession(draw)
  followLogin(outbox.answerLogin)
  const add: Outbox['add'] = async (...adding) => {
    const settled = await outbox.add(...adding)
    if (settled.is === 'queued') void wakeOnConnection()
    return settled
  }
  return { ...outbox, add, opened: outbox.start() }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function isSignedIn(): boolean {
  const { token, isExpired } = getSession()
  return token !== undefined && !isExpired
}

/** Only the signed-in owner sees what is queued; the next person on this device does not. */
function overlayOf(operations: readonly Operation[], pictures: Pictures): Overlay | undefined {
  if (operations.length === 0 || !isAdmin(getSession())) return undefined
  const shown = {
    operations,
    pictureOf: (operation: Operation) => pictureAddress(operation, pictures),
  }
  return {
    entries: (section, rows) => overlayEntries(section, rows, shown),
    person: (person) => overlayPerson(person, shown),
    settings: (values) => overlaySettings(values, operations),
  }
}
