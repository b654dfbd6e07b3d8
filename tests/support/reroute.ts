import type { LookupAllOptions } from 'node:dns'
import dns from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

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
  rerouteRequests(routes)
}

/** The stand-ins speak plain HTTP on this machine. */
function rerouteRequests(routes: Routes): void {
  const real = https.request.bind(https)
  const rerouted = (
    address: string | URL,
    options: https.RequestOptions,
    answered?: (response: http.IncomingMessage) => void,
  ) => {
    const { origin, pathname, search } = new URL(address)
    const instead = routes[origin]
    if (instead === undefined) return real(address, options, answered)
    const { lookup: _, ...rest } = options
    const request = http.request(instead + pathname + search, rest, answered)
    request.setHeader(meantForHeader, origin)
    return request
  }
  https.request = rerouted as typeof https.request
  answerNames(Object.keys(routes).map((origin) => new URL(origin).hostname))
  syncBuiltinESMExports()
}

/** Says that these hosts are on the internet, which a machine without one cannot. */
function answerNames(hosts: readonly string[]): void {
  const real = dns.lookup
  const lookup = async (host: string, options: LookupAllOptions) =>
    hosts.includes(host) ? [{ address: '93.184.215.14', family: 4 }] : real(host, options)
  dns.lookup = lookup as typeof dns.lookup
}

const given = process.env['REROUTE']
if (given !== undefined) install(JSON.parse(given) as Routes)
