import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { testCertificate } from '../push/certificate.ts'
import { createGoogleDouble, type GoogleDouble } from './double.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/** Google's double behind sockets of this machine. */
export interface GoogleHosts extends GoogleDouble {
  /** Where a server process calls it (see `rerouteEnv`). */
  readonly url: string
  /** What makes a browser find it under Google's names. */
  readonly chromiumArgs: readonly string[]
  close(): void
}

export async function openGoogleHosts(): Promise<GoogleHosts> {
  const google = createGoogleDouble()
  const answer = getRequestListener((request) => google.answer(request))
  const { key, cert, chromiumArg } = testCertificate()
  const servers = [
    createServer((request, response) => void answer(request, response)),
    createSecureServer({ key, cert }, (request, response) => void answer(request, response)),
  ] as const
  const [plain, secure] = await Promise.all(servers.map((server) => listenOnLoopback(server)))
  return {
    ...google,
    url: `http://127.0.0.1:${plain}`,
    chromiumArgs: [chromiumArg, `--host-resolver-rules=MAP *.googleapis.com 127.0.0.1:${secure}`],
    close: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
