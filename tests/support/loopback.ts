import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Lets the server listen for this machine alone; resolves to its port, a free one unless one is named. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
