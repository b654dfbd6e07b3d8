import { afterEach, expect, test, vi } from 'vitest'
import { accessCalls } from '#contract/access/access.ts'
import { ownHeader } from '#contract/api.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { keepingDevice, webStorage } from '#tests/support/page-storage.ts'

const session = { token: 'x'.repeat(43), userName: 'ana', authorities: [], account: 'account-1' }
const overdue = () => ownRefusal('sesion-requerida', {}, { 'Retry-After': '3600' })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a page that has yet to renew its session is a visitor’s once another tab was refused', async () => {
  const memory = webStorage({ 'tintero-kept': 'account-1 ana' })
  vi.stubGlobal('localStorage', memory)
  vi.stubGlobal('sessionStorage', webStorage({}))
  vi.stubGlobal('navigator', { onLine: true })
  vi.resetModules()
  const { getSession, isSomebody } = await import('#client/data/session.ts')
  const { renewed } = await import('#client/session/renewal.ts')
  expect(isSomebody(getSession())).toBe(true)
  memory.removeItem('tintero-kept')
  expect(await renewed()).toBe(false)
  expect(isSomebody(getSession())).toBe(false)
})

test.each([
  ['on the next page', 'tintero-kept'],
  ['in a tab that asks for something', 'authToken'],
])(
  'a session that was ended elsewhere takes its notifications off this device: %s',
  async (_, known) => {
    const left = new Set(['message-1', 'unknown'])
    const getNotifications = async () =>
      [...left].map((tag) => ({ tag, close: () => left.delete(tag) }))
    const setAppBadge = vi.fn<(count: number) => Promise<void>>(async () => undefined)
    const isKept = known === 'tintero-kept'
    keepingDevice()
    vi.stubGlobal('localStorage', webStorage(isKept ? { [known]: 'account-1 ana' } : {}))
    vi.stubGlobal('sessionStorage', webStorage(isKept ? {} : { [known]: 'x'.repeat(43) }))
    vi.stubGlobal('Notification', { permission: 'granted' })
    vi.stubGlobal('navigator', {
      onLine: true,
      setAppBadge,
      serviceWorker: { getRegistration: async () => ({ getNotifications }) },
    })
    vi.stubGlobal('fetch', async () => ownRefusal('sesion-requerida'))
    vi.resetModules()
    const { catchUp, refused } = await import('#client/session/renewal.ts')
    await (isKept ? catchUp() : refused())
    await expect.poll(() => left.size).toBe(0)
    expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(0)
  },
)

test('what only the server’s clock speaks against opens nothing, and is asked for on the next page', async () => {
  const local = { 'tintero-kept': 'account-1 ana' }
  keepingDevice(local)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async () => overdue())
  vi.resetModules()
  const { catchUp } = await import('#client/session/renewal.ts')
  await catchUp()
  const { getSession, isSomebody, isKept } = await import('#client/data/session.ts')
  expect(isSomebody(getSession())).toBe(false)
  expect(isKept()).toBe(true)
  vi.resetModules()
  vi.stubGlobal('fetch', async () => ownAnswer(session))
  await (await import('#client/session/renewal.ts')).catchUp()
  const next = await import('#client/data/session.ts')
  expect(next.getSession().token).toBe(session.token)
})

test.each([
  ['at once', true],
  ['from the next page, where it did not hear', false],
])(
  'where she signs in without keeping it, the server ends what it calls over: %s',
  async (_, hears) => {
    keepingDevice({ 'tintero-kept': 'account-1 ana' })
    vi.stubGlobal('navigator', { onLine: true })
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.stubGlobal('fetch', async () => overdue())
    vi.resetModules()
    const { catchUp } = await import('#client/session/renewal.ts')
    await catchUp()
    const ends: RequestInit[] = []
    const answers = (isHeard: boolean) => async (url: string, init: RequestInit) => {
      if (url !== `/api/${accessCalls.endLeft}`) return ownAnswer(session)
      // Its mark goes after it was noted, and before the call, which carries the cookie by that.
      expect([localStorage.getItem('tintero-left'), isKept()]).toEqual(['1', false])
      ends.push(init)
      if (!isHeard) throw new TypeError('Failed to fetch')
      return new Response(null, { status: 204, headers: { [ownHeader]: '1' } })
    }
    vi.stubGlobal('fetch', answers(hears))
    const { signIn } = await import('#client/login/credentials.ts')
    const { isKept } = await import('#client/data/session.ts')
    expect(await signIn({ userName: 'ana', password: 'a', isKept: false })).toEqual({ state: 'in' })
    expect(isKept()).toBe(false)
    await expect.poll(() => ends.length).toBe(1)
    if (!hears) {
      vi.resetModules()
      vi.stubGlobal('fetch', answers(true))
      await (await import('#client/session/renewal.ts')).catchUp()
    }
    expect(ends).toHaveLength(hears ? 1 : 2)
    expect(ends.map(({ credentials }) => credentials)).not.toContain('omit')
    await expect.poll(() => localStorage.getItem('tintero-left')).not.toBe('1')
  },
)

