import type { IncomingMessage } from 'node:http'

/** Her largest picture over a slow line, and the work on it, may be silent for so long. */
const silentMs = 180_000

const known = new WeakSet<IncomingMessage>()

/** Notes that the request is the owner's: her session was found. */
export function markKnown(request: IncomingMessage | undefined): void {
  if (!request) return
  known.add(request)
  request.socket.setTimeout(silentMs)
}

/** Whether the request is known to be the owner's; nobody else's word for it counts. */
export function isKnown(request: IncomingMessage): boolean {
  return known.has(request)
}
