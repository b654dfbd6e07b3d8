import { lockFact, readFact, writeFact } from '../db/site-facts.ts'
import type { Executor } from '../db/tables.ts'
import { hashToken } from './token.ts'

/** The fact with the hashes of the networks she signed in from, the latest last. */
const factKey = 'known-networks'
const most = 20
/** How long the networks are kept in memory; a sign-in at another process or by a passkey is seen after it. */
const holdsMs = 60_000

/** The networks that the owner has signed in from: her own tries need not wait behind a crowd's. */
interface KnownNetworks {
  has(x: Executor, address: string): Promise<boolean>
  /** Meant for a transaction: another process waits for its end. */
  add(t: Executor, address: string): Promise<void>
}

/**
 * Remembers where she signed in, as hashes in the database, so that attempts from there are not slowed down by those of
 * strangers.
 */
export function createKnownNetworks(now: () => Date): KnownNetworks {
  let known: { readonly networks: readonly string[]; readonly at: number } | undefined
  /** A clock that was set back makes the memory stale, too. */
  const isFresh = (at: number) => Math.abs(now().getTime() - at) < holdsMs
  return {
    has: async (x, address) => {
      const before = known
      const holds = before && isFresh(before.at)
      const networks = holds ? before.networks : await readNetworks(x)
      // A network that was added meanwhile is newer than these rows.
      if (!holds && known === before) known = { networks, at: now().getTime() }
      return networks.includes(hashOf(address))
    },
    add: async (t, address) => {
      // Reads again, so that a network added by another process is not lost.
      const before = networksIn(await lockFact(t, factKey, ''))
      const hash = hashOf(address)
      if (before.at(-1) === hash) return
      const networks = [...before.filter((other) => other !== hash), hash].slice(-most)
      await writeFact(t, factKey, networks.join(' '))
      known = { networks, at: now().getTime() }
    },
  }
}

async function readNetworks(x: Executor): Promise<readonly string[]> {
  return networksIn((await readFact(x, factKey)) ?? '')
}

const networksIn = (fact: string) => fact.split(' ').filter((hash) => hash !== '')

function hashOf(address: string): string {
  return hashToken(`network:${address}`)
}
