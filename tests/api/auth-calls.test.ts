import { expect, test } from 'vitest'
import { loginTexts, setupTexts } from '#contract/access/login.ts'
import type { ProblemBody } from '#contract/problem.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { startCalls } from '#tests/support/access-calls.ts'
import { openAccess, quickDerive } from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const problemOf = (text: string) => JSON.parse(text) as ProblemBody
const tokenOf = (text: string) => (JSON.parse(text) as { token: string }).token

const as = (token: string, body?: unknown) => ({
  headers: { authorization: `Bearer${token}` },
  body,
})

async function openCalls(withOwner = true) {
  const access = await openAccess({ withOwner, derive: quickDerive })
  const { call } = await startCalls(access)
  const signIn = async () => tokenOf((await call('POST', 'auth/login', { body: owner })).text)
  return { ...access, call, signIn }
}

test('the login answers token, user name and authorities, the account behind them, and nothing keeps the answer', async () => {
  const { call } = await openCalls()
  const { status, headers, text } = await call('POST', 'auth/login', { body: owner })
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('set-cookie')).toBeNull()
  expect(text).toBe(
    `{"token":"${tokenOf(text)}","userName":"${owner.userName}","authorities":[{"authority":"ROLE_ADMIN"}],"account":"${accountIn(text)}"}`,
  )
})

/** Whose the session is, in an answer to a login. */
function accountIn(text: string): string {
  return /"account":"([\w-]{22})"/.exec(text)?.[1] ?? 'no account'
}

test('wrong, unknown and empty credentials are answered alike, to the byte', async () => {
  const { call } = await openCalls()
  const bodies = [
    { ...owner, password: 'no' },
    { ...owner, userName: 'nadie@ejemplo.test' },
    { userName: '', password: '' },
  ]
  const answers = []
  for (const body of bodies) {
    const { status, headers, text } = await call('POST', 'auth/login', { body })
    const lasting = [...headers].filter(([name]) => name !== 'date')
    answers.push({ status, headers: lasting, text })
  }
  expect(answers[0]?.status).toBe(401)
  expect(problemOf(answers[0]?.text ?? '').mensaje).toBe(loginTexts.wrong)
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
})

test.each([
  [{}, ['/userName', '/password']],
  [{ userName: owner.userName }, ['/password']],
  [{ ...owner, password: 12 }, ['/password']],
  [{ ...owner, userName: ['a'] }, ['/userName']],
])('the login names the fields missing from %j and repeats none', async (body, pointers) => {
  const { call } = await openCalls()
  const { status, text } = await call('POST', 'auth/login', { body })
  expect(status).toBe(422)
  expect(problemOf(text).errors?.map(({ pointer }) => pointer)).toEqual(pointers)
  expect(text).not.toContain(owner.userName)
})

test('an address that tried too often is told when to come back', async () => {
  const { call } = await openCalls()
  const wrong = { body: { ...owner, password: 'no' } }
  for (let i = 0; i < 10; i++) await call('POST', 'auth/login', wrong)
  const { status, headers, text } = await call('POST', 'auth/login', { body: owner })
  expect(status).toBe(429)
  expect(headers.get('retry-after')).toBe('900')
  expect(problemOf(text).code).toBe('demasiados-intentos')
})

test('signing out answers nothing, and a second time that there is no session', async () => {
  const { call, signIn } = await openCalls()
  const token = await signIn()
  const { status, text } = await call('POST', 'auth/logout', as(token))
  expect([status, text]).toEqual([204, ''])
  expect((await call('POST', 'auth/logout', as(token))).status).toBe(401)
})

test('the other sessions can be ended from this one', async () => {
  const { call, signIn } = await openCalls()
  const [one, two] = [await signIn(), await signIn()]
  expect((await call('POST', 'auth/logout/others', as(one))).status).toBe(204)
  expect((await call('PUT', 'closed', as(one))).status).toBe(200)
  expect((await call('PUT', 'closed', as(two))).status).toBe(401)
})

test('the password can be changed, which says so and ends the other sessions', async () => {
  const { call, signIn } = await openCalls()
  const [one, two] = [await signIn(), await signIn()]
  // The quick hash tells passwords apart by their length alone.
  const newPassword = 'una frase bastante distinta, y mucho mayor'
  const body = { currentPassword: owner.password, newPassword }
  const { status, text } = await call('POST', 'auth/password', as(one, body))
  expect([status, JSON.parse(text)]).toEqual([200, { mensaje: ownerTexts.passwordChanged }])
  expect((await call('PUT', 'closed', as(one))).status).toBe(200)
  expect((await call('PUT', 'closed', as(two))).status).toBe(401)
  expect((await call('POST', 'auth/login', { body: owner })).status).toBe(401)
})

