import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, callApi } from '#client/data/api.ts'
import { getSession } from '#client/data/session.ts'
import { logIn } from '#client/session/session-change.ts'
import { ownAnswer, ownRefusal, problemBody } from '#tests/support/answers.ts'
import { ownHeader } from '#contract/api.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Answers the next calls with this response and keeps what was asked. */
function answerWith(body: unknown) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, sent: RequestInit) => {
    asked.push({ url, init: sent })
    return ownAnswer(body)
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

test.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
  'a %s that a server which stands still never answers is given up',
  async (method) => {
    const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController()
      void passed.then(() => limit.abort(new DOMException('', 'TimeoutError')))
      return limit.signal
    })
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      const { promise, reject } = Promise.withResolvers<Response>()
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
    const call = callApi(method, 'bin')
    pass()
    await expect(call).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  },
)

test('an empty answer is an answer', async () => {
  const headers = { [ownHeader]: '1' }
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204, headers }))
  expect(await callApi('POST', 'auth/logout')).toMatchObject({ status: 204, json: undefined })
})

test('a refusal carries the server’s reasons', async () => {
  const errors = [{ pointer: '/name', mensaje: 'x' }]
  const refusal = ownRefusal(
    'datos-no-validos',
    { mensaje: 'Revisa', errors },
    { 'Retry-After': '2' },
  )
  vi.stubGlobal('fetch', async () => refusal)
  expect(await refusalOf(callApi('PUT', 'person/update/1'))).toMatchObject({
    status: 422,
    code: 'datos-no-validos',
    mensaje: 'Revisa',
    errors,
    retryAfterMs: 2000,
  })
})

const page = () => ({ headers: { 'Content-Type': 'text/html' } })
const mark = { [ownHeader]: '1' }

test.each([
  ['a page of 200', () => new Response('<html>', page())],
  ['a bare 200', () => new Response('')],
  ['a bare 204', () => new Response(null, { status: 204 })],
  ['another’s JSON of 200', () => Response.json({ version: 1 })],
  ['a page of 401', () => new Response('<html>', { status: 401, ...page() })],
  ['another’s JSON of 401', () => Response.json({ error: 'Unauthorized' }, { status: 401 })],
  ['a page of 403', () => new Response('<html>', { status: 403, ...page() })],
  ['a bare 404', () => new Response(null, { status: 404 })],
  ['a page of 502', () => new Response('<html>', { status: 502, ...page() })],
  ['a page of 200 under our header', () => new Response('<html>', { headers: mark })],
  ['a page of 403 under our header', () => new Response('<html>', { status: 403, headers: mark })],
  [
    'a body of ours with another status',
    () => ownAnswer(problemBody('prohibido'), { status: 401 }),
  ],
  [
    'broken JSON',
    () => new Response('{', { headers: { ...mark, 'Content-Type': 'application/json' } }),
  ],
])('%s is no answer, and no reason to sign in', async (_, answer) => {
  vi.stubGlobal('sessionStorage', memoryStorage())
  logIn({ token: 'abc', userName: 'a', authorities: [] })
  vi.stubGlobal('fetch', async () => answer())
  const call = callApi('PUT', 'person/update/1', { token: 'abc' })
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ApiError)
  expect(getSession().isExpired).toBe(false)
})

test('no call is sent elsewhere', async () => {
  const asked = answerWith({})
  await callApi('GET', 'person', { token: 'abc' })
  expect(asked[0]?.init.redirect).toBe('error')
})

test('no answer is not a refusal', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(callApi('GET', 'person')).rejects.toThrow(TypeError)
})

test('only a refused token asks for a new sign-in', async () => {
  vi.stubGlobal('sessionStorage', memoryStorage())
  logIn({ token: 'abc', userName: 'a', authorities: [] })
  vi.stubGlobal('fetch', async () => ownRefusal('sesion-requerida'))
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
