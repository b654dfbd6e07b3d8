/*
 * Sends a server process's outgoing calls to stand-ins. Loaded before the server's own code (`node --import`), so that
 * the product runs unchanged and believes it talks to the real hosts.
 */

/** Where calls go instead, by the origin they are meant for. */
type Routes = Readonly<Record<string, string>>

/** The origin a call was meant for, for a stand-in that checks what was signed for it. */
export const meantForHeader = 'x-meant-for'

/** Variables that make a server process send its calls to stand-ins. */
export function rerouteEnv(routes: Routes): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, REROUTE: JSON.stringify(routes) }
}

function install(routes: Routes): void {
  const real = globalThis.fetch
  globalThis.fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const instead = routes[url.origin]
    if (instead === undefined) return real(input, init)
    const headers = new Headers(init.headers)
    headers.set(meantForHeader, url.origin)
    return real(instead + url.pathname + url.search, { ...init, headers })
  }
}

const given = process.env['REROUTE']
if (given !== undefined) install(JSON.parse(given) as Routes)
