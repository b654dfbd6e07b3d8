import { afterEach, expect, test, vi } from 'vitest'
import { webStorage } from '#tests/support/page-storage.ts'

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
