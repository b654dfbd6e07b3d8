import type { IncomingMessage, ServerResponse } from 'node:http'
import { isKnown, markKnown } from './known-callers.ts'
import { refuseSocket, type BareAnswer, type ServerLimits } from './server-limits.ts'

interface Call {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly address: string
  /** The answer to a sender who was too slow. */
  readonly late: BareAnswer
}

interface ConcurrencyOptions {
  readonly limits: Pick<ServerLimits, 'calls' | 'ownerCalls' | 'callsPerAddress' | 'bodyMs'>
  /** Where a request comes from, as limits count it. */
  addressOf(req: IncomingMessage): string
  /** Whether the request carries a living session of the owner's. */
  isOwners(req: IncomingMessage): Promise<boolean>
  /** Called on each refusal. */
  onRefused(): void
}

type Entering = Pick<Call, 'req' | 'res' | 'late'> & {
  readonly run: () => void
  readonly refuse: () => void
}

/**
 * A call that waits for its own sender, who is slow to send the rest or to read the answer, makes way for a new one, so
 * that only work takes places; the owner's call never does, and she has some places more.
 */
export function limitConcurrency({ limits, addressOf, isOwners, onRefused }: ConcurrencyOptions) {
  const running = new Map<Call, () => void>()
  const perAddress = new Map<string, number>()

  const admit = ({ req, res, late, run }: Entering, address: string): void => {
    // Whoever went while something was looked up for the call leaves no more, and would keep the place for good.
    if (res.closed) return
    const call = { req, res, late, address }
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    const timer = setTimeout(() => {
      if (req.complete || isKnown(req)) return
      drop(call)
    }, limits.bodyMs)
    const leave = () => {
      if (!running.delete(call)) return
      clearTimeout(timer)
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    }
    running.set(call, leave)
    res.once('close', leave)
    run()
  }

  const drop = (call: Call): void => {
    running.get(call)?.()
    const { req, res, late } = call
    if (res.headersSent) req.socket.destroy()
    else refuseSocket(req.socket, '408 Request Timeout', late)
  }

  /** Ends the oldest call that waits for its sender; one of this address when that has too many. */
  const makeRoom = (address: string | undefined): boolean => {
    for (const call of running.keys()) {
      const isOfIt = address === undefined || call.address === address
      if (!isOfIt || !isWaiting(call) || isKnown(call.req)) continue
      drop(call)
      return true
    }
    return false
  }

  return (entering: Entering): void => {
    const { req } = entering
    const address = addressOf(req)
    const hasTooMany = (perAddress.get(address) ?? 0) >= limits.callsPerAddress
    const isFull = running.size >= limits.calls
    if (!isFull && !hasTooMany) return admit(entering, address)
    if (makeRoom(hasTooMany ? address : undefined)) return admit(entering, address)
    const refuse = () => {
      onRefused()
      entering.refuse()
    }
    if (!req.headers.authorization || running.size >= limits.ownerCalls) return refuse()
    isOwners(req).then(
      (isHers) => {
        if (!isHers || running.size >= limits.ownerCalls) return refuse()
        markKnown(req)
        return admit(entering, address)
      },
      () => refuse(),
    )
  }
}

/** Whether the call waits for its sender: for the rest of the request, or for the answer to be read. */
function isWaiting({ req, res }: Call): boolean {
  return !req.complete || (res.headersSent && req.socket.writableLength > 0)
}
