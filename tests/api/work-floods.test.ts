/** @module-tag long */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accessCalls } from '#contract/access/access.ts'
import type { Render } from '#server/pages/document.ts'
import { openApp, type Json, type TestApp } from '#tests/support/app.ts'
import { startSite } from '#tests/support/listener.ts'
import { owner } from '#tests/support/site.ts'
import { softAuthenticator } from '#tests/doubles/soft-authenticator.ts'
import {
  openSenders,
  passkeyChallenge,
  refusedForm,
  takenMessage,
  workFloods,
  type Origin,
} from '#tests/support/work-flood.ts'

/*
 * Floods of requests that are whole and cost work, with the limits as they are by default. Meanwhile another visitor reads
 * and is told what is wrong with her form, and the owner's session works and she can sign in. Nobody's time is measured:
 * what counts is who is answered, and how much of the flood's work was done before.
 */

const count = 150
const drawingMs = 8
const turnsOfDrawing = 4

/** Draws as long as the client's own code does, and counts the forms that came back. */
function drawSlowly() {
  const forms = { drawn: 0 }
  const render: Render = async ({ posted }) => {
    // A page is drawn in several steps, between which others have their turn.
    const turns = posted ? turnsOfDrawing : 0
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    const begun = performance.now()
    while (performance.now() - begun < drawingMs);
    if (posted?.outcome === 'invalid') forms.drawn++
    return { status: 200, app: '<form method="post" action="/contact"></form>', state: '{}' }
  }
  return { forms, render }
}

async function openDoors({ isBehindProxy }: Origin, env: Readonly<Record<string, string>> = {}) {
  const { services, token, events } = await openApp({
    env: isBehindProxy ? { TRUST_PROXY: '1', ...env } : env,
  })
  const { forms, render } = drawSlowly()
  const taken = { messages: 0 }
  const wake = () => {
    taken.messages++
    services.jobs.wake()
  }
  const site = await startSite({ ...services, jobs: { ...services.jobs, wake } }, render)
  const call = async (address: string, path: string, init: RequestInit = {}) => {
    const headers = { 'x-forwarded-for': address, ...(init.headers as Record<string, string>) }
    const answer = await fetch(site.url + path, { ...init, headers })
    await answer.bytes()
    return answer.status
  }
  const json = { 'content-type': 'application/json' }
  const hers = { ...json, authorization: `Bearer${token}` }
  const login = { method: 'POST', headers: json, body: JSON.stringify(owner) }
  const asVisitor = (path: string, init?: RequestInit) => call('203.0.113.7', path, init)
  const asOwner = (path: string, init?: RequestInit) => call('203.0.113.9', path, init)
  /** What a visitor, the owner's session and her sign-in are answered. */
  const everyone = () =>
    Promise.all([
      asVisitor('/'),
      asVisitor('/contact'),
      asVisitor('/api/experience'),
      asOwner('/api/messages/unread', { headers: hers }),
      asOwner('/api/config', { method: 'PUT', headers: hers, body: '{"age_text":"40"}' }),
      asOwner('/api/auth/login', login),
    ])
  const sendFaulty = () =>
    asVisitor('/contact', { method: 'POST', body: new URLSearchParams({ name: 'Ana' }) })
  return { port: site.port, everyone, asVisitor, sendFaulty, forms, taken, events }
}

