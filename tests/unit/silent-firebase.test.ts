import { afterEach, expect, test, vi } from 'vitest'
import { webStorage } from '#tests/support/page-storage.ts'

afterEach(() => {
  for (const name of ['app', 'messaging', 'installations', 'remote-config']) {
    vi.doUnmock(`firebase/${name}`)
  }
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A build with a project at Firebase, in a browser that has a push address. */
function openDevice(): void {
  vi.stubEnv('VITE_FIREBASE_OPTIONS', '{}')
  vi.doMock('firebase/app', () => ({ initializeApp: () => ({}) }))
  vi.stubGlobal('localStorage', webStorage({}))
  const options = { applicationServerKey: new Uint8Array([1]).buffer }
  const subscription = { endpoint: 'https://push.test/1', options }
  const registration = { pushManager: { getSubscription: async () => subscription } }
  const serviceWorker = { getRegistration: async () => registration, ready: registration }
  vi.stubGlobal('navigator', { serviceWorker, userAgent: '' })
  vi.resetModules()
}

test('a device that Firebase leaves without an answer is told so, and waits no longer', async () => {
  vi.useFakeTimers()
  openDevice()
  vi.doMock('firebase/messaging', () => ({
    getMessaging: () => ({}),
    onRegistered: () => () => undefined,
    onUnregistered: () => () => undefined,
    register: () => new Promise(() => {}),
    unregister: async () => true,
  }))
  const { registerDevice } = await import('#client/owner/firebase/push.ts')
  const why = registerDevice('AQ').then(
    () => 'registered',
    (cause: unknown) => (cause as { readonly why: string }).why,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.race([why, Promise.resolve('still waiting')])).toBe('silent')
})

test('parameters of Firebase that cannot be taken over are logged', async () => {
  openDevice()
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined)
  let tell = () => {}
  vi.doMock('firebase/remote-config', () => ({
    getRemoteConfig: () => ({ settings: {} }),
    ensureInitialized: async () => undefined,
    fetchAndActivate: async () => true,
    activate: async () => Promise.reject(new Error('closed')),
    getAll: () => ({}),
    onConfigUpdate: (_: unknown, { next }: { readonly next: () => void }) => (tell = next),
  }))
  const { followRemoteConfig } = await import('#client/browser/firebase/remote-config.ts')
  await followRemoteConfig(0, () => undefined)
  tell()
  await vi.waitFor(() => expect(logged).toHaveBeenCalled())
})
