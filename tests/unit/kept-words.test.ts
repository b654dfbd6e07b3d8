import { afterEach, expect, test, vi } from 'vitest'
import { offlineTexts } from '#contract/texts-offline.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import { tellKept } from '#client/sections/outcomes.ts'
import { pageNotices } from '#client/ui/notices.ts'

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.unstubAllGlobals()
})

test.each([
  ['without a network', { onLine: false, isHeld: false }, offlineTexts.queued],
  ['with a network', { onLine: true, isHeld: false }, queueTexts.keptSilent],
  ['behind a refused one', { onLine: true, isHeld: true }, queueTexts.keptHeld],
  ['behind a refused one, without a network', { onLine: false, isHeld: true }, queueTexts.keptHeld],
])('a change kept %s says what it waits for', (_, { onLine, isHeld }, text) => {
  vi.stubGlobal('navigator', { onLine })
  void tellKept({ state: 'queued', isHeld }, 'failed')
  expect(pageNotices.get().map((notice) => notice.text)).toEqual([text])
})

test('a change in conflict waits for the owner’s choice', () => {
  void tellKept({ state: 'undecided' }, 'failed')
  expect(pageNotices.get().at(-1)).toMatchObject({
    text: queueTexts.conflict,
    action: offlineTexts.seeChanges,
  })
})

test('every change on a device that keeps nothing is told as not sent', () => {
  for (const _ of [1, 2]) {
    void tellKept({ state: 'unkept' }, 'failed')
    const last = pageNotices.get().at(-1)
    expect(last).toMatchObject({ kind: 'error-snackbar', text: queueTexts.unkept })
    if (last) pageNotices.close(last.id, false)
  }
})
