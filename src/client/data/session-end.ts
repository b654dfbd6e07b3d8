import { v5 as digestOf } from 'uuid'
import { forgetSession, getSession } from './session.ts'

/*
 * A tab that was copied from another one has the same session, and nothing but this to learn from that it was ended there.
 * What is said is a digest of the token, never the token.
 */

/** Only sets these digests apart from others of the same text. */
const ours = '5c8e2a54-6a0f-4d3b-9b1e-3f7a4c1d2e90'

let channel: BroadcastChannel | undefined

/** From the owner's first page on: when her session is ended in another tab, this one forgets it too and loads anew. */
export function followSessionEnd(): void {
  if (channel || typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('tintero-session')
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { token } = getSession()
    if (token === undefined || digestOf(token, ours) !== data) return
    forgetSession()
    location.reload()
  })
}

/** Tells the other tabs that the session with this token is ended; this tab does not hear of it. */
export function tellSessionEnd(token: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the site
  channel?.postMessage(digestOf(token, ours))
}
