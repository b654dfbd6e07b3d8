import { ownerCalls } from '#contract/owner-calls.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { delay } from '#client/browser/delay.ts'
import { callApi } from '#client/data/api.ts'
import { dropAllDrafts, hasDrafts as haveDrafts } from '#client/outbox/entry-drafts.ts'
import { dropRecords } from '#client/owner/import/import-records.ts'
import { unsubscribeDevice } from '#client/owner/notifications/notifications.ts'
import { dropHidden } from '#client/session/hidden-copy.ts'
import { endLeft, heardOf, noteLeft } from '#client/session/left-sessions.ts'
import { publishNow, unpublished } from '#client/outbox/page-outbox.ts'
import { forgetKept } from '#client/session/renewal.ts'
import { tellSessionEnd } from '#client/session/session-end.ts'
import { getSession, isKept } from '#client/data/session.ts'
import { leaveEmpty } from '#client/session/session-change.ts'
import { createStore, useStore } from '#client/ui/store.ts'

/** What the owner is asked before her session ends. */
export interface LogOutState {
  /** Texts on this device would go with the session. */
  readonly hasDrafts: boolean
  readonly isPublishing: boolean
  /** Why her changes could not be published; empty while there is nothing to say. */
  readonly trouble: string
}

const revokeWithinMs = 1500
const asked = createStore<LogOutState | undefined>(undefined)

/** Ends the session; asks first when changes wait or texts on this device would go with it. */
export async function logOut(): Promise<void> {
  const hasDrafts = await haveDrafts()
  if (unpublished().length === 0 && !hasDrafts) return leave()
  asked.set({ hasDrafts, isPublishing: false, trouble: '' })
}

/** Sends what waits and then ends the session; stays, and says why, when something could not be sent. */
export async function publishAndLogOut(): Promise<void> {
  const before = asked.get()
  if (!before || before.isPublishing) return
  asked.set({ ...before, isPublishing: true, trouble: '' })
  await publishNow()
  // Cancelled meanwhile.
  const now = asked.get()
  if (!now) return
  const left = unpublished()
  if (left.length === 0 && !now.hasDrafts) return leave()
  asked.set({ ...now, isPublishing: false, trouble: left.length === 0 ? '' : troubleOf(left) })
}

/**
 * Ends the session and forgets the drafts of this device: somebody else may sit here next. Changes that wait stay, unseen,
 * until the owner signs in again.
 */
export async function logOutAnyway(): Promise<void> {
  await dropAllDrafts()
  await leave()
}

export function stayLoggedIn(): void {
  asked.set(undefined)
}

/** What is being asked; undefined while nothing is. */
export function useLogOutQuestion(): LogOutState | undefined {
  return useStore(asked, undefined)
}

function troubleOf(left: ReturnType<typeof unpublished>): string {
  if (left.some(({ refusal }) => refusal)) return ownerTexts.notPublishedRefused
  return navigator.onLine ? ownerTexts.notPublished : ownerTexts.notPublishedOffline
}

/** Told to the server when it answers soon; then session storage is emptied and the page reloads. */
async function leave(): Promise<void> {
  const { token } = getSession()
  const wasKept = isKept()
  // First of all, since this page may be closed in any moment: from here on the end is not forgotten.
  const noted = noteLeft(token)
  // Other tabs show the same, one of them may be in sight, and one that opens now finds no mark.
  forgetKept()
  tellSessionEnd(token, wasKept)
  await noted
  await Promise.all([dropHidden(), dropRecords()])
  // In vain where a tab that was told has ended the session by now: the server silences the devices of what it ends anyway.
  await unsubscribeDevice()
  await Promise.race([endAtServer(token), delay(revokeWithinMs)])
  leaveEmpty()
}

/** By the session itself where it still counts; else, and whenever that is not heard of, by what was noted of it. */
async function endAtServer(token: string | undefined): Promise<void> {
  try {
    if (token === undefined) return await endLeft()
    await callApi('POST', ownerCalls.logout, { token })
    await heardOf(token)
  } catch {
    await endLeft()
  }
}