test('a change of the password is refused with what it needs when its session ends meanwhile', async () => {
  const meanwhile = { end: async () => {} }
  const access = await openAccess({
    derive: async (input) => {
      await meanwhile.end()
      return quickDerive(input)
    },
  })
  const { call } = await startCalls(access)
  const { token } = await access.auth.login({ ...owner, address: 'a' })
  meanwhile.end = async () => void (await access.db.deleteFrom('session').execute())
  const newPassword = 'una frase bastante distinta, y mucho mayor'
  const body = { currentPassword: owner.password, newPassword }
  const { status, headers } = await call('POST', 'auth/password', as(token, body))
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test('wrong credentials are refused with a challenge, as each 401 has to be', async () => {
  const { call } = await openCalls()
  const body = { ...owner, password: 'una frase que no es la suya' }
  const { status, headers } = await call('POST', 'auth/login', { body })
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test('the owner alone reads what she signs in with, and no cache keeps it', async () => {
  const { call, signIn } = await openCalls()
  const { status, headers, text } = await call('GET', 'auth/own', as(await signIn()))
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(JSON.parse(text)).toEqual({ userName: owner.userName, passwordChangedAt: null })
  expect((await call('GET', 'auth/own')).status).toBe(401)
})

test('the user name can be changed, which says it as it is stored and ends the other sessions', async () => {
  const { call, signIn } = await openCalls()
  const [one, two] = [await signIn(), await signIn()]
  const body = { currentPassword: owner.password, userName: ' Lucia.Nueva@Example.com ' }
  const { status, headers, text } = await call('POST', 'auth/own/name', as(one, body))
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const userName = 'lucia.nueva@example.com'
  expect(JSON.parse(text)).toEqual({ userName })
  expect((await call('PUT', 'closed', as(one))).text).toBe(userName)
  expect((await call('PUT', 'closed', as(two))).status).toBe(401)
  expect((await call('POST', 'auth/login', { body: owner })).status).toBe(401)
  expect((await call('POST', 'auth/login', { body: { ...owner, userName } })).status).toBe(200)
})

test.each([
  [{ userName: 'lucia@', currentPassword: owner.password }, '/userName'],
  [{ userName: '', currentPassword: owner.password }, '/userName'],
  [{ userName: `${'a'.repeat(300)}@example.com`, currentPassword: owner.password }, '/userName'],
  [{ userName: 'otra@example.com', currentPassword: '' }, '/currentPassword'],
  [{ userName: 'otra@example.com', currentPassword: 'corta' }, '/currentPassword'],
  [{ userName: 'otra@example.com' }, '/currentPassword'],
])('a user name that cannot be changed so stays: %j', async (body, pointer) => {
  const { call, signIn } = await openCalls()
  const [one, two] = [await signIn(), await signIn()]
  const { status, text } = await call('POST', 'auth/own/name', as(one, body))
  expect([status, problemOf(text).errors?.map((error) => error.pointer)]).toEqual([422, [pointer]])
  expect((await call('PUT', 'closed', as(two))).text).toBe(owner.userName)
})

test.each(['auth/password', 'auth/own/name', 'auth/logout', 'auth/logout/others'])(
  '%s without a session is refused before its body is looked at',
  async (path) => {
    const { call } = await openCalls()
    expect((await call('POST', path, { body: 'no object' })).status).toBe(401)
  },
)

test('the set-up call makes the owner and signs her in; then the calls know no link', async () => {
  const { auth, call } = await openCalls(false)
  const token = await auth.issueLink('setup')
  const check = await call('POST', 'auth/setup/check', { body: { token } })
  expect([check.status, check.text]).toEqual([200, '{"purpose":"setup"}'])
  const answer = await call('POST', 'auth/setup', { body: { ...owner, token, keepSample: true } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const { status, text } = await call('PUT', 'closed', as(tokenOf(answer.text)))
  expect([status, text]).toEqual([200, owner.userName])
  const body = { ...owner, token, keepSample: true }
  expect((await call('POST', 'auth/setup', { body })).status).toBe(404)
  expect((await call('POST', 'auth/setup/check', { body: { token } })).status).toBe(404)
})

test('a reset needs no user name and answers a session', async () => {
  const { auth, call } = await openCalls()
  const token = await auth.issueLink('reset')
  const body = { token, password: 'recordada otra vez, por fin' }
  const { status, text } = await call('POST', 'auth/setup', { body })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ userName: owner.userName })
})

test('the set-up names what is wrong with its fields', async () => {
  const { auth, call } = await openCalls(false)
  const token = await auth.issueLink('setup')
  const body = { ...owner, token, password: 'corta', keepSample: true }
  const weak = await call('POST', 'auth/setup', { body })
  expect(weak.status).toBe(422)
  expect(problemOf(weak.text).errors).toEqual([
    { pointer: '/password', mensaje: setupTexts.tooShort },
  ])
  const odd = { body: { ...owner, token, keepSample: 'no' } }
  expect((await call('POST', 'auth/setup', odd)).status).toBe(422)
  expect((await call('POST', 'auth/setup', { body: owner })).status).toBe(422)
})
