import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flood, floods } from '../support/flood.ts'
import { startServer } from '../support/server-process.ts'
import { owner } from '../support/site.ts'
import { openSenders, workFloods } from '../support/work-flood.ts'

/*
 * `npm run bench` (after `npm run build`), third part: how long a visitor's page, the owner's call and her sign-in take
 * while a flood of each kind holds what it can, or has the server work without a pause, beside the same without it: from one
 * address and from many, each also as a proxy in front of the site tells. The limits of an address are off, so that what is
 * left is what the queues do. Only ratios within a run mean anything.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10)
const many = 250
/** So many connections send work at once. */
const senders = 60

/** A server of its own, and how long what a visitor and the owner ask of it takes. */
async function openSite(isBehindProxy: boolean) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
  const { url, stop } = await startServer({
    DATA_DIR: dataDir,
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
    LIMIT_POSTS: '1000000/60',
    LIMIT_CONTACT: '1000000/60',
    LIMIT_READS: '1000000/60',
    ...(isBehindProxy && { TRUST_PROXY: '1' }),
  })
  /** Asks again on another connection where the one that was kept has made way for newcomers, as browsers do. */
  const ask = (path: string, init?: RequestInit) =>
    fetch(url + path, init).catch(() => fetch(url + path, init))
  const signIn = async () => {
    const answer = await ask('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(owner),
    })
    return (await answer.json()) as { readonly token: string }
  }
  const { token } = await signIn()
  const headers = { authorization: `Bearer${token}` }
  const requests = {
    page: async () => (await ask('/')).text(),
    'her call': async () => (await ask('/api/messages/unread', { headers })).text(),
    'sign-in': signIn,
  }

  /** The median time of each request, in milliseconds. */
  async function measure() {
    const times = new Map<string, number>()
    for (const [name, request] of Object.entries(requests)) {
      const own: number[] = []
      for (let i = 0; i < rounds; i++) {
        const begun = performance.now()
        await request()
        own.push(performance.now() - begun)
      }
      times.set(name, own.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0)
    }
    return times
  }

  const close = async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { port: Number(new URL(url).port), measure, close }
}

/** Writes how many times as long each request took as in calm. */
function say(what: string, calm: ReadonlyMap<string, number>, busy: ReadonlyMap<string, number>) {
  const ratios = [...busy].map(
    ([name, ms]) => `${name} ${(ms / (calm.get(name) ?? ms)).toFixed(2)}`,
  )
  console.log(`${what}, times calm: ${ratios.join(', ')}`)
}

for (const isBehindProxy of [false, true]) {
  const { port, measure, close } = await openSite(isBehindProxy)
  await measure()
  for (const addresses of [1, many]) {
    const from = { addresses, isBehindProxy }
    const where = `from ${addresses}${isBehindProxy ? ' behind a proxy' : ''}`
    for (const { name, ...kind } of floods) {
      const calm = await measure()
      const end = await flood({ ...kind, ...from, port })
      const busy = await measure()
      end()
      say(`${name} ${where}`, calm, busy)
    }
    for (const { name, make } of workFloods) {
      const calm = await measure()
      const work = await openSenders(port, senders, from)
      const stopping = new AbortController()
      const sending = (async () => {
        for (let i = 0; !stopping.signal.aborted; i += senders) {
          await work.sendAll(Array.from({ length: senders }, (_, n) => make(i + n)))
        }
      })()
      const busy = await measure()
      stopping.abort()
      await sending
      work.close()
      say(`${name} ${where}`, calm, busy)
    }
  }
  await close()
}
