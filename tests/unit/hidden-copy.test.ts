import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/*
 * What the device keeps of the hidden entries goes with the session, whatever is on its way then. Each test is a page of its
 * own: after LogOut one keeps nothing more.
 */

const entry = { id: '1', version: 1, name: 'Secreto', hidden: 'true' }
const sent = [{ section: project.key, behind: [], entry }]
const authorities = [{ authority: 'ROLE_ADMIN' }]

async function newPage() {
  vi.resetModules()
  const session = await import('#client/session/session-change.ts')
  session.logIn({ token: 'x'.repeat(43), userName: 'a@correo.net', authorities, account: 'a' })
  const copy = await import('#client/session/hidden-copy.ts')
  const { hiddenQuery } = await import('#client/owner/editor/hidden-query.ts')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return { ...session, ...copy, read: () => client.query(hiddenQuery) }
}

function answer(body: unknown, status = 200): Response {
  const type = status === 200 ? 'application/json' : 'application/problem+json'
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': type, 'X-Tintero': '1' },
  })
}

beforeEach(() => {
  keepingDevice()
})
afterEach(() => vi.unstubAllGlobals())

test.each(['LogOut', 'a LogOut in another tab'])(
  'an answer that was on its way at %s is not kept',
  async (how) => {
    const page = await newPage()
    await page.keepHidden(sent)
    const gate = Promise.withResolvers<Response>()
    const asked = vi.fn<() => Promise<Response>>(() => gate.promise)
    vi.stubGlobal('fetch', asked)
    const reading = page.read()
    await expect.poll(() => asked.mock.calls.length).toBe(1)
    if (how === 'LogOut') await page.dropHidden()
    else {
      await page.forgetHidden()
      page.forgetSession()
    }
    gate.resolve(answer(sent))
    await reading
    await page.keepHidden(sent)
    page.logIn({ token: 'y'.repeat(43), userName: 'a@correo.net', authorities, account: 'a' })
    expect(await page.readHidden()).toBeUndefined()
  },
)

test('what waits for the tabs’ lock at LogOut is not kept', async () => {
  const granted = Promise.withResolvers<void>()
  const asked = vi.fn<(...request: readonly unknown[]) => Promise<unknown>>()
  asked.mockImplementation(async (_name, _options, hold) => {
    await granted.promise
    return (hold as () => Promise<unknown>)()
  })
  vi.stubGlobal('navigator', { onLine: true, locks: { request: asked } })
  const page = await newPage()
  const keeping = page.keepHidden(sent)
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  await page.dropHidden()
  granted.resolve()
  await keeping
  expect(await page.readHidden()).toBeUndefined()
})

test('what another account left goes with LogOut, too', async () => {
  const page = await newPage()
  await page.keepHidden(sent)
  page.logIn({ token: 'y'.repeat(43), userName: 'b@correo.net', authorities, account: 'b' })
  expect(await page.readHidden()).toBeUndefined()
  await page.dropHidden()
  page.logIn({ token: 'x'.repeat(43), userName: 'a@correo.net', authorities, account: 'a' })
  expect(await page.readHidden()).toBeUndefined()
})

test('nothing is kept where no lock could tell when it has to go', async () => {
  const page = await newPage()
  await page.keepHidden(sent)
  expect(await page.readHidden()).toEqual(sent)
  vi.stubGlobal('navigator', { onLine: true })
  await page.keepHidden(sent)
  expect(await page.readHidden()).toBeUndefined()
})

test('it goes when the server says that the session has ended', async () => {
  const page = await newPage()
  await page.keepHidden(sent)
  vi.stubGlobal('fetch', async () =>
    answer({ status: 401, code: 'sesion-requerida', mensaje: 'Inicia sesión.' }, 401),
  )
  await expect(page.read()).rejects.toThrow('Inicia')
  await expect.poll(() => page.readHidden()).toBeUndefined()
})

test('the device knows that it keeps some as long as it does', async () => {
  const page = await newPage()
  expect(page.keepsHidden()).toBe(false)
  await page.keepHidden(sent)
  expect(page.keepsHidden()).toBe(true)
  await page.dropHidden()
  expect(page.keepsHidden()).toBe(false)
})
