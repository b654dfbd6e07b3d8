import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, callApi } from '#client/data/api.ts'
import { getSession, logIn } from '#client/data/session.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers the next calls with this response and keeps what was asked. */
function answerWith(body: unknown, init: ResponseInit = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, sent: RequestInit) => {
    asked.push({ url, init: sent })
    return Response.json(body, init)
  })
  return asked
}

async function refusalOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('the call was not refused')
  return error
}

test('word and token are joined in the authorization header', async () => {
  const asked = answerWith({})
  await callApi('GET', 'person', { token: 'abc' })
  expect(asked[0]?.url).toBe('/api/person')
  expect(asked[0]?.init.headers).toEqual({ Authorization: 'Bearerabc' })
})

test('without a token there is no authorization header', async () => {
  const asked = answerWith({})
  await callApi('POST', 'auth/login', { body: { userName: 'a' } })
  expect(asked[0]?.init.headers).toEqual({ 'Content-Type': 'application/json' })
  expect(asked[0]?.init.body).toBe('{"userName":"a"}')
})

test('an empty answer is an answer', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
  expect(await callApi('POST', 'auth/logout')).toMatchObject({ status: 204, json: undefined })
})

test('a refusal carries the server’s reasons', async () => {
  answerWith(
    { code: 'datos-no-validos', mensaje: 'Revisa', errors: [{ pointer: '/name', mensaje: 'x' }] },
    { status: 422, headers: { 'Retry-After': '2' } },
  )
  expect(await refusalOf(callApi('PUT', 'person/update/1'))).toMatchObject({
    status: 422,
    code: 'datos-no-validos',
    mensaje: 'Revisa',
    errors: [{ pointer: '/name', mensaje: 'x' }],
    retryAfterMs: 2000,
  })
})

test('a refusal without a readable body is still a refusal', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
  const { status, mensaje, errors, retryAfterMs } = await refusalOf(callApi('GET', 'person'))
  expect({ status, mensaje, errors, retryAfterMs }).toEqual({
    status: 502,
    mensaje: undefined,
    errors: [],
    retryAfterMs: undefined,
  })
})

test('no answer is not a refusal', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(callApi('GET', 'person')).rejects.toThrow(TypeError)
})

test('only a refused token asks for a new sign-in', async () => {
  vi.stubGlobal('sessionStorage', memoryStorage())
  logIn({ token: 'abc', userName: 'a', authorities: [] })
  answerWith({}, { status: 401 })
  await refusalOf(callApi('POST', 'auth/login', { body: {} }))
  expect(getSession().isExpired).toBe(false)
  await refusalOf(callApi('PUT', 'person/update/1', { token: 'abc' }))
  expect(getSession().isExpired).toBe(true)
})

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    clear: () => items.clear(),
  }
}
