import type { Executor } from '../db/tables.ts'
import { hashToken } from './token.ts'

/** Hashes of the networks she signed in from, the latest last. */
const rowKey = 'known-networks'
const most = 20

/** The networks that the owner has signed in from: her own tries need not wait behind a crowd's. */
interface KnownNetworks {
  has(x: Executor, address: string): Promise<boolean>
  add(x: Executor, address: string): Promise<void>
}

/** Reads them once; another process's are seen after the next start. */
export function createKnownNetworks(): KnownNetworks {
  let known: readonly string[] | undefined
  const read = async (x: Executor) => (known ??= await readNetworks(x))
  return {
    has: async (x, address) => (await read(x)).includes(hashOf(address)),
    add: async (x, address) => {
      const before = await read(x)
      const hash = hashOf(address)
      if (before.at(-1) === hash) return
      const networks = [...before.filter((other) => other !== hash), hash].slice(-most)
      const value = networks.join(' ')
      await x
        .insertInto('site')
        .values({ key: rowKey, value })
        .onConflict((c) => c.column('key').doUpdateSet({ value }))
        .execute()
      known = networks
    },
  }
}

async function readNetworks(x: Executor): Promise<readonly string[]> {
  const row = await x
    .selectFrom('site')
    .select('value')
    .where('key', '=', rowKey)
    .executeTakeFirst()
  return row?.value.split(' ') ?? []
}

function hashOf(address: string): string {
  return hashToken(`network:${address}`)
}
