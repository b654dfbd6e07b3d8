import { v5 as digestOf } from 'uuid'
import { openChannel } from '#client/browser/closable.ts'
import { endLeft, noteLeft } from './left-sessions.ts'
import { endRenewal, forgetKept, isEndedElsewhere } from './renewal.ts'
import { localMemory, tabMemory } from '#client/browser/early/web-storage.ts'
import { getSession, isSomebody, sessionKeys } from '#client/data/session.ts'
import { isUnsaved, queueInMemory } from '#client/data/unsaved.ts'
import { askToSignIn, isSessionKept, leaveEmpty } from './session-change.ts'

/*
 * A tab that was copied from another one has the same session, and nothing but this to learn from that it was ended there.
 * What is said is a digest of the token, never the token; where the session is kept, it ends in every tab of the browser.
 */

/** Only sets these digests apart from others of the same text. */
const ours = '5c8e2a54-6a0f-4d3b-9b1e-3f7a4c1d2e90'
const everywhere = 'everywhere'
/** The name of the channel, and of the entry of local storage by which the same is said and which does not stay. */
const channelName = 'tintero-session'

/** Holds the digest of the session that ended last in this browser, for pages that were put away and heard nothing. */
const endedName = 'tintero-ended'

let isFollowing = false
let channel: BroadcastChannel | undefined

/** From the owner's first page on: when her session is ended in another tab, this one forgets it too and loads anew, if it can. */
export function followSessionEnd(): void {
  if (isFollowing) return
  isFollowing = true
  channel = openChannel(channelName)
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => void follow(data))
  // A channel that opens in that moment may miss what was said; local storage shows the mark gone or tells of it later.
  addEventListener('storage', ({ key, newValue }) => key === channelName && void follow(newValue))
  // Said before anybody listened here.
  if (isEnded()) leave()
  // A page that comes back as it was left heard nothing meanwhile.
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain())
}

/** Whether this tab's session was ended in another one. */
function isEnded(): boolean {
  const { token } = getSession()
  const isLastEnded = token !== undefined && localMemory.get(endedName) === digestOf(token, ours)
  return isLastEnded || isEndedElsewhere()
}

function lookAgain(): void {
  if (isEnded()) leave()
  else if (isSessionKept() && tabMemory.get(sessionKeys.token) !== getSession().token) {
    location.reload()
  }
}

async function follow(said: unknown): Promise<void> {
  const session = getSession()
  const { token } = session
  const isHere = token !== undefined && digestOf(token, ours) === said
  if (!isHere && !(said === everywhere && isSomebody(session))) return
  // It may be of another signing in than the one that was ended.
  if (!isHere) await noteLeft(token)
  forgetKept()
  leave()
}

/**
 * What waits in this page's memory alone would be lost with the page: there she is asked to sign in again instead, and what
 * this tab signs in by opens nothing any more.
 */
function leave(): void {
  if (!isUnsaved(queueInMemory)) return leaveEmpty()
  void endLeft(getSession().token)
  endRenewal()
  askToSignIn()
}

/** Tells the other tabs that the session with this token, or all that the device kept, is ended; this tab does not hear of it. */
export function tellSessionEnd(token: string | undefined, wasKept: boolean): void {
  if (token !== undefined) {
    const ended = digestOf(token, ours)
    localMemory.set(endedName, ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the site
    channel?.postMessage(ended)
  }
  if (!wasKept) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
  channel?.postMessage(everywhere)
  localMemory.set(channelName, everywhere)
  localMemory.remove(channelName)
}
