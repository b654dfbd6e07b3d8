import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/* What the sign-in offers beside the password is offered only where it would work. */

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://lucia.example/login'))
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { cookieEnabled: true })
  vi.stubGlobal('PublicKeyCredential', vi.fn())
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** What this browser is offered by pages that were built as the test says. */
async function offered(): Promise<readonly [keeping: boolean, passkeys: boolean]> {
  const { canKeep } = await import('#client/login/kept-session.ts')
  const { hasPasskeys } = await import('#client/login/passkey.ts')
  return [canKeep(), hasPasskeys()]
}

test('a browser that has both, on the site itself, is offered both', async () => {
  expect(await offered()).toEqual([true, true])
})

test.each([
  ['below the same address', '/otra/api/', true],
  ['spelled out at the same address', 'https://lucia.example/api/', true],
  ['at another name', 'https://api.lucia.example/', false],
  ['at another port', 'https://lucia.example:8443/api/', false],
  ['over another protocol', 'http://lucia.example/api/', false],
] as const)('where the calls are %s both are offered or neither', async (_, base, isOffered) => {
  vi.stubEnv('VITE_API_BASE', base)
  expect(await offered()).toEqual([isOffered, isOffered])
})

test('nothing is kept over a line that others can read', async () => {
  vi.stubGlobal('isSecureContext', false)
  expect((await offered())[0]).toBe(false)
})

test('nothing is kept by a browser that takes no cookies', async () => {
  vi.stubGlobal('navigator', { cookieEnabled: false })
  expect((await offered())[0]).toBe(false)
})

test('a browser without passkeys is not asked for one, and keeps sessions all the same', async () => {
  // A stub of undefined would still be there.
  vi.unstubAllGlobals()
  vi.stubGlobal('location', new URL('https://lucia.example/login'))
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { cookieEnabled: true })
  expect(await offered()).toEqual([true, false])
})
