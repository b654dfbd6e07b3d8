import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { settingsQuery } from '#client/data/queries.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { ownAnswer } from '#tests/support/answers.ts'

afterEach(() => vi.unstubAllGlobals())

/** The document's theme, and whether its person has chosen one. */
function openDocument(kept: Map<string, string>, chosen?: string) {
  if (chosen !== undefined) kept.set('theme', chosen)
  const dataset: Record<string, string> = { theme: 'dark' }
  vi.stubGlobal('document', { documentElement: { dataset } })
  return () => dataset['theme']
}

/** A page whose server answers with these settings, and whose device keeps what it is told. */
async function openPage(own: Partial<SettingValues> = {}, kept: Record<string, string> = {}) {
  const values = { ...defaultSettings, ...own }
  vi.stubGlobal('fetch', async () => ownAnswer(values))
  const storage = new Map(Object.entries(kept))
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => void storage.set(name, value),
  })
  // Its own copy of the module, since that is what a page has.
  vi.resetModules()
  const { followRemoteSettings } = await import('#client/data/remote-settings.ts')
  const client = new QueryClient()
  client.setQueryData(settingsQuery.queryKey, values)
  return {
    shown: () => client.getQueryData(settingsQuery.queryKey),
    refetch: () => client.refetchQueries({ queryKey: settingsQuery.queryKey, type: 'all' }),
    follow: (...news: readonly unknown[]) =>
      followRemoteSettings(client, async (_, onNews) => {
        for (const published of news) onNews(published)
      }),
    storage,
    client,
  }
}

async function settled(client: QueryClient): Promise<void> {
  await expect.poll(() => client.isFetching()).toBe(0)
}

test('what is published elsewhere takes the place of the own value, as far as it can be used', async () => {
  const { follow, shown } = await openPage({ age_text: '31' })
  await follow({ age_text: '32', default_theme: 'blue', other: 'x', banner_text: 'Hola' })
  expect(shown()).toEqual({ ...defaultSettings, age_text: '32', banner_text: 'Hola' })
})

test('it stays in place when the site is asked again', async () => {
  const { follow, refetch, shown } = await openPage()
  await follow({ age_text: '32' })
  await refetch()
  expect(shown()).toMatchObject({ age_text: '32' })
})

test('a reading that was on its way before does not take it away', async () => {
  const { follow, shown, client } = await openPage()
  const { queryKey } = settingsQuery
  const old = Promise.withResolvers<SettingValues>()
  const reading = client.query({ queryKey, queryFn: () => old.promise }).catch(() => undefined)
  await follow({ age_text: '32' })
  old.resolve(defaultSettings)
  await reading
  await settled(client)
  expect(shown()).toMatchObject({ age_text: '32' })
})

test('what is not published any more is the own value again', async () => {
  const { follow, shown, client } = await openPage({ age_text: '31' })
  await follow({ age_text: '32', banner_text: 'Hola' }, { banner_text: 'Hola' })
  await settled(client)
  expect(shown()).toMatchObject({ age_text: '31', banner_text: 'Hola' })
})

test('without an answer the copy of the last one is shown', async () => {
  const first = await openPage()
  await first.follow({ age_text: '32' })
  const later = await openPage({}, Object.fromEntries(first.storage))
  await later.follow()
  expect(later.shown()).toMatchObject({ age_text: '32' })
})

test.each(['{"age_text":', '7', 'null', '["x"]', '{"age_text":7}'])(
  'a copy that is damaged, %s, does not keep the source from being asked',
  async (copy) => {
    const { follow, shown } = await openPage({}, { 'tintero-remote-settings': copy })
    await follow({ age_text: '32' })
    expect(shown()).toMatchObject({ age_text: '32' })
  },
)

test('the default theme is for whoever has not chosen one', async () => {
  const fresh = await openPage()
  const theme = openDocument(fresh.storage)
  await fresh.follow({ default_theme: 'light' })
  expect(theme()).toBe('light')
  const used = await openPage()
  const kept = openDocument(used.storage, 'dark')
  await used.follow({ default_theme: 'light' })
  expect(kept()).toBe('dark')
})
