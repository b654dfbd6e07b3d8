import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accessCalls } from '#contract/access/access.ts'
import { serverWaitMs } from '#contract/offline/offline.ts'
import { ownRefusal } from '#tests/support/answers.ts'
import { ownHeader } from '#contract/api.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/* Keeping a session and telling of ended ones take turns, and neither holds the other up for long. */

const calls: string[] = []
/** Those of two tabs of one browser. */
const navigatorLocks = navigator.locks
/** What the server says to each call; a promise that stays open is a server that hangs. */
let answer: (path: string) => Response | Promise<Response> = () => done()

const done = () => new Response(null, { status: 204, headers: { [ownHeader]: '1' } })
const expired = () => ownRefusal('sesion-requerida')

beforeEach(() => {
  calls.length = 0
  answer = done
  keepingDevice()
  sessionStorage.setItem('authToken', 'token')
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', new URL('https://lucia.example/login'))
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.replace('/api/', '')
    calls.push(path)
    return answer(path)
  })
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function openPage() {
  const { keepNoLonger, keepSession } = await import('#client/login/kept-session.ts')
  const { isKept, getSession } = await import('#client/data/session.ts')
  const { endLeft, noteLeft } = await import('#client/session/left-sessions.ts')
  const { logIn } = await import('#client/session/session-change.ts')
  return { keepNoLonger, keepSession, isKept, getSession, endLeft, noteLeft, logIn }
}

test('ends are told while keeping waits for a new sign-in, and then it is kept', async () => {
  const page = await openPage()
  answer = (path) => (path === accessCalls.keep ? expired() : done())
  const kept = page.keepSession()
  await expect.poll(() => page.getSession().isExpired).toBe(true)
  await page.endLeft()
  expect(calls).toEqual([accessCalls.keep, accessCalls.endLeft])
  answer = done
  page.logIn({ token: 'next', userName: 'Lucía', authorities: [{ authority: 'ROLE_ADMIN' }] })
  await kept
  expect(calls.at(-1)).toBe(accessCalls.keep)
  expect(page.isKept()).toBe(true)
})

test('keeping is given up, and not done later, when the server does not answer of an end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const page = await openPage()
  const ending = Promise.withResolvers<Response>()
  answer = (path) => (path === accessCalls.endLeft ? ending.promise : done())
  const end = page.endLeft()
  const kept = page.keepSession().then(
    () => 'kept',
    () => 'not kept',
  )
  await vi.advanceTimersByTimeAsync(serverWaitMs)
  expect(await kept).toBe('not kept')
  ending.resolve(done())
  await end
  // What comes next in the turn comes after whatever waited for it.
  await page.endLeft()
  expect(calls).toEqual([accessCalls.endLeft, accessCalls.endLeft])
  expect(page.isKept()).toBe(false)
})

test('a tab that keeps the session no longer waits for another that is just keeping it', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: navigatorLocks })
  const page = await openPage()
  vi.resetModules()
  const other = await openPage()
  const keeping = Promise.withResolvers<Response>()
  answer = (path) => (path === accessCalls.keep ? keeping.promise : done())
  const kept = page.keepSession()
  await expect.poll(() => calls).toEqual([accessCalls.keep])
  const stopped = other.keepNoLonger()
  const waiting = async () => (await navigatorLocks.query()).pending?.length
  await expect.poll(waiting).toBe(1)
  keeping.resolve(done())
  await Promise.all([kept, stopped])
  expect(calls).toEqual([accessCalls.keep, accessCalls.keepNoLonger])
  expect(page.isKept()).toBe(false)
})
