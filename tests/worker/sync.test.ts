import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drainMessage } from '#contract/offline/offline.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { answerDrain } from '#client/offline/worker.ts'
import { wakePages } from '#sw/sync.ts'

beforeEach(() => void vi.stubGlobal('Notification', { permission: 'granted' }))
afterEach(() => void vi.unstubAllGlobals())

/** An open page; how many times it was asked to send, and whether the owner's changes go from it. */
function pageOf(isOwners: boolean) {
  const asked: unknown[] = []
  return {
    asked,
    postMessage: (data: unknown, ports: readonly MessagePort[]) =>
      void answerDrain({ data, ports }, async () => asked.push(data) > 0 && isOwners),
  }
}

async function shownWith(pages: readonly object[], isWaiting: boolean): Promise<readonly string[]> {
  const shown: string[] = []
  const worker = {
    clients: { matchAll: async () => pages },
    registration: { showNotification: async (title: string) => void shown.push(title) },
  }
  await wakePages(worker as object as Parameters<typeof wakePages>[0], async () => isWaiting)
  return shown
}

test('every open page is asked to send, and one of the owner’s that does leaves nothing to tell', async () => {
  const pages = [pageOf(false), pageOf(true), pageOf(false)]
  expect(await shownWith(pages, true)).toEqual([])
  expect(pages.map(({ asked }) => asked)).toEqual(pages.map(() => [drainMessage]))
})

test('what waits is told when no page is open or none of them can send it', async () => {
  const silent = { postMessage: () => undefined }
  expect(await shownWith([], true)).toEqual([workerTexts.waiting])
  expect(await shownWith([pageOf(false), silent], true)).toEqual([workerTexts.waiting])
})

test('without anything of the owner’s nothing is told', async () => {
  expect(await shownWith([], false)).toEqual([])
})

test('a page takes no other word for the wish to send', async () => {
  const onDrain = vi.fn<() => Promise<boolean>>(async () => true)
  await answerDrain({ data: { type: 'PUSH_ARRIVED' }, ports: [] }, onDrain)
  expect(onDrain).not.toHaveBeenCalled()
})
