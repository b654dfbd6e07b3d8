import { describe, expect, onTestFinished, test } from 'vitest'
import { openApp } from '#tests/support/app.ts'
import { flood, floods } from '#tests/support/flood.ts'
import { startSite } from '#tests/support/listener.ts'
import { owner } from '#tests/support/site.ts'
import type { Origin } from '#tests/support/work-flood.ts'

/*
 * Bounded floods, from one address and from many, also as a proxy in front of the site tells, each larger than what the
 * server holds. Meanwhile a visitor reads, the owner's session works and she can sign in.
 */

const manyAddresses = 250

async function openDoors({ isBehindProxy }: Origin) {
  const env = {
    LIMIT_READS: '100000/60',
    // Else most of one address's posts were refused, and held nothing.
    LIMIT_POSTS: '100000/60',
    LIMIT_LOGIN: '10000/60',
    ...(isBehindProxy && { TRUST_PROXY: '1' }),
  }
  const { services, token } = await openApp({ env })
  const big = { status: 200, app: 'x'.repeat(4_000_000), state: '{}' }
  const site = await startSite(services, async () => big)
  const asOwner = { authorization: `Bearer${token}`, 'content-type': 'application/json' }
  // Each of a connection of its own: one that waits without use makes way for others, as it should.
  const call = async (path: string, { headers, ...init }: RequestInit = {}) => {
    const alone = new Headers(headers)
    alone.set('connection', 'close')
    const signal = AbortSignal.timeout(60_000)
    return (await fetch(`${site.url}${path}`, { ...init, headers: alone, signal })).status
  }
  /** What a visitor, her session and her sign-in are answered. */
  const everyone = () =>
    Promise.all([
      call('/', { method: 'HEAD' }),
      call('/api/experience'),
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

const allFine = [200, 200, 200, 200, 200]

describe.each([
  ['one address', { addresses: 1, isBehindProxy: false }],
  ['many addresses', { addresses: manyAddresses, isBehindProxy: false }],
  // There connections tell nobody from another, and calls are told apart by what the proxy says.
  ['one address behind a proxy', { addresses: 1, isBehindProxy: true }],
  ['many addresses behind a proxy', { addresses: manyAddresses, isBehindProxy: true }],
] as const)('from %s', (_, from) => {
  test.each(floods)('$name turn nobody away', async ({ name: _name, ...kind }) => {
    const { port, everyone } = await openDoors(from)
    expect(await everyone()).toEqual(allFine)
    for (const count of [kind.count, 50]) {
      onTestFinished(await flood({ ...kind, ...from, port, count }))
      expect(await everyone()).toEqual(allFine)
    }
  })
})
