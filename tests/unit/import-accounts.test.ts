import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adminRole } from '#contract/access/session.ts'
import { sections } from '#contract/sections/index.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { entriesQuery, personQuery, readSiteFromApi, settingsQuery } from '#client/data/queries.ts'
import { setSession } from '#client/data/session.ts'
import { readValues } from '#client/drafts/kept-drafts.ts'
import { hiddenKey } from '#client/outbox/hidden-entries.ts'
import { ImportScreen } from '#client/owner/import/import.tsx'
import type * as List from '#client/owner/import/proposal-list.tsx'
import { keepingDevice } from '#tests/support/page-storage.ts'
import { siteData } from '#tests/support/site-data.ts'
import { run } from '../simulation/world/page/null-host.ts'

vi.mock('@tanstack/react-router', () => ({
  Link: 'a',
  useRouter: () => ({ invalidate: async () => undefined }),
}))

/** What happens once the proposals are drawn, before anything else that follows from it. */
const proposals = vi.hoisted(() => ({ onDrawn: (): void => undefined }))

vi.mock('#client/owner/import/proposal-list.tsx', async (original) => {
  const { ProposalList } = await original<typeof List>()
  const Drawn: typeof ProposalList = (props) => {
    useLayoutEffect(() => proposals.onDrawn())
    return createElement(ProposalList, props)
  }
  return { ProposalList: Drawn }
})

beforeEach(() => {
  proposals.onDrawn = () => undefined
  // A file of texts is no picture to any browser.
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')))
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('addEventListener', vi.fn())
})
afterEach(() => vi.unstubAllGlobals())

const signIn = (account: string) =>
  setSession({ token: account, userName: account, account, roles: [adminRole], isExpired: false })

test.each([
  ['ana', 'who signs in while it is open', () => undefined],
  ['bea', 'who signs in before it is kept', () => signIn('eva')],
])(
  'a file of %s is not shown to another account %s, nor is it hers to bring in',
  async (account, _, then) => {
    signIn(account)
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
    const name = `Faro de ${account}`
    const resume = { projects: [{ name, description: 'Suyo' }] }
    const file = new File([JSON.stringify(resume)], 'faros.json', { type: 'application/json' })
    const choose = input()?.props['onChange'] as (event: unknown) => void
    const isShown = vi.fn<() => void>()
    proposals.onDrawn = () => {
      proposals.onDrawn = () => undefined
      isShown()
      then()
    }
    choose({ target: { files: [file], value: '' } })
    await expect.poll(() => isShown.mock.calls.length).toBeGreaterThan(0)
    signIn('eva')
    await expect.poll(() => input()).toBeDefined()
    expect(page.text()).not.toContain(name)
    await expect
      .poll(async () => JSON.stringify(await readValues()))
      .toContain(`"account":"${account}"`)
    expect(JSON.stringify(await readValues())).not.toContain('"account":"eva"')
  },
)
