import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/*
 * What the device keeps of the hidden entries goes with the session, whatever is on its way then. Each test is a page of its
 * own: after LogOut one keeps nothing more.
 */

/** A hidden project as the server tells of it. */
const rowOf = (id: string, name: string, version = 1) => ({ id, version, name, hidden: 'true' })
const allOf = (...rows: readonly ReturnType<typeof rowOf>[]) =>
  rows.map((entry, index) => {
    const before = rows[index - 1]
    return { section: project.key, behind: ['antes', ...(before ? [before.id] : [])], entry }
  })
const sent = allOf(rowOf('1', 'Secreto'))
const authorities = [{ authority: 'ROLE_ADMIN' }]

async function newPage() {
  vi.resetModules()
  const session = await import('#client/session/session-change.ts')
  session.logIn({ token: 'x'.repeat(43), userName: 'a@correo.net', authorities, account: 'a' })
  const copy = await import('#client/session/hidden-copy.ts')
  const { hiddenQuery, keepChanges } = await import('#client/owner/editor/hidden-query.ts')
  const { showApplied } = await import('#client/outbox/show-applied.ts')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(keepChanges(client))
  const { queryFn, queryKey } = hiddenQuery
  return {
    ...session,
    ...copy,
    client,
    read: () => client.query(hiddenQuery),
    readUntil: (signal: AbortSignal) =>
      typeof queryFn === 'function' && queryFn({ client, queryKey, signal, meta: undefined }),
    /** The server has made a project's entry what it is now. */
    apply: (id: string, row: ReturnType<typeof rowOf>) => {
      const subject = { on: 'entry', section: project.key, id } as const
      const times = { madeAt: '2026-01-01T00:00:00.000Z', tries: 0 }
      return showApplied(
        client,
        { id: 'op', subject, verb: 'update', values: {}, label: '', ...times },
        row,
      )
    },
  }
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

test.each(['LogOut', 'a refusal'])(
  'what waits for the tabs’ lock at %s is not kept',
  async (how) => {
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
    await (how === 'LogOut' ? page.dropHidden() : page.forgetHidden())
    granted.resolve()
    await keeping
    expect(await page.readHidden()).toBeUndefined()
  },
)

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

test('it follows a change that the server has made', async () => {
  const page = await newPage()
  vi.stubGlobal('fetch', async () => answer(allOf(rowOf('1', 'Uno'), rowOf('2', 'Dos'))))
  await page.read()
  await page.apply('1', rowOf('1', 'Primero', 2))
  await expect
    .poll(() => page.readHidden())
    .toMatchObject(
      // Without the list between which they stand their places are as they were.
      allOf(rowOf('1', 'Primero', 2), rowOf('2', 'Dos')),
    )
  await page.apply('2', { ...rowOf('2', 'Dos', 2), hidden: '' })
  await expect.poll(() => page.readHidden()).toMatchObject(allOf(rowOf('1', 'Primero', 2)))
  await page.apply('1', { ...rowOf('1', 'Primero', 3), hidden: '' })
  await expect.poll(() => page.readHidden()).toBeUndefined()
})

test('it follows a change on a page that has the copy and no answer yet', async () => {
  const page = await newPage()
  await page.keepHidden(allOf(rowOf('1', 'Uno'), rowOf('2', 'Dos')))
  const asked = vi.fn<typeof fetch>(() => new Promise(() => {}))
  vi.stubGlobal('fetch', asked)
  void page.read().catch(() => undefined)
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  await page.apply('1', rowOf('1', 'Primero', 2))
  await expect
    .poll(() => page.readHidden())
    .toMatchObject(allOf(rowOf('1', 'Primero', 2), rowOf('2', 'Dos')))
})

test('what a page knows that has read nothing does not stand for all of it', async () => {
  const page = await newPage()
  const all = allOf(rowOf('1', 'Uno'), rowOf('2', 'Dos'))
  await page.keepHidden(all)
  await page.apply('1', rowOf('1', 'Primero', 2))
  await page.apply('1', rowOf('1', 'Primera', 3))
  expect(await readAgain(page)).toEqual(all)
})

test('a reading that a change has overtaken is not kept over it', async () => {
  const page = await newPage()
  await page.keepHidden(allOf(rowOf('1', 'Antes')))
  const late = Promise.withResolvers<Response>()
  const asked = vi.fn<typeof fetch>(() => late.promise)
  vi.stubGlobal('fetch', asked)
  const overtaken = new AbortController()
  const reading = page.readUntil(overtaken.signal)
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  overtaken.abort()
  await page.apply('1', rowOf('1', 'Después', 2))
  late.resolve(answer(allOf(rowOf('1', 'Antes'))))
  await reading
  await expect.poll(() => page.readHidden()).toMatchObject(allOf(rowOf('1', 'Después', 2)))
})

test('nothing is kept once her session has ended', async () => {
  const page = await newPage()
  page.askToSignIn()
  await page.keepHidden(sent)
  expect(await page.readHidden()).toBeUndefined()
})

/** What the device keeps once whatever was begun to be kept before is. */
async function readAgain({ readHidden }: Awaited<ReturnType<typeof newPage>>) {
  await readHidden()
  return readHidden()
}

test('a list that lacks an entry that another device hid keeps nothing less', async () => {
  const page = await newPage()
  vi.stubGlobal('fetch', async () => answer(allOf(rowOf('1', 'Uno'))))
  await page.read()
  await expect.poll(() => page.readHidden()).toHaveLength(1)
  // As another tab has kept it since.
  const all = allOf(rowOf('1', 'Uno'), rowOf('2', 'Dos'))
  await page.keepHidden(all)
  const visible = { id: '2', version: 1, fields: { name: 'Dos' } }
  page.client.setQueryData(['hidden'], (old: readonly object[] = []) => [
    ...old,
    { section: project.key, behind: [], entry: visible },
  ])
  expect(await readAgain(page)).toEqual(all)
})

test('a tab that nobody looks at leaves it to the one in which the change was made', async () => {
  const page = await newPage()
  vi.stubGlobal('fetch', async () => answer(allOf(rowOf('1', 'Uno'))))
  await page.read()
  const all = allOf(rowOf('1', 'Primero', 2), rowOf('2', 'Dos'))
  await page.keepHidden(all)
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  await page.apply('1', rowOf('1', 'Primero', 2))
  expect(await readAgain(page)).toEqual(all)
})

test('nothing that a change leaves is kept once a reading was refused', async () => {
  const page = await newPage()
  vi.stubGlobal('fetch', async () => answer(allOf(rowOf('1', 'Uno'))))
  await page.read()
  await expect.poll(() => page.readHidden()).toHaveLength(1)
  vi.stubGlobal('fetch', async () =>
    answer({ status: 401, code: 'sesion-requerida', mensaje: 'Inicia sesión.' }, 401),
  )
  await expect(page.read()).rejects.toThrow('Inicia')
  await expect.poll(() => page.readHidden()).toBeUndefined()
  await page.apply('1', rowOf('1', 'Primero', 2))
  expect(await readAgain(page)).toBeUndefined()
})

test('a change during the lists’ reading after it keeps all of the answer', async () => {
  const page = await newPage()
  await page.keepHidden(allOf(rowOf('1', 'Uno'), rowOf('2', 'Publicado')))
  const gate = Promise.withResolvers<Response>()
  const asked = vi.fn<(address: string) => Promise<Response>>(async (address) =>
    address.endsWith('/hidden')
      ? answer(allOf(rowOf('1', 'Uno'), rowOf('3', 'Tres')))
      : gate.promise,
  )
  vi.stubGlobal('fetch', asked)
  const list = [{ id: '9', version: 1, fields: { name: 'Nueve' } }]
  page.client.setQueryData(['entries', project.key], list)
  const overtaken = new AbortController()
  const reading = page.readUntil(overtaken.signal)
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0)
  overtaken.abort()
  await page.apply('1', rowOf('1', 'Primero', 2))
  gate.resolve(answer([]))
  await reading
  await expect
    .poll(async () => (await page.readHidden())?.map(({ entry }) => entry['name']))
    .toEqual(['Primero', 'Publicado'])
})
