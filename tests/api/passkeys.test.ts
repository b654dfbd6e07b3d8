import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/durations.ts'
import { accessCalls, type OpenSession, type Passkey } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { startSession } from '#server/access/login.ts'
import { readOwner, setPassword } from '#server/access/owner.ts'
import { dropPasskeys, markUsed } from '#server/access/passkey-store.ts'
import { closeSignIns } from '#server/access/sign-in.ts'
import { transact } from '#server/db/transact.ts'
import { membersOf, openApp, refusal, type CallAnswer, type TestApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines, isPaired } from '#tests/support/database.ts'
import { owner } from '#tests/support/site.ts'
import { softAuthenticator } from '#tests/doubles/soft-authenticator.ts'

const publicUrl = 'https://lucia.example'
const env = { PUBLIC_URL: publicUrl, TRUST_PROXY: '1' }
const site = { origin: publicUrl, rpId: 'lucia.example' }
const ours = { origin: publicUrl, 'sec-fetch-site': 'same-origin' }
const chromeOnMac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36'
const password = { currentPassword: owner.password }
const another = { password: 'otra frase, igual de larga', userName: '', keepSample: true }
const refusedSignIn = { status: 401, code: 'credenciales-incorrectas' }
const unusable = { status: 422, code: 'llave-no-valida' }

type Authenticator = ReturnType<typeof softAuthenticator>
type Extra = Partial<Parameters<Authenticator['sign']>[0]>

const challengeOf = (answer: CallAnswer) => String(membersOf(answer)['challenge'])
const toAdd = ({ asOwner }: TestApp, headers: Readonly<Record<string, string>> = ours) =>
  asOwner('POST', accessCalls.passkeyOptions, { body: password, headers })

async function add(app: TestApp, authenticator = softAuthenticator(), extra: Extra = {}) {
  const challenge = challengeOf(await toAdd(app))
  const response = authenticator.make({ ...site, challenge, ...extra })
  const headers = { ...ours, 'user-agent': chromeOnMac }
  const answer = await app.asOwner('POST', accessCalls.passkeys, { body: { response }, headers })
  return { authenticator, answer, response, passkey: answer.json as Passkey }
}

const list = async ({ asOwner }: TestApp) =>
  (await asOwner('GET', accessCalls.passkeys)).json as readonly Passkey[]

const from = (address = '192.0.2.1') => ({ ...ours, 'x-forwarded-for': address })

const toSignIn = ({ call }: TestApp, address?: string) =>
  call('POST', accessCalls.passkeyChallenge, { body: {}, headers: from(address) })

const hand = ({ call }: TestApp, response: unknown, address?: string) =>
  call('POST', accessCalls.passkeySignIn, { body: { response }, headers: from(address) })

async function signIn(app: TestApp, authenticator: Authenticator, extra: Extra = {}) {
  const challenge = challengeOf(await toSignIn(app))
  return hand(app, authenticator.sign({ ...site, challenge, ...extra }))
}

