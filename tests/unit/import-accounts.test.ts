import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adminRole } from '#contract/access/session.ts'
import { sections } from '#contract/sections/index.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { entriesQuery, personQuery, readSiteFromApi, settingsQuery } from '#client/data/queries.ts'
import { setSession } from '#client/data/session.ts'
import { hiddenKey } from '#client/outbox/hidden-entries.ts'
import { ImportScreen } from '#client/owner/import/import.tsx'
import { keepingDevice } from '#tests/support/page-storage.ts'
import { siteData } from '#tests/support/site-data.ts'
import { run } from '../simulation/world/page/null-host.ts'

vi.mock('@tanstack/react-router', () => ({
  Link: 'a',
  useRouter: () => ({ invalidate: async () => undefined }),
}))

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('addEventListener', vi.fn())
})
afterEach(() => vi.unstubAllGlobals())

const signIn = (account: string) =>
  setSession({ token: account, userName: account, account, roles: [adminRole], isExpired: false })

test('a file that one account has open is not shown to another, nor is it hers to bring in', async () => {
  signIn('ana')
  const client = createQueryClient(readSiteFromApi)
  const { person, settings, entries } = siteData()
  client.setQueryData(personQuery.queryKey, person)
  client.setQueryData(settingsQuery.queryKey, settings)
  for (const section of sections) {
    client.setQueryData(entriesQuery(section).queryKey, entries[section.key] ?? [])
  }
  client.setQueryData(hiddenKey, [])
  const tree = createElement(QueryClientProvider, { client }, createElement(ImportScreen))
  const page = run(tree, (error) => {
    throw error
  })
  const input = () => page.find(({ props }) => props['type'] === 'file')
  await expect.poll(() => input()?.props['disabled']).toBe(false)
  const resume = { projects: [{ name: 'Faro de Ana', description: 'Suyo' }] }
  const file = new File([JSON.stringify(resume)], 'ana.json', { type: 'application/json' })
  const choose = input()?.props['onChange'] as (event: unknown) => void
  choose({ target: { files: [file], value: '' } })
  await expect.poll(() => page.text()).toContain('Faro de Ana')
  signIn('eva')
  await expect.poll(() => input()).toBeDefined()
  expect(page.text()).not.toContain('Faro de Ana')
})
