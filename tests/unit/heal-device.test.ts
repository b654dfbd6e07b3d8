import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { webStorage } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** A device that rings as far as its browser knows; the server answers its address with this. */
async function ringingDevice(answer: () => Response) {
  vi.stubEnv('VITE_FIREBASE_PUSH', '')
  const asked: (readonly [call: string, heal: unknown])[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const sent = typeof body === 'string' ? (JSON.parse(body) as { readonly heal?: unknown }) : {}
    asked.push([`${method} ${url}`, sent.heal])
    if (url.endsWith('/push')) return ownAnswer({ publicKey: 'AQ' })
    return method === 'POST' ? answer() : ownAnswer({})
  })
  vi.stubGlobal('localStorage', webStorage({ 'tintero-push-device': 'device-1' }))
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('PushManager', vi.fn())
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  const unsubscribe = vi.fn<() => Promise<boolean>>(async () => {
    registration.pushManager.getSubscription = async () => null
    return true
  })
  const subscription = {
    options: { applicationServerKey: new Uint8Array([1]).buffer },
    toJSON: () => ({ endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe,
  }
  const registration = {
    pushManager: { getSubscription: async (): Promise<typeof subscription | null> => subscription },
  }
  const serviceWorker = { getRegistration: async () => registration, ready: registration }
  vi.stubGlobal('navigator', { serviceWorker, userAgent: '' })
  // Its own copy of the module, since the build decides in it.
  vi.resetModules()
  const notifications = await import('#client/owner/notifications/notifications.ts')
  return { ...notifications, asked, unsubscribe, client: new QueryClient() }
}

const removed = () => ownRefusal('dispositivo-quitado')

test('a device that was removed on another one falls silent at the next start', async () => {
  const device = await ringingDevice(removed)
  device.client.setQueryData(device.pushStateQuery.queryKey, 'on')
  await device.healNotifications(device.client)
  expect(device.asked).toContainEqual(['POST /api/devices', true])
  expect(device.unsubscribe).toHaveBeenCalledOnce()
  expect(device.ownDeviceId()).toBeUndefined()
  expect(device.asked.map(([call]) => call)).not.toContain('DELETE /api/devices/device-1')
  const { client, pushStateQuery } = device
  expect(client.getQueryState(pushStateQuery.queryKey)?.isInvalidated).toBe(true)
})

test('a device that the server has merely lost rings on', async () => {
  const device = await ringingDevice(() => ownAnswer({ id: 'device-2' }, { status: 201 }))
  await device.healNotifications(device.client)
  expect(device.unsubscribe).not.toHaveBeenCalled()
  expect(device.ownDeviceId()).toBe('device-2')
})

test('the switch makes a removed device ring again', async () => {
  const device = await ringingDevice(() => ownAnswer({ id: 'device-3' }, { status: 201 }))
  await device.turnOn(device.client)
  expect(device.asked).toContainEqual(['POST /api/devices', undefined])
  expect(device.ownDeviceId()).toBe('device-3')
})