describe.each(engines)('on %s', (engine) => {
  test('a passkey is added, listed, signs in like the password, is renamed and removed', async () => {
    const app = await openApp({ engine, env })
    expect(await list(app)).toEqual([])
    const { authenticator, answer, passkey } = await add(app)
    expect(answer.status).toBe(201)
    expect(passkey).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'Chrome en Mac',
      createdAt: '2031-03-01T10:00:00.000Z',
      usedAt: null,
    })
    app.pass(hourMs)
    const signedIn = await signIn(app, authenticator, { counter: 7 })
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers.get('cache-control')).toBe('private, no-store')
    const byPassword = await app.call('POST', ownerCalls.login, { body: owner })
    const { token, ...rest } = membersOf(signedIn)
    const { token: _token, ...same } = membersOf(byPassword)
    expect(rest).toEqual(same)
    const headers = { authorization: `Bearer${String(token)}` }
    expect((await app.call('GET', ownerCalls.messages, { headers })).status).toBe(200)
    const kept = await app.call('POST', accessCalls.keep, { headers: { ...headers, ...ours } })
    expect(kept.status).toBe(204)
    const sessions = (await app.asOwner('GET', accessCalls.sessions)).json as OpenSession[]
    expect(sessions.filter(({ isKept }) => isKept)).toHaveLength(1)

    const path = `${accessCalls.passkeys}/${passkey.id}`
    const renamed = await app.asOwner('PUT', path, { body: { name: '  MacBook de Lucía ' } })
    expect(renamed.status).toBe(204)
    expect(await list(app)).toEqual([
      { ...passkey, name: 'MacBook de Lucía', usedAt: '2031-03-01T11:00:00.000Z' },
    ])
    expect((await app.asOwner('DELETE', path)).status).toBe(204)
    expect(await list(app)).toEqual([])
    expect(refusal(await signIn(app, authenticator, { counter: 8 }))).toEqual(refusedSignIn)
    expect((await app.asOwner('DELETE', path)).status).toBe(404)
    expect((await app.call('GET', ownerCalls.messages, { headers })).status).toBe(200)
  })

  test('a key that is handed in after the session has ended does not come in again by a side door', async () => {
    const app = await openApp({ engine, env })
    const { auth } = app.services
    const session = await auth.findSession(app.token)
    if (!session) throw new Error('no session')
    const challenge = challengeOf(await toAdd(app))
    const response = softAuthenticator().make({ ...site, challenge })
    // The call has found the session, and reads on while the password is reset.
    const token = await auth.issueLink('reset')
    await auth.redeemLink({ token, ...another })
    await expect(auth.passkeys.add(session, site, { response, name: 'Otra' })).rejects.toThrow(
      expect.objectContaining({ code: 'sesion-requerida' }),
    )
    expect(await auth.passkeys.list(session)).toEqual([])
  })

  test('nor does one that is handed in during the very reset', async () => {
    const app = await openApp({ engine, env })
    const { auth } = app.services
    const session = await auth.findSession(app.token)
    if (!session) throw new Error('no session')
    const challenge = challengeOf(await toAdd(app))
    const response = softAuthenticator().make({ ...site, challenge })
    const { ownerId } = session
    const adding = callDuring(
      app.db,
      async (t) => {
        await setPassword(t, ownerId, { password: 'otra', now: app.services.now() })
        await dropPasskeys(t, ownerId)
        await closeSignIns(t, ownerId)
      },
      () => auth.passkeys.add(session, site, { response, name: 'Otra' }),
    )
    await expect(adding).rejects.toThrow(expect.objectContaining({ code: 'sesion-requerida' }))
    expect(await auth.passkeys.list(session)).toEqual([])
  })

  test('a reset of the password also ends the session that a passkey opens in that moment', async () => {
    const app = await openApp({ engine, env })
    const { auth } = app.services
    await add(app)
    const row = await app.db.selectFrom('passkey').selectAll().executeTakeFirstOrThrow()
    const found = await readOwner(app.db)
    if (!found) throw new Error('no owner')
    const now = app.services.now()
    const token = await auth.issueLink('reset')
    const redemption = { token, ...another }
    let resetting: Promise<unknown> = Promise.resolve()
    const signedIn = await transact(app.db, async (t) => {
      await markUsed(t, row, { counter: 1, now })
      const session = await startSession(t, { owner: found, device: '', now })
      resetting = auth.redeemLink(redemption)
      // It gets as far as the sign-in lets it.
      await wait(200)
      return session
    })
    await resetting
    expect(await auth.findSession(signedIn.token)).toBeUndefined()
  })

  test('a challenge is signed once, within five minutes', async () => {
    const app = await openApp({ engine, env })
    const { authenticator } = await add(app)
    const challenge = challengeOf(await toSignIn(app))
    const response = authenticator.sign({ ...site, challenge })
    expect((await hand(app, response)).status).toBe(200)
    expect(refusal(await hand(app, response))).toEqual(refusedSignIn)
    const late = authenticator.sign({ ...site, challenge: challengeOf(await toSignIn(app)) })
    app.pass(5 * minuteMs)
    expect(refusal(await hand(app, late))).toEqual(refusedSignIn)
    // One that was tried in vain is used up as well.
    const next = challengeOf(await toSignIn(app))
    expect((await hand(app, softAuthenticator().sign({ ...site, challenge: next }))).status).toBe(
      401,
    )
    expect((await hand(app, authenticator.sign({ ...site, challenge: next }))).status).toBe(401)
  })

  test('a clock that ran ahead and is set right revives no challenge that was handed in', async () => {
    const app = await openApp({ engine, env })
    const { authenticator } = await add(app)
    const challenge = challengeOf(await toSignIn(app))
    const response = authenticator.sign({ ...site, challenge })
    expect((await hand(app, response)).status).toBe(200)
    app.pass(50 * minuteMs)
    expect((await signIn(app, authenticator)).status).toBe(200)
    await app.services.auth.sweeps.challenges()
    app.pass(-50 * minuteMs)
    expect(refusal(await hand(app, response))).toEqual(refusedSignIn)
  })

  test('of one signature handed in twice at once only one opens a session', async () => {
    const app = await openApp({ engine, env })
    const { authenticator } = await add(app)
    const challenge = challengeOf(await toSignIn(app))
    const response = authenticator.sign({ ...site, challenge, counter: 1 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => hand(app, response)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401,
    ])
  })

  test('whoever else asks for something to sign takes nothing from her, and has nothing stored', async () => {
    const app = await openApp({ engine, env })
    const { authenticator } = await add(app)
    const noted = async () =>
      (await app.db.selectFrom('spent_challenge').select('challenge_hash').execute()).length
    const before = await noted()
    const hers = challengeOf(await toSignIn(app))
    const crowd = Array.from({ length: 30 }, () => toSignIn(app))
    expect(new Set((await Promise.all(crowd)).map(challengeOf)).size).toBe(30)
    expect(await noted()).toBe(before)
    expect((await hand(app, authenticator.sign({ ...site, challenge: hers }))).status).toBe(200)
    expect(await noted()).toBe(before + 1)
    app.pass(hourMs)
    await signIn(app, authenticator, { counter: 2 })
    expect(await noted()).toBe(1)
  })
})

