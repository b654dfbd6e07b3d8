import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { useSetting } from '#client/owner/settings/use-setting.tsx'
import { run } from '../simulation/world/page/null-host.ts'

/* What a setting shows while its changes are on their way; what becomes of each is said by the test. */

const sent = vi.hoisted((): PromiseWithResolvers<ChangeResult>[] => [])

vi.mock('#client/owner/changes/submit-change.ts', () => ({
  changeSettingOperation: () => undefined,
  submitChange: () => {
    sent.push(Promise.withResolvers<ChangeResult>())
    return sent.at(-1)?.promise
  },
}))

function Setting({ set }: { readonly set: string }) {
  const { value, state, save } = useSetting('default_theme', set)
  const choose = (next: string) => save(next, set)
  return createElement('output', { choose }, value, state.saved ? ', saved' : '')
}

/** The setting as a page shows it over what is set, and what chooses another value of it. */
function showSetting(set: string) {
  sent.length = 0
  const client = new QueryClient()
  const tree = createElement(QueryClientProvider, { client }, createElement(Setting, { set }))
  const page = run(tree, (error) => {
    throw error
  })
  const choose = (next: string) => {
    const output = page.find(({ type }) => type === 'output')
    if (!output) throw new Error('the setting is not shown')
    ;(output.props['choose'] as (value: string) => void)(next)
  }
  return { shown: () => page.text(), choose }
}

test('an answer that comes late does not hide what was chosen since', async () => {
  const { shown, choose } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('light')
  await expect.poll(shown).toBe('light')
  choose('device')
  await expect.poll(shown).toBe('device')
  sent[0]?.resolve({ state: 'saved' })
  // The second may not be in the queue yet: then nothing but this shows it.
  await expect.poll(shown).toBe('device, saved')
  sent[1]?.resolve({ state: 'saved' })
  await expect.poll(shown).toBe('dark, saved')
})

test('a choice is shown until its own answer, which leaves what is set by then', async () => {
  const { shown, choose } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('light')
  await expect.poll(shown).toBe('light')
  sent[0]?.resolve({ state: 'queued', because: 'offline' })
  await expect.poll(shown).toBe('dark')
})
