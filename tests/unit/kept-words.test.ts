import { afterEach, expect, test } from 'vitest'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { pageNotices } from '#client/ui/notices.ts'

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
})

test.each([
  ['without a network', 'offline', offlineTexts.queued],
  ['with a network', 'no-answer', queueTexts.keptSilent],
  ['for a sign-in', 'login', offlineTexts.queuedForLogin],
  ['while the site is read-only', 'read-only', queueTexts.keptClosed],
  ['behind a refused one', 'blocked', queueTexts.keptBlocked],
  ['for the owner’s choice', 'conflict', queueTexts.conflict],
] as const)('a change kept %s says what it waits for', (_, because, text) => {
  void tellKept({ state: 'queued', because }, 'failed')
  expect(pageNotices.get()).toMatchObject([{ text, action: offlineTexts.seeChanges }])
})

test('every change on a device that keeps nothing is told as not sent', () => {
  for (const _ of [1, 2]) {
    void tellKept({ state: 'queued', because: 'not-kept' }, 'failed')
    const last = pageNotices.get().at(-1)
    expect(last).toMatchObject({ kind: 'error-snackbar', text: queueTexts.unkept })
    if (last) pageNotices.close(last.id, false)
  }
})
