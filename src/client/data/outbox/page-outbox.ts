import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { contactNotices } from '#contract/contact.ts'
import { personNotices } from '#contract/person.ts'
import { fill } from '#contract/text.ts'
import { messageTexts } from '#contract/texts-message.ts'
import { offlineTexts } from '#contract/texts-offline.ts'
import { tellNothingKept } from '#client/data/nothing-kept.ts'
import { wakeOnConnection } from '#client/platform/background-sync.ts'
import { logProblem } from '#client/platform/log.ts'
import { notify } from '#client/ui/notices.ts'
import { settleMessageDraft } from '../message-draft.ts'
import { getSession, isAdmin, onSession, sessionRenewed } from '../session.ts'
import { whileWriting } from '../unsaved.ts'
import { isTooOld, type Operation } from './operation.ts'
import { overlayEntries, overlayPerson, overlaySettings } from './overlay.ts'
import { createOutbox, type Outbox, type OutboxState } from './outbox.ts'
import { freeAddresses, pictureAddress, type Pictures } from './picture-addresses.ts'
import { rememberQueue } from './remember-queue.ts'
import { sectionOf } from './section-of.ts'
import { sendOperation } from './send.ts'
import { queryKeyOf, showApplied } from './show-applied.ts'
import { setOverlay, type Overlay } from './shown.ts'
import { steadyStore } from './steady-store.ts'
import { openOutboxStore } from './store.ts'

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
  const outbox = createOutbox({
    store: steadyStore({ open: openOutboxStore, onTrouble: tellNothingKept }),
    send: async (...sending) => {
      const answer = await whileWriting(() => sendOperation(...sending))
      if (answer.is === 'login') void sessionRenewed().then(outbox.answerLogin)
      return answer
    },
    isOwner: isSignedIn,
    isOnline: () => navigator.onLine,
    onApplied: async ({ operation, json, isLate }) => {
      const { subject, id, values } = operation
      if (subject.on === 'message') settleMessageDraft(id, values)
      await showApplied(queryClient, operation, json)
      const queryKey = queryKeyOf(operation)
      if (queryKey) stale.set(queryKey.join('/'), queryKey)
      if (isLate) late.push(operation)
    },
    onStopped: tellStopped,
    onIdle: () => {
      for (const queryKey of stale.values()) void queryClient.invalidateQueries({ queryKey })
      stale.clear()
      tellDelivered(late)
      late = []
    },
    log: logProblem,
  })
  const draw = () => {
    const { operations } = outbox.getState()
    freeAddresses(operations)
    setOverlay(overlayOf(operations, { read: outbox.picture, onReady: draw }))
    for (const listener of listeners) listener()
  }
  outbox.subscribe(() => {
    rememberQueue(outbox.getState().operations.length > 0)
    draw()
  })
  onSession(() => {
    draw()
    if (isSignedIn()) outbox.answerLogin(true)
  })
  const add: Outbox['add'] = async (...adding) => {
    const settled = await outbox.add(...adding)
    if (settled.is === 'queued') void wakeOnConnection()
    return settled
  }
  return { ...outbox, add, opened: outbox.start() }
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

/** A visitor has no list of changes to look into, so what became of the message is said wherever the visitor is. */
function tellStopped(operation: Operation): void {
  if (operation.subject.on !== 'message') return
  const { expiredLate, refusedLate } = messageTexts
  void notify('error-snackbar', isTooOld(operation) ? expiredLate : refusedLate)
}

/** What was queued is on the server now: one change says so in its own words, several together. */
function tellDelivered(delivered: readonly Operation[]): void {
  const [only, ...others] = delivered
  if (!only) return
  const text =
    others.length === 0
      ? noticeOf(only)
      : fill(offlineTexts.delivered, { n: String(delivered.length) })
  void notify('success-snackbar', text)
}

function noticeOf({ subject, verb }: Operation): string {
  if (subject.on === 'message') return contactNotices.sent
  if (subject.on !== 'entry') return personNotices.updated
  const { created, updated, deleted } = sectionOf(subject).notices
  return { create: created, update: updated, remove: deleted }[verb]
}
