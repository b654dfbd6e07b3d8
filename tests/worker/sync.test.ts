import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drainMessage } from '#contract/offline/offline.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { delay } from '#client/browser/delay.ts'
import { answerDrain } from '#client/offline/worker.ts'
import { drainInPages } from '#sw/sync.ts'

beforeEach(() => {
  vi.stubGlobal('Notification', { permission: 'granted' })
  // Only this: what pages and the worker tell each other takes its own time.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** An open page; how many times it was asked to send, and whether the owner's changes go from it, which it may know late. */
function pageOf(isOwners: boolean, afterMs = 0) {
  const asked: unknown[] = []
  return {
    asked,
    postMessage: (data: unknown, ports: readonly MessagePort[]) =>
      void answerDrain({ data, ports }, async () => {
        asked.push(data)
        if (afterMs > 0) await delay(afterMs)
        return isOwners
      }),
  }
}

async function shownWith(pages: readonly object[], isWaiting: boolean): Promise<readonly string[]> {
  const shown: string[] = []
  const worker = {
    clients: { matchAll: async () => pages },
    registration: { showNotification: async (title: string) => void shown.push(title) },
  }
  const draining = drainInPages(
    worker as object as Parameters<typeof drainInPages>[0],
    async () => isWaiting,
  )
  for (let halves = 0; halves < 30; halves++) {
    for (let turns = 0; turns < 5; turns++) await nextTurn()
    await vi.advanceTimersByTimeAsync(500)
  }
  await draining
  return shown
}

test('every open page is asked to send, and one of the owner’s that does leaves nothing to tell', async () => {
  const pages = [pageOf(false), pageOf(true), pageOf(false)]
  expect(await shownWith(pages, true)).toEqual([])
  expect(pages.map(({ asked }) => asked)).toEqual(pages.map(() => [drainMessage]))
})

test('a page that has to renew her session before it can say that it sends is waited for', async () => {
  expect(await shownWith([pageOf(false), pageOf(true, 10_000)], true)).toEqual([])
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
