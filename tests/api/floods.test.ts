import { describe, expect, onTestFinished, test } from 'vitest'
import { openApp } from '#tests/support/app.ts'
import { flood, floods } from '#tests/support/flood.ts'
import { startSite } from '#tests/support/front.ts'
import { owner } from '#tests/support/site.ts'
import type { Origin } from '#tests/support/work-flood.ts'

/*
 * Bounded floods, from one address and from many, also as a proxy in front of the site tells, each larger than what the server holds. Meanwhile a visitor reads, the
 * owner's session works and she can sign in.
 */

const manyAddresses = 250

async function openDoors({ isBehindProxy }: Origin) {
  const env = {
    LIMIT_READS: '100000/60',
    LIMIT_LOGIN: '10000/60',
    ...(isBehindProxy && { TRUST_PROXY: '1' }),
  }
  const { services, token } = await openApp({ env })
  const big = { status: 200, app: 'x'.repeat(4_000_000), state: '{}' }
  const site = await startSite(services, async () => big)
  const asOwner = { authorization: `Bearer${token}`, 'content-type': 'application/json' }
  const call = async (path: string, init: RequestInit) =>
    (await fetch(`${site.url}${path}`, { ...init, signal: AbortSignal.timeout(60_000) })).status
  /** What a visitor, her session and her sign-in are answered. */
  const everyone = () =>
    Promise.all([
      call('/', { method: 'HEAD' }),
      call('/api/experience', {}),
      call('/api/messages/unread', { headers: asOwner }),
      call('/api/config', { method: 'PUT', headers: asOwner, body: '{"age_text":"40"}' }),
      call('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(owner),
      }),
    ])
  return { port: site.port, everyone }
}

const behindProxy = floods.filter(({ name }) => /^(?:idle connections|half-sent posts)$/.test(name))

const allFine = [200, 200, 200, 200, 200]

describe.each([
  ['one address', floods, { addresses: 1, isBehindProxy: false }],
  ['many addresses', floods, { addresses: manyAddresses, isBehindProxy: false }],
  // Places of connections and of calls: what is told apart another way there.
  ['many addresses behind a proxy', behindProxy, { addresses: manyAddresses, isBehindProxy: true }],
] as const)('from %s', (_, kinds, from) => {
  test.each(kinds)('$name turn nobody away', async ({ name: _name, ...kind }) => {
    const { port, everyone } = await openDoors(from)
    expect(await everyone()).toEqual(allFine)
    for (const count of [kind.count, 50]) {
      onTestFinished(await flood({ ...kind, ...from, port, count }))
      expect(await everyone()).toEqual(allFine)
    }
  })
})
