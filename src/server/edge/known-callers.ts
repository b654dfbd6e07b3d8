import type { IncomingMessage } from 'node:http'

/** The owner's largest picture over a slow line, and the work on it, may be silent for so long. */
const silentMs = 180_000

const known = new WeakSet<IncomingMessage>()

/** Call it once the owner's session is found. */
export function markKnown(request: IncomingMessage | undefined): void {
  if (!request) return
  known.add(request)
  request.socket.setTimeout(silentMs)
}

/** Whether a session was found for this request, which may then use the places that are kept free for the owner. */
export function isKnown(request: IncomingMessage): boolean {
  return known.has(request)
}
