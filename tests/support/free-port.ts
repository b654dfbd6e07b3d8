import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that systems give away by themselves, so that nothing gets one between its choice and its use. */
const [lowest, end] = [11_000, 32_000]

/** A TCP port of this machine that nothing listens on right now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
