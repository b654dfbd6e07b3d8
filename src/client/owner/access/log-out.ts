import { ownerCalls } from '#contract/owner-calls.ts'
import { sections } from '#contract/sections/index.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { delay } from '#client/browser/delay.ts'
import { callApi } from '#client/data/api.ts'
import { dropAllDrafts, hasDrafts as haveDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { forgetShared, hasShared } from '#client/owner/drafts/shared.ts'
import { orderForm } from '#client/owner/editor/form-keys.ts'
import { dropRecords } from '#client/owner/import/import-records.ts'
import { unsubscribeDevice } from '#client/owner/notifications/notifications.ts'
import { dropHidden, forgetPicturesOf } from '#client/session/hidden-copy.ts'
import { endLeft, heardOf, noteLeft } from '#client/session/left-sessions.ts'
import { isRefused } from '#client/outbox/operation.ts'
import { isRescued } from '#client/owner/changes/recall.ts'
import { hiddenSectionsEntries, publishNow, unpublished } from './unpublished.ts'
import { forgetKept } from '#client/session/renewal.ts'
import { tellSessionEnd } from '#client/session/session-end.ts'
import { getSession, isKept } from '#client/data/session.ts'
import { isUnsaved } from '#client/data/unsaved.ts'
import { leaveEmpty } from '#client/session/session-change.ts'
import { createStore, useStore } from '#client/ui/store.ts'

export interface LogOutState {
  /** Whether ending the session would delete texts on this device. */
  readonly hasDrafts: boolean
  readonly isPublishing: boolean
  /** Why her changes could not be published; empty while there is nothing to say. */
  readonly trouble: string
}

const revokeWithinMs = 1500
const asked = createStore<LogOutState | undefined>(undefined)

/** Asks first when changes wait or drafts on this device would be lost. */
export async function logOut(): Promise<void> {
  const hasDrafts = await isSomethingUnsent()
  if (unpublished().length === 0 && !hasDrafts) return leave()
  asked.set({ hasDrafts, isPublishing: false, trouble: '' })
}

/** Sends the waiting changes first; stays, and says why, when one could not be sent. */
export async function publishAndLogOut(): Promise<void> {
  const before = asked.get()
  if (!before || before.isPublishing) return
  asked.set({ ...before, isPublishing: true, trouble: '' })
  await publishNow()
  // Cancelled meanwhile.
  const now = asked.get()
  if (!now) return
  const left = unpublished()
  // What was being handed over when she was asked is no draft any more.
  const hasDrafts = await isSomethingUnsent()
  if (left.length === 0 && !hasDrafts) return leave()
  asked.set({
    ...now,
    hasDrafts,
    isPublishing: false,
    trouble: left.length === 0 ? '' : troubleOf(left),
  })
}

/**
 * What was shared to the application is hers too, and would be the next account's draft; an order that she is making is on this
 * page alone.
 */
async function isSomethingUnsent(): Promise<boolean> {
  if (sections.some((section) => isUnsaved(orderForm(section)))) return true
  const [areDrafts, isShared] = await Promise.all([haveDrafts(), hasShared()])
  return areDrafts || isShared
}

/**
 * Forgets the drafts of this device, because somebody else may use it next. Changes that wait stay, hidden, until the
 * owner signs in again; where the device keeps none she was told that they are lost.
 */
export async function logOutAnyway(): Promise<void> {
  await Promise.all([dropAllDrafts(), forgetShared()])
  await leave()
}

/** Closes the question without an end of the session. */
export function stayLoggedIn(): void {
  asked.set(undefined)
}

/** What is asked before the session ends; undefined while nothing is. */
export function useLogOutQuestion(): LogOutState | undefined {
  return useStore(asked, undefined)
}

function troubleOf(left: ReturnType<typeof unpublished>): string {
  if (left.some(isRefused)) return ownerTexts.notPublishedRefused
  if (left.some(isRescued)) return ownerTexts.notPublishedRescued
  return navigator.onLine ? ownerTexts.notPublished : ownerTexts.notPublishedOffline
}

/** Waits shortly for the server to hear of it; then empties session storage and reloads the page. */
async function leave(): Promise<void> {
  const { token } = getSession()
  const wasKept = isKept()
  // Comes first, since this page may be closed at any moment: from here on the end is not forgotten.
  const noted = noteLeft(token)
  // Other tabs must show the same, and a tab that opens now must find no mark.
  forgetKept()
  tellSessionEnd(token, wasKept)
  await noted
  await Promise.all([dropHidden(), forgetPicturesOf(hiddenSectionsEntries()), dropRecords()])
  // This fails where another tab has ended the session by now; the server silences the devices of an ended session
  // anyway.
  await unsubscribeDevice()
  await Promise.race([endAtServer(token, wasKept), delay(revokeWithinMs)])
  leaveEmpty()
}

/**
 * Uses the session itself where it is still valid; otherwise, or when no answer comes, the note made above. Where the device
 * kept one it may be another than this tab's: the cookie, which goes along with the note alone, ends that as well, and before
 * the answer to the session takes it away.
 */
async function endAtServer(token: string | undefined, wasKept: boolean): Promise<void> {
  try {
    if ((wasKept || token === undefined) && (await endLeft(token))) return
    if (token === undefined) return
    await callApi('POST', ownerCalls.logout, { token })
    await heardOf(token)
  } catch {
    await endLeft()
  }
}
