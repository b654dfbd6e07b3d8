import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'
import { run } from '../simulation/world/page/null-host.ts'

/* What becomes of a text that stands in the field of a setting when the page is somebody else's all at once. */

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  vi.resetModules()
})
afterEach(() => vi.unstubAllGlobals())

/** The field of a setting on a page of Ana's, and the page's modules. */
async function showField() {
  const { SettingRow } = await import('#client/owner/settings/setting-row.tsx')
  const { setSession, loggedOut, useSession } = await import('#client/data/session.ts')
  const { unsentDrafts } = await import('#client/owner/drafts/entry-drafts.ts')
  const { openOutboxStore } = await import('#client/outbox/store.ts')
  const { settingsQuery } = await import('#client/data/queries.ts')
  const signIn = (account: string) =>
    setSession({ token: account, userName: account, account, roles: [], isExpired: false })
  const Settings = () => {
    const { account } = useSession()
    return createElement(SettingRow, { key: account, settingKey: 'location_text', value: 'Salta' })
  }
  signIn('ana')
  const client = new QueryClient()
  client.setQueryData(settingsQuery.queryKey, { ...defaultSettings, location_text: 'Salta' })
  const tree = createElement(QueryClientProvider, { client }, createElement(Settings))
  const page = run(tree, (error) => {
    throw error
  })
  const field = () => page.find(({ type }) => type === 'textarea')
  const call = (name: string, event?: unknown) => {
    const handler = field()?.props[name] as ((event: unknown) => void) | undefined
    if (!handler) throw new Error('the field is not shown')
    handler(event)
  }
  const shown = () => field()?.value
  await expect.poll(shown).toBe('Salta')
  return {
    page,
    shown,
    type: (value: string) => {
      call('onFocus')
      call('onChange', { target: { value } })
    },
    leave: () => call('onBlur'),
    signIn,
    signOut: () => setSession(loggedOut),
    unsentDrafts,
    queue: openOutboxStore(),
  }
}

test.each(['eva', ''])('what one account was typing is no change of «%s»', async (next) => {
  const { shown, type, signIn, signOut, unsentDrafts, queue } = await showField()
  type('Jujuy')
  await expect.poll(unsentDrafts).toHaveLength(1)
  if (next) signIn(next)
  else signOut()
  await expect.poll(shown).toBe('Salta')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await queue.read()).toEqual([])
  signIn('ana')
  expect(await unsentDrafts()).toMatchObject([{ draft: { fields: { location_text: 'Jujuy' } } }])
})

test('a conflict that one account has not answered is no change of another', async () => {
  const { page, shown, type, leave, signIn, queue } = await showField()
  const owner = { account: 'ana', userName: 'ana' }
  const subject = { on: 'settings', key: 'location_text' } as const
  const madeAt = new Date().toISOString()
  const made = { id: 'o-1', subject, verb: 'update', label: '', madeAt, tries: 0 } as const
  const unseen = { ...made, owner, values: { location_text: 'Tucumán' }, before: 'Salta' }
  await queue.update(() => ({ operations: [unseen], result: undefined }))
  type('Jujuy')
  await expect.poll(shown).toBe('Jujuy')
  leave()
  await expect.poll(() => page.find(({ type: tag }) => tag === 'dialog')).toBeDefined()
  // What the dialog looks at as it goes.
  vi.stubGlobal('document', { body: {}, activeElement: {} })
  signIn('eva')
  await expect.poll(shown).toBe('Salta')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await queue.read()).map((change) => change.owner?.account)).not.toContain('eva')
})

test('what an earlier page left of a field is not lost to what is typed before it can be read', async () => {
  const request = (_: string, __: unknown, keep: (lock: object) => unknown) => keep({})
  vi.stubGlobal('navigator', { onLine: false, locks: { request } })
  // The server is asked whether she may see it.
  const asking = Promise.withResolvers<Response>()
  const ask = vi.fn<() => Promise<Response>>(() => asking.promise)
  vi.stubGlobal('fetch', ask)
  const earlier = await showField()
  earlier.type('Jujuy')
  await expect.poll(earlier.unsentDrafts).toHaveLength(1)
  vi.resetModules()
  const { shown, type, unsentDrafts } = await showField()
  await expect.poll(() => ask.mock.calls).toHaveLength(1)
  type('Jáchal')
  await expect.poll(shown).toBe('Jáchal')
  asking.reject(new TypeError('no line'))
  const texts = async () =>
    new Set((await unsentDrafts()).map(({ draft }) => draft.fields['location_text']))
  await expect.poll(texts).toEqual(new Set(['Jujuy', 'Jáchal']))
})

test('what the queue has is no draft, however late a place for it was found', async () => {
  // Another tab had its place, or the device is slow.
  const request = async (_: string, __: unknown, keep: (lock: object) => unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return keep({})
  }
  vi.stubGlobal('navigator', { onLine: false, locks: { request } })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')))
  const { shown, type, leave, unsentDrafts, queue } = await showField()
  type('Jujuy')
  await expect.poll(shown).toBe('Jujuy')
  leave()
  await expect.poll(() => queue.read()).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(await unsentDrafts()).toEqual([])
})

test('a text whose draft has no place yet is in the queue at once, and no draft once there is one', async () => {
  const { promise: free, resolve: giveWay } = Promise.withResolvers<void>()
  const request = async (_: string, __: unknown, keep: (lock: object) => unknown) => {
    await free
    return keep({})
  }
  vi.stubGlobal('navigator', { onLine: false, locks: { request } })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')))
  const { shown, type, leave, unsentDrafts, queue } = await showField()
  type('Jujuy')
  await expect.poll(shown).toBe('Jujuy')
  // No long wait ends by its time.
  const { setTimeout: later } = globalThis
  vi.stubGlobal('setTimeout', (ending: () => void, ms = 0) =>
    ms < 1000 ? later(ending, ms) : undefined,
  )
  leave()
  await expect.poll(() => queue.read()).toMatchObject([{ values: { location_text: 'Jujuy' } }])
  giveWay()
  type('Jáchal')
  await expect
    .poll(unsentDrafts)
    .toMatchObject([{ draft: { fields: { location_text: 'Jáchal' } } }])
})
