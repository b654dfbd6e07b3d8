import { serverWaitMs } from '#contract/offline/offline.ts'
import { accessCalls, parseSession } from '#contract/access/access.ts'
import { delay } from '#client/browser/delay.ts'
import { inTurn } from '#client/browser/in-turn.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { leftName, getStored } from '#client/browser/device-storage.ts'
import { localMemory } from '#client/browser/early/web-storage.ts'
import { ApiError, callApi } from '#client/data/api.ts'
import { forgetHidden } from './hidden-copy.ts'
import { endLeft, noteLeft } from './left-sessions.ts'
import { getSession, isKept, keptMark } from '#client/data/session.ts'
import { askToSignIn, forgetSession, logIn } from './session-change.ts'
import { showAppBadge } from './app-badge.ts'
import { clearNotifications } from './shown-notifications.ts'

/*
 * How a tab gets its session by what the owner keeps on the device. The cookie that renews it is out of every script's
 * sight; a mark says that there may be one, so that her tools are shown before the server has answered and without a
 * connection.
 */

const answersWithinMs = 10_000
let running: Promise<boolean> | undefined
let isFirst = true
/** Whether this tab's session is, or was, kept on the device. */
let isKeptHere = isKept()
/** Until when this page does not ask for what was refused by the server's clock alone; undefined where none is. */
let overdueUntil: number | undefined

/** What a page that starts, or has its connection back, owes: the end of what was left here, then its session. Never rejects. */
export async function catchUp(): Promise<void> {
  if (getStored(leftName)) await endLeft()
  if (getSession().token === undefined) await renewed()
}

/** The server refused the token: a device that keeps the session renews it, any other asks her to sign in again. */
export async function refused(): Promise<void> {
  if (await renewed()) return
  if (!isKept()) forgetHers()
  askToSignIn()
}

/** As `renewed`, for a page that waits: a server that is slow to say whether it still keeps the session is not waited for. */
export async function renewedInTime(): Promise<void> {
  await Promise.race([renewed(), delay(serverWaitMs)])
}

/** Gets this tab a session by what the device keeps; resolves to whether it has one. One tab at a time asks. Never rejects. */
export async function renewed(): Promise<boolean> {
  // Without a network there is nobody to ask, and no other tab waits for the answer.
  if (!(isKept() || isEndedElsewhere()) || !navigator.onLine || isOverdue()) return false
  running ??= inTurn('tintero-renewal', renew).finally(() => (running = undefined))
  try {
    return await running
  } catch (cause) {
    logProblem('The session could not be renewed', cause)
    return false
  }
}

async function renew(): Promise<boolean> {
  // Another tab may have signed out meanwhile, perhaps without telling the server yet.
  if (getStored(leftName)) return false
  const isStart = isFirst
  isFirst = false
  // Or it was refused: this one would stay hers with no session to come.
  if (!isKept()) {
    endRenewal()
    end(isStart)
    return false
  }
  try {
    const signal = AbortSignal.timeout(answersWithinMs)
    const { json } = await callApi('POST', accessCalls.kept, { body: {}, signal })
    if (!isKept()) return false
    logIn(parseSession(json))
    markKept()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      // Worth asking again: only the server's clock speaks against it, and that may be set right.
      const wait = error.retryAfterMs
      const isKnown = wait !== undefined && overdueUntil !== undefined
      if (wait === undefined) endRenewal()
      else overdueUntil = performance.now() + wait
      if (!isKnown) end(isStart)
    } else logProblem('The session could not be renewed', error)
    return false
  }
}

/** There is no session for this tab. In the middle of her work she is asked to sign in; a page that just opened is a visitor's. */
function end(isStart: boolean): void {
  forgetHers()
  if (getSession().token !== undefined) return
  if (isStart) forgetSession()
  else askToSignIn()
}

/** Somebody else may sit here: what was shown of the messages goes, and so does what is hidden from visitors. */
function forgetHers(): void {
  void forgetHidden()
  void clearNotifications().catch((cause: unknown) => logProblem('Notifications stay', cause))
  showAppBadge(0)
}

/** Notes that this tab's session is kept here. */
export function markKept(): void {
  const { account, userName } = getSession()
  overdueUntil = undefined
  localMemory.set(keptMark, `${account} ${userName}`)
  isKeptHere = true
}

/** Forgets that a session is kept here. */
export function forgetKept(): void {
  localMemory.remove(keptMark)
}

/** This tab goes on by its own token alone. */
export function endRenewal(): void {
  isKeptHere = false
  overdueUntil = undefined
  forgetKept()
}

/**
 * She has signed in and not asked for it to be kept: what the server calls over ends there, with its cookie. Without a mark
 * nobody would take that away, and it would open a session again once the clock is right.
 */
export function endOverdue(): void {
  if (overdueUntil === undefined) return
  // That there is something to tell is noted while the mark is there: what the server does not hear now it hears later.
  const noted = noteLeft(undefined)
  endRenewal()
  void noted.then(() => endLeft())
}

/** Whether the server's clock has just spoken against what is kept: nobody asks for it until the time that the server gave is over. */
export function isOverdue(): boolean {
  return isKept() && overdueUntil !== undefined && performance.now() < overdueUntil
}

/** Whether this tab's session was kept on the device, and that has been ended in another tab since. */
export function isEndedElsewhere(): boolean {
  return isKeptHere && !isKept()
}
