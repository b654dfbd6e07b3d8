import { setImmediate } from 'node:timers/promises'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'
import { webStorage } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

interface Server {
  /** What it answers to this device's address. */
  readonly onAddress: () => Response | Promise<Response>
  /** What it waits for before it tells the key that addresses are made for. */
  readonly beforeKey?: () => Promise<void>
}

/** A device that rings as far as its browser knows. */
async function ringingDevice({ onAddress, beforeKey = async () => undefined }: Server) {
  vi.stubEnv('VITE_FIREBASE_PUSH', '')
  const asked: (readonly [call: string, heal: unknown])[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const sent = typeof body === 'string' ? (JSON.parse(body) as { readonly heal?: unknown }) : {}
    asked.push([`${method} ${url}`, sent.heal])
    if (url.endsWith('/push')) return beforeKey().then(() => ownAnswer({ publicKey: 'AQ' }))
    return method === 'POST' ? onAddress() : ownAnswer({})
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
    pushManager: {
      getSubscription: async (): Promise<typeof subscription | null> => subscription,
      subscribe: async () => {
        registration.pushManager.getSubscription = async () => subscription
        return subscription
      },
    },
  }
  const serviceWorker = { getRegistration: async () => registration, ready: registration }
  vi.stubGlobal('navigator', { serviceWorker, userAgent: '' })
  const isSubscribed = async () => (await registration.pushManager.getSubscription()) !== null
  return { ...(await openTab()), asked, isSubscribed, unsubscribe, client: new QueryClient() }
}

/** The module as another tab has it; the build decides in it, too. */
async function openTab() {
  vi.resetModules()
  return import('#client/owner/notifications/notifications.ts')
}

const taken = (id: string) => ownAnswer({ id }, { status: 201 })
const removed = () => ownRefusal('dispositivo-quitado')

test('a device that was removed on another one falls silent at the next start', async () => {
  const device = await ringingDevice({ onAddress: removed })
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
  const device = await ringingDevice({ onAddress: () => taken('device-2') })
  await device.healNotifications(device.client)
  expect(device.unsubscribe).not.toHaveBeenCalled()
  expect(device.ownDeviceId()).toBe('device-2')
})

test('the switch makes a removed device ring again', async () => {
  const device = await ringingDevice({ onAddress: () => taken('device-3') })
  await device.turnOn(device.client)
  expect(device.asked).toContainEqual(['POST /api/devices', undefined])
  expect(device.ownDeviceId()).toBe('device-3')
})

/** The ways in which she silences the device, in the tab that looks after it or in another one. */
const silencings = [
  ['switched off', 'turnOff'],
  ['signed out of', 'unsubscribeDevice'],
] as const

for (const [what, how] of silencings) {
  for (const where of ['the same tab', 'another tab'] as const) {
    test(`a device that is ${what} in ${where} while its address is on the way stays silent`, async () => {
      const { promise: answered, resolve } = Promise.withResolvers<Response>()
      const device = await ringingDevice({ onAddress: () => answered })
      const healed = device.healNotifications(device.client)
      await vi.waitFor(() => expect(device.asked).toContainEqual(['POST /api/devices', true]))
      const tab = where === 'the same tab' ? device : await openTab()
      await tab[how](device.client)
      resolve(taken('device-2'))
      await healed
      expect(device.ownDeviceId()).toBeUndefined()
      expect(await device.isSubscribed()).toBe(false)
      expect(device.asked).toContainEqual(['DELETE /api/devices/device-2', undefined])
    })

    test(`a device that is ${what} in ${where} before it has an address gets none`, async () => {
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      const device = await ringingDevice({
        onAddress: () => taken('device-2'),
        beforeKey: () => asked,
      })
      const healed = device.healNotifications(device.client)
      await vi.waitFor(() => expect(device.asked).toContainEqual(['GET /api/push', undefined]))
      const tab = where === 'the same tab' ? device : await openTab()
      await tab[how](device.client)
      resolve()
      await healed
      expect(device.ownDeviceId()).toBeUndefined()
      expect(await device.isSubscribed()).toBe(false)
      expect(device.asked).not.toContainEqual(['POST /api/devices', true])
    })
  }
}

test('a device that she turns on while the server says that it was removed rings', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<Response>()
  const answers = [answered, taken('device-3')]
  const device = await ringingDevice({ onAddress: () => answers.shift() ?? removed() })
  const healed = device.healNotifications(device.client)
  await vi.waitFor(() => expect(device.asked).toContainEqual(['POST /api/devices', true]))
  const turnedOn = device.turnOn(device.client)
  // As far as the switch gets before the other answer.
  await setImmediate()
  resolve(removed())
  await Promise.all([healed, turnedOn])
  expect(device.ownDeviceId()).toBe('device-3')
  expect(await device.isSubscribed()).toBe(true)
})

test('a device that she switches off and on again while its address is on the way rings', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<Response>()
  const answers = [answered, taken('device-3')]
  const device = await ringingDevice({ onAddress: () => answers.shift() ?? removed() })
  const healed = device.healNotifications(device.client)
  await vi.waitFor(() => expect(device.asked).toContainEqual(['POST /api/devices', true]))
  await device.turnOff(device.client)
  const turnedOn = device.turnOn(device.client)
  resolve(taken('device-2'))
  await Promise.all([healed, turnedOn])
  expect(device.ownDeviceId()).toBe('device-3')
  expect(await device.isSubscribed()).toBe(true)
})
