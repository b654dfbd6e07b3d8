import { afterEach, expect, test, vi } from 'vitest'
import { ownRefusal } from '#tests/support/answers.ts'
import { keepingDevice, webStorage } from '#tests/support/page-storage.ts'

afterEach(() => {
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
