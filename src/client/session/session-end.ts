import { v5 as digestOf } from 'uuid'
import { openChannel } from '#client/browser/closable.ts'
import { noteLeft } from './left-sessions.ts'
import { forgetKept, isEndedElsewhere } from './renewal.ts'
import { getSession, isSomebody } from '#client/data/session.ts'
import { leaveEmpty } from './session-change.ts'

/*
 * A tab that was copied from another one has the same session, and nothing but this to learn from that it was ended there.
 * What is said is a digest of the token, never the token; where the session is kept, it ends in every tab of the browser.
 */

/** Only sets these digests apart from others of the same text. */
const ours = '5c8e2a54-6a0f-4d3b-9b1e-3f7a4c1d2e90'
const everywhere = 'everywhere'

let channel: BroadcastChannel | undefined

/** From the owner's first page on: when her session is ended in another tab, this one forgets it too and loads anew. */
export function followSessionEnd(): void {
  if (channel) return
  channel = openChannel('tintero-session')
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => void follow(data))
  // Said before anybody listened here.
  if (isEndedElsewhere()) forget()
}

async function follow(said: unknown): Promise<void> {
  const session = getSession()
  const { token } = session
  const isHere = token !== undefined && digestOf(token, ours) === said
  if (!isHere && !(said === everywhere && isSomebody(session))) return
  // It may be of another signing in than the one that was ended.
  if (!isHere) await noteLeft(token)
  forget()
}

function forget(): void {
  forgetKept()
  leaveEmpty()
}

/** Tells the other tabs that the session with this token, or all that the device kept, is ended; this tab does not hear of it. */
export function tellSessionEnd(token: string | undefined, wasKept: boolean): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the site
  if (token !== undefined) channel?.postMessage(digestOf(token, ours))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
  if (wasKept) channel?.postMessage(everywhere)
}