test.each([
  ['of another site', { rpId: 'otra.example' }],
  ['made on another page', { origin: 'https://otra.example' }],
  ['of another port', { origin: `${publicUrl}:8443` }],
  ['without knowing the person', { isVerified: false }],
  ['of another ceremony', { type: 'webauthn.create' }],
  ['of a challenge nobody gave', { challenge: 'A'.repeat(43) }],
] as const)('a signature %s opens nothing', async (_, extra) => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  expect(refusal(await signIn(app, authenticator, extra))).toEqual(refusedSignIn)
  expect((await signIn(app, authenticator)).status).toBe(200)
})

test.each([
  ['of another site', { rpId: 'otra.example' }],
  ['made on another page', { origin: 'https://otra.example' }],
  ['without knowing the person', { isVerified: false }],
  ['of another ceremony', { type: 'webauthn.get' }],
  ['of a challenge nobody gave', { challenge: 'A'.repeat(43) }],
] as const)('a key %s is not added', async (_, extra) => {
  const app = await openApp({ env })
  const { answer } = await add(app, softAuthenticator(), extra)
  expect(refusal(answer)).toEqual(unusable)
  expect(await list(app)).toEqual([])
})

test('a count that goes back shows a copied key', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  expect((await signIn(app, authenticator, { counter: 5 })).status).toBe(200)
  expect(refusal(await signIn(app, authenticator, { counter: 5 }))).toEqual(refusedSignIn)
  expect((await signIn(app, authenticator, { counter: 6 })).status).toBe(200)
})

test('another authenticator’s signature under the name of hers opens nothing', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  const challenge = challengeOf(await toSignIn(app))
  const forged = { ...softAuthenticator().sign({ ...site, challenge }) }
  const named = { ...forged, id: authenticator.id, rawId: authenticator.id }
  expect(refusal(await hand(app, named))).toEqual(refusedSignIn)
})

test('a challenge serves what it was given for, and for adding only whom it was given', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  const toAddOne = challengeOf(await toAdd(app))
  const wrongUse = authenticator.sign({ ...site, challenge: toAddOne })
  expect(refusal(await hand(app, wrongUse))).toEqual(refusedSignIn)
  const challenge = challengeOf(await toSignIn(app))
  const made = softAuthenticator().make({ ...site, challenge })
  const body = { response: made }
  expect(refusal(await app.asOwner('POST', accessCalls.passkeys, { body, headers: ours }))).toEqual(
    unusable,
  )
  const hers = challengeOf(await toAdd(app))
  const other = membersOf(await app.call('POST', ownerCalls.login, { body: owner }))['token']
  const response = softAuthenticator().make({ ...site, challenge: hers })
  const headers = { ...ours, authorization: `Bearer${String(other)}` }
  const stolen = await app.call('POST', accessCalls.passkeys, { body: { response }, headers })
  expect(refusal(stolen)).toEqual(unusable)
})

test('adding one asks for the password, guessed no oftener than at the change of it', async () => {
  const app = await openApp({ env })
  const ask = (currentPassword: string) =>
    app.asOwner('POST', accessCalls.passkeyOptions, { body: { currentPassword }, headers: ours })
  for (let i = 0; i < 10; i++) {
    expect(refusal(await ask('equivocada'))).toEqual({
      status: 422,
      code: 'datos-no-validos',
      fields: ['/currentPassword'],
    })
  }
  expect(refusal(await ask(owner.password))).toEqual({ status: 429, code: 'demasiados-intentos' })
})

test('the same key is not added twice, and there are at most twenty', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  expect(refusal((await add(app, authenticator)).answer)).toEqual(unusable)
  for (let i = 1; i < 20; i++) expect((await add(app)).answer.status).toBe(201)
  expect(refusal(await toAdd(app))).toEqual({ status: 409, code: 'demasiadas-llaves' })
})

