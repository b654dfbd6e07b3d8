import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { webStorage } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.doUnmock('firebase/messaging')
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A device that rings, built for Firebase or not, and that has no connection from now on. */
async function ringingDevice(firebase: boolean) {
  vi.useFakeTimers()
  vi.stubEnv('VITE_FIREBASE_PUSH', firebase ? 'BKey' : '')
  // Its code never comes.
  vi.doMock('firebase/messaging', () => new Promise(() => {}))
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method, signal }: RequestInit) => {
    calls.push(`${method} ${url}`)
    signal?.throwIfAborted()
    return new Promise(() => {})
  })
  vi.stubGlobal('localStorage', webStorage({ 'tintero-push-device': 'device-1' }))
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  const unsubscribe = vi.fn<() => Promise<boolean>>(async () => calls.push('unsubscribe') > 0)
  const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } }
  const serviceWorker = { getRegistration: async () => registration, ready: registration }
  vi.stubGlobal('navigator', { serviceWorker, userAgent: '' })
  // Its own copy of the module, since the build decides in it.
  vi.resetModules()
  const notifications = await import('#client/owner/notifications/notifications.ts')
  return { notifications, calls }
}

const silent = ['unsubscribe', 'DELETE /api/devices/device-1']

test.each([[true], [false]])(
  'a device is silent first, then the server hears of it: with Firebase %j',
  async (firebase) => {
    const { notifications, calls } = await ringingDevice(firebase)
    const silenced = notifications.unsubscribeDevice()
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toEqual(silent)
    expect(notifications.ownDeviceId()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2_000)
    await silenced
  },
)

test('who does not answer holds up no switch', async () => {
  const { notifications } = await ringingDevice(true)
  // Timers that a test turns do not turn this one.
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  const told = notifications.turnOff(new QueryClient())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await told).toBe(false)
  expect(timeout).toHaveBeenCalledWith(10_000)
  expect(logged).toHaveBeenCalledTimes(1)
})
