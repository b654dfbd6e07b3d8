import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../support/loopback.ts'

/** A phone's line, as Lighthouse throttles it. */
const roundTripMs = 150
const bytesPerMs = 200
const packet = 1460

/** A port that leads to a server over a phone's line. */
export interface SlowLine {
  readonly url: string
  /** How many bytes came over it so far. */
  count(): number
  /** Whether it is as slow as a phone's, or as fast as the machine. */
  slow(isSlow: boolean): void
  /** Ends the connections that browsers keep for later; those of the next visit begin anew. */
  hangUp(): void
  /** Refuses every connection from now on. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Resolves once nothing has come for so long, in milliseconds. */
  quiet(ms: number): Promise<void>
  close(): void
}

/**
 * A line of 150 ms and 1.6 Mbit/s, which all connections share packet by packet and each of them takes a round trip to
 * open. In front of the server rather than in the browser, whose own throttling leaves the worker out.
 */
export async function openSlowLine(target: number): Promise<SlowLine> {
  const open = new Set<Socket>()
  const waiting = new Map<(packet: Buffer) => void, Buffer[]>()
  let isSlow = true
  let isBusy = false
  let freeAt = 0
  let bytes = 0
  let last = performance.now()

  /** Sends the packets that wait, one of each connection in turn. */
  const send = () => {
    const [next] = waiting
    isBusy = next !== undefined
    if (!next) return
    const [deliver, packets] = next
    const [first = Buffer.alloc(0), ...rest] = packets
    waiting.delete(deliver)
    if (rest.length > 0) waiting.set(deliver, rest)
    freeAt = Math.max(freeAt, performance.now()) + first.length / bytesPerMs
    deliver(first)
    setTimeout(send, Math.max(0, freeAt - performance.now()))
  }
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const opened = performance.now() + (isSlow ? roundTripMs : 0)
    const up = inOrder()
    const down = inOrder()
    const half = () => (isSlow ? roundTripMs / 2 : 0)
    /** The empty packet is the last. */
    const deliver = (chunk: Buffer) => {
      down(freeAt + half(), () => (chunk.length > 0 ? near.write(chunk) : near.end()))
    }
    const queue = (packets: readonly Buffer[]) => {
      if (!isSlow) return packets.forEach(deliver)
      waiting.set(deliver, [...(waiting.get(deliver) ?? []), ...packets])
      if (!isBusy) send()
    }
    near.setNoDelay(true)
    far.setNoDelay(true)
    open.add(near)
    near.on('data', (chunk) => {
      up(Math.max(opened, performance.now()) + half(), () => far.write(chunk))
    })
    far.on('data', (chunk) => {
      bytes += chunk.length
      last = performance.now()
      queue(packetsOf(chunk))
    })
    far.on('error', () => undefined)
    far.on('close', () => queue([Buffer.alloc(0)]))
    near.on('error', () => undefined)
    near.on('close', () => {
      open.delete(near)
      waiting.delete(deliver)
      far.destroy()
    })
  })
  const hangUp = () => {
    for (const near of open) near.destroy()
  }
  const port = await listenOnLoopback(server)
  return {
    url: `http://localhost:${port}`,
    count: () => bytes,
    slow: (next) => {
      isSlow = next
    },
    hangUp,
    cut: async () => {
      const closed = once(server, 'close')
      server.close()
      hangUp()
      await closed
    },
    mend: async () => void (await listenOnLoopback(server, port)),
    quiet: async (ms) => {
      while (performance.now() - last < ms) await new Promise((go) => setTimeout(go, 100))
    },
    close: () => {
      server.close()
      hangUp()
    },
  }
}

function packetsOf(chunk: Buffer): readonly Buffer[] {
  const count = Math.ceil(chunk.length / packet)
  return Array.from({ length: count }, (_, i) => chunk.subarray(i * packet, (i + 1) * packet))
}

/** Does things each at its moment, and never one before another that came first, as timers may. */
function inOrder() {
  const due: { readonly at: number; readonly act: () => void }[] = []
  const run = () => {
    for (let first = due[0]; first && first.at <= performance.now(); first = due[0]) {
      due.shift()
      first.act()
    }
    if (due[0]) setTimeout(run, Math.max(0, due[0].at - performance.now()))
  }
  return (at: number, act: () => void) => {
    due.push({ at, act })
    if (due.length === 1) run()
  }
}