test('what the server calls over is asked for again only after the time it gave, and asks her once', async () => {
  keepingDevice({ 'tintero-kept': 'account-1 ana' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
  let answer: () => Response = () => ownRefusal('no-disponible')
  let asked = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url !== `/api/${accessCalls.kept}`) return ownRefusal('sesion-requerida')
    asked++
    return answer()
  })
  vi.resetModules()
  const { renewed } = await import('#client/session/renewal.ts')
  const { callInBackground } = await import('#client/session/background-call.ts')
  const { callAsOwner } = await import('#client/session/owner-call.ts')
  const { postponeLogin } = await import('#client/session/session-change.ts')
  const { getSession } = await import('#client/data/session.ts')
  const poll = () => callInBackground('GET', 'messages/unread').catch(() => undefined)
  // A refusal at the start would make it a visitor's page.
  await renewed()
  answer = overdue
  await poll()
  expect([asked, getSession().isExpired]).toEqual([2, true])
  postponeLogin()
  await poll()
  await renewed()
  expect([asked, getSession().isExpired]).toEqual([2, false])
  // What she does herself asks her, without asking the server for what it has just refused.
  const done = callAsOwner('GET', 'messages').catch(() => 'refused')
  await expect.poll(() => getSession().isExpired).toBe(true)
  postponeLogin()
  expect([await done, asked]).toEqual(['refused', 2])
  clock.mockReturnValue(1000 + 3_600_000)
  await poll()
  expect([asked, getSession().isExpired]).toEqual([3, false])
  clock.mockReturnValue(1000 + 7_200_000)
  answer = () => ownAnswer(session)
  expect(await renewed()).toBe(true)
})

test.each([
  ['by its clock', { 'tintero-kept': 'account-1 ana' }, overdue],
  ['for good', {}, () => ownRefusal('sesion-requerida')],
])(
  'a sign-in that she put off is not asked for by coming back to the page, until something becomes of it: refused %s',
  async (_, kept, refuse) => {
    keepingDevice(kept)
    sessionStorage.setItem('authToken', session.token)
    vi.stubGlobal('navigator', { onLine: true })
    let answer: () => Response = refuse
    const calls: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      calls.push(url)
      return answer()
    })
    vi.resetModules()
    const { QueryClient, QueryObserver, focusManager } = await import('@tanstack/react-query')
    const { ownAccessQuery } = await import('#client/owner/settings/own-access.ts')
    const { logIn, postponeLogin } = await import('#client/session/session-change.ts')
    const { getSession } = await import('#client/data/session.ts')
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    queries.mount()
    let looks = 0
    const comeBack = async () => {
      const before = looks
      focusManager.setFocused(false)
      focusManager.setFocused(true)
      await expect.poll(() => looks).toBe(before + 1)
    }
    const observer = new QueryObserver(queries, ownAccessQuery)
    observer.subscribe(() => undefined)
    const look = {
      queryKey: ['look'],
      queryFn: () => ++looks,
      refetchOnWindowFocus: 'always',
    } as const
    new QueryObserver(queries, look).subscribe(() => undefined)
    await expect.poll(() => getSession().isExpired).toBe(true)
    postponeLogin()
    await expect.poll(() => observer.getCurrentResult().status).toBe('error')
    const asked = calls.length
    await comeBack()
    expect([observer.getCurrentResult().isFetching, calls.length]).toEqual([false, asked])
    // She asks for it herself.
    void observer.refetch()
    await expect.poll(() => getSession().isExpired).toBe(true)
    postponeLogin()
    await expect.poll(() => observer.getCurrentResult().isFetching).toBe(false)
    answer = () => ownAnswer({ userName: 'ana' })
    logIn({ ...session, token: 'y'.repeat(43) })
    await comeBack()
    await expect.poll(() => observer.getCurrentResult().status).toBe('success')
    queries.clear()
    queries.unmount()
    focusManager.setFocused(undefined)
  },
)
