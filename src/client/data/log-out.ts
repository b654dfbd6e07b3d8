import { useSyncExternalStore } from 'react'
import { calls } from '#contract/api.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { callApi } from './api.ts'
import { draftForms, dropAllDrafts, readDraft } from './drafts.ts'
import { silenceDevice } from './notifications.ts'
import { publishNow, unpublished } from './outbox/page-outbox.ts'
import { tellSessionEnd } from './session-end.ts'
import { forgetSession, getSession } from './session.ts'

/** What the owner is asked before her session ends. */
export interface LogOutQuestion {
  /** Texts on this device would go with the session. */
  readonly hasDrafts: boolean
  readonly isPublishing: boolean
  /** Why her changes could not be published; empty while there is nothing to say. */
  readonly trouble: string
}

const revokeWithinMs = 1500
const listeners = new Set<() => void>()
let question: LogOutQuestion | undefined

/** Ends the session; asks first when changes wait or texts on this device would go with it. */
export async function logOut(): Promise<void> {
  const hasDrafts = draftForms().some((form) => readDraft(form) !== undefined)
  if (unpublished().length === 0 && !hasDrafts) return leave()
  ask({ hasDrafts, isPublishing: false, trouble: '' })
}

/** Sends what waits and then ends the session; stays, and says why, when something could not be sent. */
export async function publishAndLogOut(): Promise<void> {
  if (!question || question.isPublishing) return
  ask({ ...question, isPublishing: true, trouble: '' })
  await publishNow()
  // Cancelled meanwhile.
  if (!question) return
  const left = unpublished()
  if (left.length === 0 && !question.hasDrafts) return leave()
  ask({ ...question, isPublishing: false, trouble: left.length === 0 ? '' : troubleOf(left) })
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
  ask(undefined)
}

/** What is being asked; undefined while nothing is. */
export function useLogOutQuestion(): LogOutQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
    () => undefined,
  )
}

function troubleOf(left: ReturnType<typeof unpublished>): string {
  if (left.some(({ refusal }) => refusal)) return ownerTexts.notPublishedRefused
  return navigator.onLine ? ownerTexts.notPublished : ownerTexts.notPublishedOffline
}

/** Told to the server when it answers soon; then session storage is emptied and the page reloads. */
async function leave(): Promise<void> {
  const { token } = getSession()
  // First of all: a copied tab shows the same, and may be the one in sight.
  if (token !== undefined) tellSessionEnd(token)
  // While the session still counts: it takes its device off the server's list.
  await silenceDevice()
  if (token !== undefined) await Promise.race([revoke(token), passed(revokeWithinMs)])
  forgetSession()
  location.reload()
}

async function revoke(token: string): Promise<void> {
  // Signing out works offline too: a session the server never hears about ends by its own expiry.
  await callApi('POST', calls.logout, { token }).catch(() => undefined)
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function ask(next: LogOutQuestion | undefined): void {
  question = next
  for (const listener of listeners) listener()
}
