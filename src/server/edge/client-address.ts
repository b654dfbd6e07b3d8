import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'

interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Longer than any address with its port. */
const longest = 64

/**
 * An IPv4 address or the /64 of an IPv6 one. Forwarded addresses count only as far as `trustProxy` hops are the
 * operator's own; the rest of that header is whatever the sender wrote.
 */
export function addressOf({ headers, socket }: Arrived, trustProxy: number): string {
  const own = socket.remoteAddress ?? ''
  if (trustProxy === 0) return addressKey(own)
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const hop = forwarded.at(-trustProxy)?.trim().slice(0, longest)
  return addressKey(withoutPort(hop || own))
}

/** Some proxies add the port, which differs for each connection of the same sender. */
function withoutPort(hop: string): string {
  const [, inBrackets, plain] = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? []
  return inBrackets ?? plain ?? hop
}

const groups = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => parseInt(group, 16))

/** The eight numbers of an IPv6 address, in whichever of its spellings. */
function numbersOf(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [groups(head), groups(tail ?? '')]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** One household has a whole /64, so single IPv6 addresses mean nothing. */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  if (!isIPv6(plain)) return plain
  const numbers = numbersOf(plain)
  // An IPv4 address as an IPv6 socket names it; all of them lie in one /64.
  if (numbers.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return numbers
      .slice(6)
      .flatMap((number) => [number >> 8, number & 255])
      .join('.')
  }
  const network = numbers.slice(0, 4).map((number) => number.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * The larger networks around a counted address: a sender with endless fresh addresses has them from few of these. Empty
 * for a text that is no address.
 */
export function networksAround(key: string): readonly string[] {
  const [, three, two] = /^((\d+\.\d+)\.\d+)\.\d+$/.exec(key) ?? []
  if (three !== undefined) return [`${three}.0/24`, `${two}.0.0/16`]
  const [, site, provider] = /^(([\da-f]+:[\da-f]+):[\da-f]+):[\da-f]+::\/64$/.exec(key) ?? []
  return site === undefined ? [] : [`${site}::/48`, `${provider}::/32`]
}
