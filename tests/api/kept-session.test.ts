import { describe, expect, test } from 'vitest'
import { v5 as digestOf } from 'uuid'
import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import { accessCalls, revocationNamespace, type OpenSession } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { sweepDaily } from '#server/daily-sweep.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'
import { membersOf, openApp, refusal, type CallAnswer, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { owner } from '#tests/support/site.ts'

const ours = { 'sec-fetch-site': 'same-origin' }
const chromeOnMac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36'

/** What the answer puts into the browser: the cookie as it is sent back. */
function cookieOf({ headers }: CallAnswer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

const tokenOf = (answer: CallAnswer) => String(membersOf(answer)['token'])
const bearer = (token: string) => ({ authorization: `Bearer${token}` })

async function signIn({ call }: TestApp, userAgent = ''): Promise<string> {
  return tokenOf(
    await call('POST', ownerCalls.login, { body: owner, headers: { 'user-agent': userAgent } }),
  )
}

async function keep({ call }: TestApp, token: string): Promise<string> {
  const answer = await call('POST', accessCalls.keep, { headers: { ...ours, ...bearer(token) } })
  expect(answer.status).toBe(204)
  return cookieOf(answer)
}

const renew = ({ call }: TestApp, cookie: string) =>
  call('POST', accessCalls.kept, { body: {}, headers: { ...ours, cookie } })

const isTaken = async ({ call }: TestApp, token: string) =>
  (await call('GET', ownerCalls.messages, { headers: bearer(token) })).status === 200

const areTaken = (app: TestApp, answers: readonly CallAnswer[]) =>
  Promise.all(answers.map((answer) => isTaken(app, tokenOf(answer))))

/** Two tabs renew one after the other, and both use what they got. */
async function renewInTurn(app: TestApp, cookie: string): Promise<[CallAnswer, CallAnswer]> {
  const one = await renew(app, cookie)
  const other = await renew(app, cookieOf(one))
  expect(await areTaken(app, [one, other])).toEqual([true, true])
  return [one, other]
}

/** Puts a device on the list, as the page of this session does. */
async function ring({ call }: TestApp, token: string): Promise<void> {
  const body = { address: subscribe().address, label: 'Móvil' }
  const answer = await call('POST', ownerCalls.devices, { body, headers: bearer(token) })
  expect(answer.status).toBe(201)
}

const ringing = async ({ asOwner }: TestApp) =>
  ((await asOwner('GET', ownerCalls.devices)).json as readonly unknown[]).length

const sweep = ({ services }: TestApp) => sweepDaily(services, new AbortController().signal)

describe.each(engines)('on %s', (engine) => {
  test('a kept session is renewed with a token of its own and another cookie', async () => {
    const app = await openApp({ engine })
    const token = await signIn(app)
    const first = await keep(app, token)
    const answer = await renew(app, first)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const { token: renewed, ...rest } = membersOf(answer)
    expect(renewed).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual({
      userName: owner.userName,
      authorities: [{ authority: 'ROLE_ADMIN' }],
      account: expect.stringMatching(/^[\w-]{22}$/) as string,
    })
    expect(cookieOf(answer)).not.toBe(first)
    expect(await isTaken(app, tokenOf(answer))).toBe(true)
    expect(await isTaken(app, token)).toBe(true)
  })

  test('a cookie used a second time after a minute ends the sign-in with all its sessions', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const answer = await renew(app, first)
    const second = cookieOf(answer)
    expect((await renew(app, second)).status).toBe(200)
    app.pass(minuteMs)
    const replayed = await renew(app, first)
    expect(replayed.status).toBe(401)
    expect(cookieOf(replayed)).toBe('__Secure-tintero=')
    expect(await isTaken(app, tokenOf(answer))).toBe(false)
    expect(app.events).toContainEqual(expect.objectContaining({ event: 'kept-session-replayed' }))
  })

  test('an old cookie whose successor’s session was used ends the sign-in after a minute', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const renewed = await renew(app, first)
    expect(await isTaken(app, tokenOf(renewed))).toBe(true)
    app.pass(minuteMs)
    expect((await renew(app, first)).status).toBe(401)
    expect((await renew(app, cookieOf(renewed))).status).toBe(401)
    expect(await isTaken(app, tokenOf(renewed))).toBe(false)
  })

  test('after a lost answer the same cookie renews, however late, and what was lost opens nothing', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const lost = await renew(app, first)
    app.pass(3 * dayMs)
    const again = await renew(app, first)
    expect(again.status).toBe(200)
    expect(await isTaken(app, tokenOf(lost))).toBe(false)
    expect(await isTaken(app, tokenOf(again))).toBe(true)
    // Whoever holds what was lost shows by using it that two do.
    expect((await renew(app, cookieOf(lost))).status).toBe(401)
    expect(await isTaken(app, tokenOf(again))).toBe(false)
  })

  test('a browser killed before it wrote the cookie down may repeat within a minute, and only one goes on', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const unwritten = await renew(app, first)
    expect(await isTaken(app, tokenOf(unwritten))).toBe(true)
    app.pass(minuteMs - 1)
    const again = await renew(app, first)
    expect(again.status).toBe(200)
    expect(await isTaken(app, tokenOf(unwritten))).toBe(false)
    expect(await isTaken(app, tokenOf(again))).toBe(true)
    // Repeating gives no more time.
    app.pass(1)
    expect((await renew(app, first)).status).toBe(401)
  })

  test('a browser killed before it wrote any of several cookies down goes on with the oldest, alone', async () => {
    const app = await openApp({ engine })
    const signedIn = await signIn(app)
    const first = await keep(app, signedIn)
    const tabs = await renewInTurn(app, first)
    app.pass(minuteMs - 1)
    const again = await renew(app, first)
    expect(again.status).toBe(200)
    expect(await areTaken(app, [...tabs, again])).toEqual([false, false, true])
    // What was there before the line began goes on.
    expect(await isTaken(app, signedIn)).toBe(true)
    expect((await renew(app, cookieOf(again))).status).toBe(200)
  })

  test('a browser that wrote down the cookie between goes on with that, and what came before it stays', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const tabs = await renewInTurn(app, first)
    const again = await renew(app, cookieOf(tabs[0]))
    expect(again.status).toBe(200)
    expect(await areTaken(app, [...tabs, again])).toEqual([true, false, true])
    // Killed once more, by now with the oldest on its disk.
    const oldest = await renew(app, first)
    expect(await areTaken(app, [...tabs, again, oldest])).toEqual([false, false, false, true])
  })

  test('repeating from any place of the line gives none of its cookies more time', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    await renewInTurn(app, first)
    app.pass(minuteMs - 1)
    const again = await renew(app, first)
    await renewInTurn(app, cookieOf(again))
    app.pass(1)
    expect((await renew(app, first)).status).toBe(401)
    expect((await renew(app, cookieOf(again))).status).toBe(401)
  })

  test('each cookie of a line has its own minute, from when it was first exchanged', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const second = await renew(app, first)
    expect(await isTaken(app, tokenOf(second))).toBe(true)
    app.pass(minuteMs - 1)
    const third = await renew(app, cookieOf(second))
    expect(await isTaken(app, tokenOf(third))).toBe(true)
    app.pass(minuteMs - 1)
    const again = await renew(app, cookieOf(second))
    expect(again.status).toBe(200)
    expect(await areTaken(app, [second, third, again])).toEqual([true, false, true])
    expect((await renew(app, first)).status).toBe(401)
    expect(await areTaken(app, [second, again])).toEqual([false, false])
  })

  test.each([
    ['her newest', 1],
    ['the one between', 0],
  ] as const)(
    'a thief with the oldest cookie of a line is found out by the next use of %s',
    async (_, i) => {
      const app = await openApp({ engine })
      const first = await keep(app, await signIn(app))
      const tabs = await renewInTurn(app, first)
      const stolen = await renew(app, first)
      expect(stolen.status).toBe(200)
      // Her tabs are told to renew, and do so with what her browser holds.
      expect(await areTaken(app, tabs)).toEqual([false, false])
      expect((await renew(app, cookieOf(tabs[i]))).status).toBe(401)
      expect(app.events).toContainEqual(expect.objectContaining({ event: 'kept-session-replayed' }))
      expect(await isTaken(app, tokenOf(stolen))).toBe(false)
      expect((await renew(app, cookieOf(stolen))).status).toBe(401)
    },
  )

  test('the thief is found out where she comes back with the oldest cookie after him', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    await renewInTurn(app, first)
    const stolen = await renew(app, first)
    expect(await isTaken(app, tokenOf(stolen))).toBe(true)
    const hers = await renew(app, first)
    expect(await areTaken(app, [stolen, hers])).toEqual([false, true])
    expect((await renew(app, cookieOf(stolen))).status).toBe(401)
    expect(await isTaken(app, tokenOf(hers))).toBe(false)
  })

  test('signing out by any cookie that may have been left on the disk ends the sign-in', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const tabs = await renewInTurn(app, first)
    const left = { body: { revocations: [] }, headers: { ...ours, cookie: first } }
    expect((await app.call('POST', accessCalls.endLeft, left)).status).toBe(204)
    expect(await areTaken(app, tabs)).toEqual([false, false])
  })

  test('of many renewals in the same moment each answer is whole, and one cookie is left that renews', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const answers = await Promise.all(Array.from({ length: 6 }, () => renew(app, first)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    const living = []
    for (const answer of answers) if (await isTaken(app, tokenOf(answer))) living.push(answer)
    expect(living).toHaveLength(1)
    const [last] = living
    expect((await renew(app, last ? cookieOf(last) : '')).status).toBe(200)
  })

  test('ninety days without use and a year in any case end what is kept', async () => {
    const app = await openApp({ engine })
    const unused = await keep(app, await signIn(app))
    let used = await keep(app, await signIn(app))
    for (let days = 0; days < 360; days += 60) {
      app.pass(60 * dayMs)
      const answer = await renew(app, used)
      expect(answer.status).toBe(200)
      used = cookieOf(answer)
    }
    expect((await renew(app, unused)).status).toBe(401)
    app.pass(5 * dayMs)
    expect((await renew(app, used)).status).toBe(401)
    await app.services.auth.sweeps.sessions()
    expect(await app.db.selectFrom('sign_in').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('session').select('sign_in_id').execute()).toEqual([])
    // By now it is not the clock alone.
    expect(cookieOf(await renew(app, used))).toBe('__Secure-tintero=')
  })

  test.each([
    ['ninety-one days', 91 * dayMs],
    ['two years', 730 * dayMs],
  ])('a clock that is %s ahead for some hours ends nothing that is kept', async (_, ahead) => {
    const app = await openApp({ engine })
    const token = await signIn(app)
    await ring(app, token)
    const cookie = await keep(app, token)
    await sweep(app)
    app.pass(dayMs + ahead)
    const refused = await renew(app, cookie)
    expect(refusal(refused)).toEqual({ status: 401, code: 'sesion-requerida' })
    // She keeps her cookie, and hears that it is worth asking again.
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(refused.headers.get('retry-after')).toBe('3600')
    await sweep(app)
    app.pass(hourMs)
    expect((await renew(app, cookie)).status).toBe(401)
    app.pass(-ahead)
    await sweep(app)
    expect(await ringing(app)).toBe(1)
    const answer = await renew(app, cookie)
    expect(answer.status).toBe(200)
    expect(await areTaken(app, [answer])).toEqual([true])
    expect(await isTaken(app, token)).toBe(true)
  })

  test('a cookie that is over and was exchanged before ends the sign-in all the same', async () => {
    const app = await openApp({ engine })
    const first = await keep(app, await signIn(app))
    const renewed = await renew(app, first)
    expect(await areTaken(app, [renewed])).toEqual([true])
    app.pass(91 * dayMs)
    expect(cookieOf(await renew(app, first))).toBe('__Secure-tintero=')
    app.pass(-91 * dayMs)
    expect((await renew(app, cookieOf(renewed))).status).toBe(401)
    expect(await areTaken(app, [renewed])).toEqual([false])
  })

  test('signing out ends the sign-in in every tab, takes the cookie away and silences its devices', async () => {
    const app = await openApp({ engine })
    const token = await signIn(app)
    await ring(app, token)
    const cookie = await keep(app, token)
    const tab = await renew(app, cookie)
    const left = await app.call('POST', ownerCalls.logout, { headers: bearer(token) })
    expect(left.headers.get('set-cookie')).toMatch(
      /^__Secure-tintero=; Max-Age=0; Path=\/api\/auth\/kept;/,
    )
    expect(await isTaken(app, tokenOf(tab))).toBe(false)
    expect((await renew(app, cookieOf(tab))).status).toBe(401)
    expect(await isTaken(app, app.token)).toBe(true)
    expect(await ringing(app)).toBe(0)
  })

  test('signing out of a session that is not kept takes away what the browser keeps besides', async () => {
    const app = await openApp({ engine })
    await keep(app, await signIn(app))
    const headers = bearer(await signIn(app))
    const left = await app.call('POST', ownerCalls.logout, { headers })
    expect([left.status, cookieOf(left)]).toEqual([204, '__Secure-tintero='])
  })

  test('what was signed out without a connection ends later, by its revocation or by the cookie', async () => {
    const app = await openApp({ engine })
    const [token, other] = [await signIn(app), await signIn(app)]
    for (const each of [token, other]) await ring(app, each)
    const cookie = await keep(app, token)
    const otherCookie = await keep(app, other)
    const revocation = digestOf(token, revocationNamespace)
    const body = { revocations: [revocation] }
    const headers = { 'sec-fetch-site': 'cross-site', cookie: otherCookie }
    expect((await app.call('POST', accessCalls.endLeft, { body, headers })).status).toBe(204)
    expect(await isTaken(app, token)).toBe(false)
    expect(await ringing(app)).toBe(1)
    expect((await renew(app, cookie)).status).toBe(401)
    // Another site's page cannot sign her out of this one.
    expect(await isTaken(app, other)).toBe(true)
    const none = { body: { revocations: [] }, headers: { ...ours, cookie: otherCookie } }
    const ended = await app.call('POST', accessCalls.endLeft, none)
    expect([ended.status, cookieOf(ended)]).toEqual([204, '__Secure-tintero='])
    expect(await isTaken(app, other)).toBe(false)
    expect(await ringing(app)).toBe(0)
  })

  test('a revocation opens nothing', async () => {
    const app = await openApp({ engine })
    const revocation = digestOf(app.token, revocationNamespace)
    expect(await isTaken(app, revocation)).toBe(false)
    expect(await app.services.auth.findSession(revocation)).toBeUndefined()
  })

  test('keeping can be taken back, and the session goes on', async () => {
    const app = await openApp({ engine })
    const token = await signIn(app)
    const cookie = await keep(app, token)
    const answer = await app.call('POST', accessCalls.keepNoLonger, { headers: bearer(token) })
    expect([answer.status, cookieOf(answer)]).toEqual([204, '__Secure-tintero='])
    expect((await renew(app, cookie)).status).toBe(401)
    expect(await isTaken(app, token)).toBe(true)
  })

  test('signing in anew on a device ends what it kept before', async () => {
    const app = await openApp({ engine })
    const before = await signIn(app)
    const cookie = await keep(app, before)
    const token = await signIn(app)
    const headers = { ...ours, ...bearer(token), cookie }
    expect((await app.call('POST', accessCalls.keep, { headers })).status).toBe(204)
    expect(await isTaken(app, before)).toBe(false)
    expect(await isTaken(app, token)).toBe(true)
  })

  test('the password ends what is kept elsewhere, and a new one by a link ends all', async () => {
    const app = await openApp({ engine })
    const cookie = await keep(app, await signIn(app))
    // The quick hash tells passwords apart by their length alone.
    const newPassword = 'una frase bastante distinta, y mucho mayor'
    const body = { currentPassword: owner.password, newPassword }
    expect((await app.asOwner('POST', ownerCalls.password, { body })).status).toBe(200)
    expect((await renew(app, cookie)).status).toBe(401)
    const own = await keep(app, app.token)
    const token = await app.services.auth.issueLink('reset')
    const reset = { token, password: 'recordada otra vez, por fin' }
    expect((await app.call('POST', ownerCalls.setup, { body: reset })).status).toBe(200)
    expect((await renew(app, own)).status).toBe(401)
  })

  test('the list names devices and tells her own, and each can be ended from it', async () => {
    const app = await openApp({ engine })
    app.pass(minuteMs)
    const token = await signIn(app, chromeOnMac)
    await keep(app, token)
    const list = async () => (await app.asOwner('GET', accessCalls.sessions)).json as OpenSession[]
    const answer = await app.asOwner('GET', accessCalls.sessions)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(await list()).toMatchObject([
      { label: 'Chrome en Mac', isKept: true, isOwn: false },
      { isKept: false, isOwn: true },
    ])
    expect(JSON.stringify(answer.json)).not.toMatch(/hash|token/i)
    const [other, own] = await list()
    const close = (id = '') => app.asOwner('DELETE', `${accessCalls.sessions}/${id}`)
    expect((await close(other?.id)).status).toBe(204)
    expect(await isTaken(app, token)).toBe(false)
    expect((await close(other?.id)).status).toBe(404)
    expect((await list()).map(({ id }) => id)).toEqual([own?.id])
  })

  test('one device’s tabs are one line of the list, and its twenty-first tab ends only the oldest', async () => {
    const app = await openApp({ engine })
    let cookie = await keep(app, app.token)
    const tabs = []
    for (let i = 0; i < 20; i++) {
      app.pass(minuteMs)
      const answer = await renew(app, cookie)
      cookie = cookieOf(answer)
      tabs.push(tokenOf(answer))
    }
    expect(await isTaken(app, app.token)).toBe(false)
    for (const tab of tabs) expect(await isTaken(app, tab)).toBe(true)
    const headers = bearer(tabs[0] ?? '')
    const { json } = await app.call('GET', accessCalls.sessions, { headers })
    expect(json).toHaveLength(1)
  })
})

