import http from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { pinnedLookup, PrivateAddress, type Reach } from '../notifications/public-address.ts'

export type Sight =
  /** Something answers there, even if it refuses programs. */
  | 'alive'
  /** The link's own server says that nothing is there, or fails. */
  | 'gone'
  /** No answer, which may be the fault of this server's own line. */
  | 'silent'
  /** A private network or an example name, which is never asked. */
  | 'unasked'

export type Look = (href: string) => Promise<Sight>

interface LookOptions extends Reach {
  /** Certificates to trust beside the machine's own. */
  readonly ca?: string | Buffer
  readonly withinMs?: number
}

const mostRedirects = 5
/** Names for documents (RFC 2606), which the sample content has. */
const exampleNames = /(?:^|\.)example\.(?:com|net|org)$/
const headers = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (compatible; Tintero link check)' }

/**
 * Follows the rules for push services' addresses: each host is resolved once and the connection goes to that address,
 * redirects included. Reads only the head of the answer.
 */
export function createLook({ ca, withinMs = 6_000, ...reach }: LookOptions = {}): Look {
  return async (href) => {
    if (!URL.canParse(href)) return 'unasked'
    const signal = AbortSignal.timeout(withinMs)
    const ask = async (url: URL, method: 'HEAD' | 'GET') => {
      const lookup = await pinnedLookup(url, reach, signal)
      return send(url, { method, headers, lookup, agent: false, signal, ...(ca && { ca }) })
    }
    try {
      return await follow(new URL(href), ask)
    } catch (error) {
      return error instanceof PrivateAddress ? 'unasked' : 'silent'
    }
  }
}

interface Head {
  readonly status: number
  readonly location: string | undefined
}

type Ask = (url: URL, method: 'HEAD' | 'GET') => Promise<Head>

async function follow(start: URL, ask: Ask): Promise<Sight> {
  let url = start
  for (let hops = 0; hops <= mostRedirects; hops++) {
    if (!/^https?:$/.test(url.protocol)) return 'alive' // an application's own address
    if (exampleNames.test(url.hostname)) return 'unasked'
    let head = await ask(url, 'HEAD')
    // Many servers know no HEAD, and say so in every possible way.
    if (head.status >= 400) head = await ask(url, 'GET')
    const { status, location } = head
    if (status < 300 || status >= 400 || location === undefined) return sightOf(status)
    const next: URL | null = URL.parse(location, url.href)
    if (!next) return 'gone'
    url = next
  }
  return 'gone'
}

/** Servers that turn programs away answer 401, 403, 429, or invent a status: their pages exist. */
function sightOf(status: number): Sight {
  return status === 404 || status === 410 || (status >= 500 && status < 600) ? 'gone' : 'alive'
}

function send(url: URL, options: RequestOptions): Promise<Head> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => {
      const { statusCode: status = 0, headers: said } = response
      response.destroy() // nobody reads what it says beside that
      resolve({ status, location: said.location })
    })
    asked.on('error', reject)
    // A server that answers with another protocol is cut off without an error.
    asked.on('close', () => reject(new Error('closed without an answer')))
    asked.end()
  })
}
