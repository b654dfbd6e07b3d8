import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { PushAddress, PushMessage } from '#contract/notifications/push.ts'
import { readPush } from './decrypt-push.ts'
import { subscribe } from './push-recorder.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/** A push service on this machine that refuses and cuts some of what it is sent. */
export interface MoodyPushService {
  /** Where it listens. */
  readonly url: string
  /** What its devices have got, by the last part of their addresses. */
  readonly got: ReadonlyMap<string, readonly PushMessage[]>
  /** How many pushes it refused with 429, and how many it cut before and after taking them. */
  readonly moods: { busy: number; cutBefore: number; cutAfter: number }
  /** How long it thinks before it says that it has a push, in milliseconds. */
  thinksMs: number
  newDevice(): PushAddress
  /** From now on it takes everything. */
  calmDown(): void
}

/** The origin its devices' addresses have, for a server process whose calls are rerouted. */
export const pushOrigin = 'https://push.example.com'

/** Starts it; of seven pushes one is answered 429, one cut before it was taken, and one after. */
export async function openMoodyPushService(): Promise<MoodyPushService> {
  const devices = new Map<string, ReturnType<typeof subscribe>>()
  const got = new Map<string, PushMessage[]>()
  const moods = { busy: 0, cutBefore: 0, cutAfter: 0 }
  let [count, isCalm] = [0, false]
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<unknown> => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const turn = isCalm ? 0 : count++ % 7
    if (turn === 1) {
      moods.busy++
      return res.writeHead(429, { 'retry-after': '1' }).end()
    }
    if (turn === 3) {
      moods.cutBefore++
      return req.socket.destroy()
    }
    const id = req.url?.split('/').at(-1) ?? ''
    const device = devices.get(id)
    if (!device) return res.writeHead(404).end()
    got.get(id)?.push(readPush(Buffer.concat(chunks), device))
    if (turn === 5) {
      moods.cutAfter++
      return req.socket.destroy()
    }
    await wait(service.thinksMs)
    return res.writeHead(201).end()
  }
  const server = createServer((req, res) => void answer(req, res))
  const port = await listenOnLoopback(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const service: MoodyPushService = {
    url: `http://127.0.0.1:${port}`,
    got,
    moods,
    thinksMs: 0,
    newDevice() {
      const id = `device-${devices.size}`
      const device = subscribe(`${pushOrigin}/send/${id}`)
      devices.set(id, device)
      got.set(id, [])
      return device.address
    },
    calmDown: () => void (isCalm = true),
  }
  return service
}
