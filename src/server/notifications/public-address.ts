import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ip from 'ipaddr.js'

/**
 * Endings of names that only a private network knows, or none (RFC 2606, 6761, 6762, 8375, 9476, and names that routers
 * use).
 */
const insideNames =
  /(?:^|\.)(?:alt|arpa|corp|example|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)\.?$/

/** The addresses given out on the internet (RFC 4291). */
const globalUnicast = ip.parseCIDR('2000::/3')

/** Throws when the host has no address. */
type Resolve = (host: string) => Promise<readonly string[]>

const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Whether a push service may stand at this address: https, no user, and a name with a dot or a public IP address. The
 * name is resolved at each sending.
 */
export function isPushEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = hostOf(url)
  if (isIP(host) !== 0) return isPublic(host)
  return /[^.]\.[^.]/.test(host) && !insideNames.test(host)
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Whether an IP address leads to the internet, including an IPv4 address written as IPv6. */
function isPublic(address: string): boolean {
  if (!ip.isValid(address)) return false
  const plain = ip.process(address)
  if (plain.range() !== 'unicast') return false
  return plain.kind() === 'ipv4' || plain.match(globalUnicast)
}

/** Resolves names, and says which addresses may be called. */
export interface Reach {
  readonly resolve?: Resolve
  readonly isAllowed?: (address: string) => boolean
}

/** Thrown for an address inside a private network. */
export class PrivateAddress extends Error {}

/**
 * Resolves a host once and returns a lookup that makes a connection go there, even if the name leads elsewhere a moment
 * later. Throws `PrivateAddress` unless all of its addresses are on the internet, and another error once the signal says
 * that it takes too long.
 */
export async function pinnedLookup(
  url: Pick<URL, 'hostname'>,
  { resolve = resolveHost, isAllowed = isPublic }: Reach,
  signal: AbortSignal,
): Promise<LookupFunction> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await inTime(resolve(host), signal) : [host]
  if (!addresses.every(isAllowed)) throw new PrivateAddress(host)
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = found
  return (_, { all }, done) => {
    if (all) done(null, found)
    else done(null, first.address, first.family)
  }
}

/** A lookup of a name cannot be cancelled. */
function inTime<T>(looking: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true })
    looking.then(resolve, reject)
  })
}