/** The owner, with a passkey on this site, far from any flood. */
async function addPasskey({ token }: Pick<TestApp, 'token'>, url: string) {
  const site = { origin: url, rpId: new URL(url).hostname }
  const ask = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const said = {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': '203.0.113.9',
    }
    const init = { method: 'POST', headers: { ...said, ...headers }, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/${path}`, init)
    return { status: answer.status, json: (await answer.json()) as Json }
  }
  const hers = { authorization: `Bearer${token}` }
  const password = { currentPassword: owner.password }
  const toAdd = await ask(accessCalls.passkeyOptions, password, hers)
  const authenticator = softAuthenticator()
  const made = authenticator.make({ ...site, challenge: String(toAdd.json['challenge']) })
  expect((await ask(accessCalls.passkeys, { response: made }, hers)).status).toBe(201)
  return {
    toSignIn: async () => String((await ask(accessCalls.passkeyChallenge, {})).json['challenge']),
    signIn: async (challenge: string, counter: number) => {
      const response = authenticator.sign({ ...site, challenge, counter })
      return (await ask(accessCalls.passkeySignIn, { response })).status
    },
  }
}

const allFine = [200, 200, 200, 200, 200, 200]

describe.each([
  ['one address', { addresses: 1, isBehindProxy: false }],
  ['one address behind a proxy', { addresses: 1, isBehindProxy: true }],
  ['many addresses', { addresses: 120, isBehindProxy: false }],
  ['many addresses behind a proxy', { addresses: 120, isBehindProxy: true }],
] as const)('from %s', (_, from) => {
  test.each(workFloods)('$name keep nobody waiting', async ({ make, answers }) => {
    const { port, everyone } = await openDoors(from)
    expect(await everyone()).toEqual(allFine)
    const { sendAll, close } = await openSenders(port, count, from)
    onTestFinished(close)
    const flood = sendAll(Array.from({ length: count }, (__, i) => make(i)))
    expect(await everyone()).toEqual(allFine)
    const statuses = new Set(await flood)
    expect(answers).toEqual(expect.arrayContaining([...statuses]))
    expect(await everyone()).toEqual(allFine)
  })
})

test.each([
  ['one address', { addresses: 1, isBehindProxy: true }],
  ['many addresses', { addresses: count, isBehindProxy: true }],
] as const)('few forms go back to %s before a page is read', async (_, from) => {
  const { port, asVisitor, forms } = await openDoors(from)
  const { sendAll, close } = await openSenders(port, count, from)
  onTestFinished(close)
  await asVisitor('/')
  const flood = sendAll(Array.from({ length: count }, (__, i) => refusedForm(i)))
  await expect.poll(() => forms.drawn, { interval: 1 }).toBeGreaterThan(0)
  expect(await asVisitor('/')).toBe(200)
  expect(forms.drawn).toBeLessThan(15)
  await flood
})

test.each([
  ['one address', { addresses: 1, isBehindProxy: true }],
  ['many addresses', { addresses: count, isBehindProxy: true }],
] as const)('few messages of %s are taken before a page is read', async (_, from) => {
  const env = { LIMIT_POSTS: '1000/60', LIMIT_CONTACT: '1000/600' }
  const { port, asVisitor, taken } = await openDoors(from, env)
  const { sendAll, close } = await openSenders(port, count, from)
  onTestFinished(close)
  await asVisitor('/')
  const flood = sendAll(Array.from({ length: count }, (__, i) => takenMessage(i)))
  await expect.poll(() => taken.messages, { interval: 1 }).toBeGreaterThan(0)
  expect(await asVisitor('/')).toBe(200)
  expect(taken.messages).toBeLessThan(15)
  // Some of one address find no place among the calls.
  expect([201, 503]).toEqual(expect.arrayContaining([...new Set(await flood)]))
})

test('a form of another address goes back before the rest of those of one', async () => {
  const from = { addresses: 1, isBehindProxy: true }
  const { port, asVisitor, sendFaulty, forms, events } = await openDoors(from)
  const { sendAll, close } = await openSenders(port, 60, from)
  onTestFinished(close)
  await asVisitor('/')
  const flood = sendAll(Array.from({ length: 60 }, (_, i) => refusedForm(i)))
  await expect.poll(() => forms.drawn, { interval: 1 }).toBeGreaterThan(0)
  expect(await sendFaulty()).toBe(422)
  expect(forms.drawn).toBeLessThan(15)
  expect(new Set(await flood)).toEqual(new Set([422, 503]))
  // However many are turned away, the log tells of the first.
  expect(events.filter(({ event }) => event === 'request-failed')).toEqual([
    { event: 'request-failed', path: '/contact', code: 'no-disponible' },
  ])
})

test.each([
  ['one address asks', { addresses: 1, isBehindProxy: true }],
  ['many addresses ask', { addresses: 120, isBehindProxy: false }],
  ['many addresses behind a proxy ask', { addresses: 120, isBehindProxy: true }],
] as const)('she signs in by passkey while %s for challenges, and after', async (_, from) => {
  const app = await openApp({ env: from.isBehindProxy ? { TRUST_PROXY: '1' } : {} })
  const site = await startSite(app.services, drawSlowly().render)
  const { toSignIn, signIn } = await addPasskey(app, site.url)
  const { sendAll, close } = await openSenders(site.port, count, from)
  onTestFinished(close)
  const asked = await toSignIn()
  const send = () => sendAll(Array.from({ length: count }, () => passkeyChallenge))
  for (let round = 0; round < 7; round++) await send()
  const flood = send()
  expect(await signIn(await toSignIn(), 1)).toBe(200)
  expect(await signIn(asked, 2)).toBe(200)
  await flood
  expect(await signIn(await toSignIn(), 3)).toBe(200)
})
