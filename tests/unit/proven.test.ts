import { afterEach, expect, test, vi } from 'vitest'
import { serverWaitMs } from '#contract/offline/offline.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a server that is silent about a kept session holds her work up no longer than about another one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  keepingDevice({ 'tintero-kept': 'account-1 ana' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  vi.resetModules()
  const { isProven } = await import('#client/session/proven.ts')
  const heard = vi.fn<(isShown: boolean) => void>()
  void isProven().then(heard)
  await vi.advanceTimersByTimeAsync(serverWaitMs - 1)
  expect(heard).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(heard).toHaveBeenCalledWith(true)
})

test('a renewal that fails at once is not tried again, for longer, before her work is shown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  keepingDevice({ 'tintero-kept': 'account-1 ana' })
  vi.stubGlobal('navigator', { onLine: true })
  const asked = vi.fn<() => Promise<Response>>(() => new Promise(() => undefined))
  asked.mockRejectedValueOnce(new TypeError('no network'))
  vi.stubGlobal('fetch', asked)
  vi.resetModules()
  const { isProven } = await import('#client/session/proven.ts')
  const heard = vi.fn<(isShown: boolean) => void>()
  void isProven().then(heard)
  await vi.advanceTimersByTimeAsync(serverWaitMs)
  expect(heard).toHaveBeenCalledWith(true)
})
