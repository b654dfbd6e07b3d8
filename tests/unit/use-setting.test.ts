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
  const { value, state, save, putBack } = useSetting('default_theme', set)
  const choose = (next: string) => save(next, set)
  const said = [value, ...(state.saved ? ['saved'] : []), ...(state.error ? ['wrong'] : [])]
  return createElement('output', { choose, putBack }, said.join(', '))
}

/** The setting as a page shows it over what is set, and what chooses another value of it. */
function showSetting(set: string) {
  sent.length = 0
  const client = new QueryClient()
  const tree = createElement(QueryClientProvider, { client }, createElement(Setting, { set }))
  const page = run(tree, (error) => {
    throw error
  })
  const call = (name: 'choose' | 'putBack', value?: string) => {
    const output = page.find(({ type }) => type === 'output')
    if (!output) throw new Error('the setting is not shown')
    ;(output.props[name] as (value?: string) => void)(value)
  }
  return {
    shown: () => page.text(),
    choose: (next: string) => call('choose', next),
    putBack: () => call('putBack'),
  }
}

test('an answer that comes late does not hide what was chosen since', async () => {
  const { shown, choose } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('light')
  await expect.poll(shown).toBe('light')
  choose('device')
  await expect.poll(shown).toBe('device')
  sent[0]?.resolve({ state: 'saved' })
  // The second may not be in the queue yet: then nothing but this shows it, and nothing says that it is saved.
  await expect.poll(shown).toBe('device')
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

test('what was wrong with one value is not said of the next, which is on its way', async () => {
  const { shown, choose } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('none')
  await expect.poll(shown).toBe('dark, wrong')
  choose('light')
  await expect.poll(shown).toBe('light')
  sent[0]?.resolve({ state: 'saved' })
  await expect.poll(shown).toBe('dark, saved')
})

test('the answer to an earlier value leaves the word on what was wrong with the last', async () => {
  const { shown, choose } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('light')
  await expect.poll(shown).toBe('light')
  choose('none')
  await expect.poll(shown).toBe('light, wrong')
  sent[0]?.resolve({ state: 'saved' })
  await expect.poll(shown).toBe('dark, wrong')
})

test('once what is set stands in the field again, nothing is wrong and nothing is sent', async () => {
  const { shown, choose, putBack } = showSetting('dark')
  await expect.poll(shown).toBe('dark')
  choose('none')
  await expect.poll(shown).toBe('dark, wrong')
  putBack()
  await expect.poll(shown).toBe('dark')
  expect(sent).toEqual([])
})
