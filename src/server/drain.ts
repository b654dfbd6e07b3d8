import type { Server } from 'node:http'

const lookEveryMs = 50

/** Stops listening and resolves when every answer under way is sent, or after `withinMs` at the latest. */
export function drain(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that falls idle would otherwise stay open for the next request.
    const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs)
    const limit = setTimeout(() => server.closeAllConnections(), withinMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(limit)
      resolve()
    })
  })
}
