import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ip from 'ipaddr.js'

/** Ends of names that only some network of its own knows, or nobody (RFC 2606, 6761, 6762, 8375, 9476, and what routers use). */
const insideNames =
  /(?:^|\.)(?:alt|arpa|corp|example|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)\.?$/

/** All that is given out on the internet (RFC 4291). */
const globalUnicast = ip.parseCIDR('2000::/3')

/** Finds a host's IP addresses. Throws when there are none. */
type Resolve = (host: string) => Promise<readonly string[]>

const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Whether a push service may stand at this address: https, no user, and a name with a dot or a public IP address. What a
 * name resolves to is asked at each sending.
 */
export function isPushEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = hostOf(url)
  if (isIP(host) !== 0) return isPublic(host)
  return /[^.]\.[^.]/.test(host) && !insideNames.test(host)
}

/** The host of an address, an IPv6 one without its brackets. */
function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Whether an IP address leads out to the internet, whatever clothes an IPv4 one comes in. */
function isPublic(address: string): boolean {
  if (!ip.isValid(address)) return false
  const plain = ip.process(address)
  if (plain.range() !== 'unicast') return false
  return plain.kind() === 'ipv4' || plain.match(globalUnicast)
}

/** How names become addresses, and which addresses may be called. */
export interface Reach {
  readonly resolve?: Resolve
  readonly isAllowed?: (address: string) => boolean
}

/** The address leads into a network of its own. */
export class PrivateAddress extends Error {}

/**
 * Looks a host up once and gives what tells a connection to go there: a name that leads elsewhere a moment later leads
 * nobody there. Throws `PrivateAddress` unless all of its addresses are on the internet.
 */
export async function pinnedLookup(
  url: Pick<URL, 'hostname'>,
  { resolve = resolveHost, isAllowed = isPublic }: Reach = {},
): Promise<LookupFunction> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (!addresses.every(isAllowed)) throw new PrivateAddress(host)
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = found
  return (_, { all }, done) => {
    if (all) done(null, found)
    else done(null, first.address, first.family)
  }
}
