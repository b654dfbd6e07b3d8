import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Everything that does not lead out to the internet. */
const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  // IPv4 in the three other clothes it has: compatible, translated and tunnelled.
  ['::', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6')
}

/** Finds a host's IP addresses. Throws when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Whether a push service may stand at this address: https, no user, and a name with a dot or a public IP address. What a
 * name resolves to is asked at each sending.
 */
export function isPushEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPublic(host)
  return host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(host)
}

/** Whether a name leads into a private network; one that cannot be resolved leads nowhere. */
export async function leadsInside(host: string, resolve: Resolve): Promise<boolean> {
  const addresses = await resolve(host.replace(/^\[|\]$/g, '')).catch(() => [])
  return addresses.some((address) => !isPublic(address))
}

/** BlockList finds an IPv4 address behind `::ffff:` by itself. */
function isPublic(address: string): boolean {
  return !notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