test('sign-ins by passkey are counted like those by password, and refused from memory', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  const wrong = softAuthenticator()
  for (let i = 0; i < 10; i++) expect((await signIn(app, wrong)).status).toBe(401)
  expect(refusal(await signIn(app, authenticator))).toEqual({
    status: 429,
    code: 'demasiados-intentos',
  })
  const counted = async () =>
    (await app.db.selectFrom('throttle').select('n').where('key', 'like', 'passkey:%').execute())[0]
  const before = await counted()
  expect((await signIn(app, authenticator)).status).toBe(429)
  expect(await counted()).toEqual(before)
  const challenge = challengeOf(await toSignIn(app, '192.0.2.7'))
  const elsewhere = await hand(app, authenticator.sign({ ...site, challenge }), '192.0.2.7')
  expect(elsewhere.status).toBe(200)
})

test('however many addresses hand keys in, the log tells of one a minute, and of each that opened a session', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  const told = () => app.events.filter(({ event }) => event === 'passkey-sign-in')
  for (let i = 0; i < 9; i++) expect((await hand(app, {}, `198.51.${i}.1`)).status).toBe(422)
  expect(told()).toEqual([])
  const wrong = softAuthenticator().sign({ ...site, challenge: '' })
  for (let i = 0; i < 9; i++) expect((await hand(app, wrong, `198.51.${i}.1`)).status).toBe(401)
  expect((await signIn(app, authenticator)).status).toBe(200)
  const line = (outcome: string, more = {}) => ({ event: 'passkey-sign-in', outcome, ...more })
  // Each process counts for itself.
  const processes = isPaired ? 2 : 1
  const first = ['198.51.0.0/24', '198.51.1.0/24'].slice(0, processes)
  expect(told()).toMatchObject([
    ...first.map((network) => line('refused', { from: network })),
    line('ok'),
  ])
  app.pass(minuteMs)
  for (let i = 0; i < processes; i++) expect((await hand(app, wrong)).status).toBe(401)
  const leftOut = told().slice(-processes)
  expect(leftOut.reduce((sum, event) => sum + Number(event['leftOut']), 0)).toBe(9 - processes)
})

test.each([
  ['another site', { origin: 'https://otra.example', 'sec-fetch-site': 'cross-site' }],
  ['another port, whatever it says', { origin: `${publicUrl}:8443`, host: 'lucia.example:8443' }],
  ['nowhere', {}],
] as const)('pages of %s get nothing to sign', async (_, headers) => {
  const app = await openApp({ env })
  const said = headers as Readonly<Record<string, string>>
  const answer = await app.call('POST', accessCalls.passkeyChallenge, { body: {}, headers: said })
  expect(refusal(answer)).toEqual({ status: 403, code: 'prohibido' })
  expect((await toAdd(app, said)).status).toBe(403)
})

test('what is no answer of a browser is refused by its form, and the owner’s calls are hers', async () => {
  const app = await openApp({ env })
  for (const response of [undefined, 'x', {}, { id: 1 }, { response: { clientDataJSON: [] } }]) {
    expect((await hand(app, response)).status).toBe(422)
  }
  const garbage = { clientDataJSON: '%%%', authenticatorData: '', signature: '' }
  const bare = { id: 'a', rawId: 'a', type: 'public-key', response: garbage }
  expect(refusal(await hand(app, bare))).toEqual(refusedSignIn)
  expect((await hand(app, { ...bare, id: 'a\u0000b' })).status).toBe(422)
  const guarded: readonly (readonly [string, string])[] = [
    ['GET', accessCalls.passkeys],
    ['POST', accessCalls.passkeys],
    ['POST', accessCalls.passkeyOptions],
    ['PUT', `${accessCalls.passkeys}/x`],
    ['DELETE', `${accessCalls.passkeys}/x`],
  ]
  for (const [method, path] of guarded) {
    const headers = ours
    const body = method === 'GET' ? {} : { body: {} }
    expect((await app.call(method, path, { headers, ...body })).status).toBe(401)
  }
  for (const name of ['', '   ', 'a'.repeat(61), 'a\u0000b']) {
    const { passkey } = await add(app)
    const renamed = await app.asOwner('PUT', `${accessCalls.passkeys}/${passkey.id}`, {
      body: { name },
    })
    expect(renamed.status).toBe(422)
  }
})

test('keys outlive a change of the password and end with a reset of it', async () => {
  const app = await openApp({ env })
  const { authenticator } = await add(app)
  const body = { currentPassword: owner.password, newPassword: 'otra frase bien larga' }
  expect((await app.asOwner('POST', ownerCalls.password, { body })).status).toBe(200)
  expect((await signIn(app, authenticator)).status).toBe(200)
  const token = await app.services.auth.issueLink('reset')
  const link = { token, password: 'una tercera frase larga' }
  expect((await app.call('POST', ownerCalls.setup, { body: link })).status).toBe(200)
  expect(refusal(await signIn(app, authenticator))).toEqual(refusedSignIn)
})