test('the cookie is for its calls alone, unreadable and never sent from elsewhere', async () => {
  const app = await openApp()
  const headers = { ...ours, ...bearer(app.token) }
  const answer = await app.call('POST', accessCalls.keep, { headers })
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Secure-tintero=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=7776000; Path=\/api\/auth\/kept; HttpOnly; Secure; SameSite=Strict$/,
  )
})

test('no database file or row holds the secret', async () => {
  const app = await openApp()
  const value = (await keep(app, app.token)).split('=')[1] ?? ''
  const [, secret = ''] = value.split('.')
  const rows = await app.db.selectFrom('sign_in').selectAll().execute()
  expect(secret).toHaveLength(43)
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test.each([
  ['another site’s page', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbour of the site', { 'sec-fetch-site': 'same-site' }],
  ['an address typed by hand', { 'sec-fetch-site': 'none' }],
  ['another origin, where browsers say no more', { origin: 'https://otro.test' }],
  ['nobody that says where it comes from', {}],
])('renewing for %s is refused and changes nothing', async (_, headers) => {
  const app = await openApp()
  const cookie = await keep(app, app.token)
  const refused = await app.call('POST', accessCalls.kept, {
    body: {},
    headers: { ...headers, cookie },
  })
  expect(refusal(refused)).toEqual({ status: 403, code: 'prohibido' })
  expect((await renew(app, cookie)).status).toBe(200)
})

test('renewing by the site’s own address is taken where browsers say no more', async () => {
  const app = await openApp({ env: { PUBLIC_URL: 'https://lucia.test' } })
  const cookie = await keep(app, app.token)
  const headers = { origin: 'https://lucia.test', cookie }
  expect((await app.call('POST', accessCalls.kept, { body: {}, headers })).status).toBe(200)
})

test('renewing takes JSON alone, and no other method', async () => {
  const app = await openApp()
  const cookie = await keep(app, app.token)
  const form = { ...ours, cookie, 'content-type': 'text/plain' }
  expect((await app.call('POST', accessCalls.kept, { raw: '{}', headers: form })).status).toBe(415)
  const headers = { ...ours, cookie }
  expect((await app.call('GET', accessCalls.kept, { headers })).status).toBe(405)
})

test.each(['', 'x', 'a.b', `${'0'.repeat(36)}.${'A'.repeat(43)}`, `\u0000`])(
  'the cookie %j renews nothing and writes nothing',
  async (value) => {
    const app = await openApp()
    const before = await app.db.selectFrom('throttle').selectAll().execute()
    const answer = await renew(app, `__Secure-tintero=${encodeURIComponent(value)}`)
    expect(refusal(answer)).toEqual({ status: 401, code: 'sesion-requerida' })
    expect(await app.db.selectFrom('throttle').selectAll().execute()).toEqual(before)
    expect(await isTaken(app, app.token)).toBe(true)
  },
)

test.each([
  {},
  { revocations: 'a' },
  { revocations: ['a'] },
  { revocations: Array(11).fill(crypto.randomUUID()) },
])('what is no list of revocations is refused: %j', async (body) => {
  const app = await openApp()
  const answer = await app.call('POST', accessCalls.endLeft, { body, headers: ours })
  expect(answer.status).toBe(422)
})
