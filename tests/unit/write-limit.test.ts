import { afterEach, expect, test, vi } from 'vitest'
import { writeWithinMs } from '#contract/durations.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { sendOperation } from '#client/outbox/send.ts'
import { uploadWith } from '#client/browser/upload.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const fields = { name: 'Ana', email: 'ana@example.com', message: 'Hola' }
function operation(change: Partial<Operation> = {}): Operation {
  return {
    id: 'op-1',
    subject: { on: 'person' },
    verb: 'update',
    values: fields,
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 1,
    ...change,
  }
}

const nothingWith = { picture: undefined, onProgress: () => {}, keepAddress: async () => {} }

/** A line that takes every call and answers none, and time limits that end as soon as they are set. */
function silentLine() {
  const limits: number[] = []
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    const limit = new AbortController()
    setTimeout(() => limit.abort(new DOMException('too late', 'TimeoutError')))
    return limit.signal
  })
  vi.spyOn(console, 'error').mockReturnValue()
  return limits
}

test.each([
  ['a change', operation()],
  ['a message', operation({ subject: { on: 'message', id: 'm' }, verb: 'create' })],
])('%s that is taken and never answered counts as not answered', async (_, sent) => {
  const limits = silentLine()
  const answer = await sendOperation(sent, nothingWith)
  expect(answer).toEqual({ is: 'later', isTrouble: false })
  expect(limits).toEqual([writeWithinMs])
})

/** An upload in the hands of the test. */
class Upload extends EventTarget {
  static last: Upload
  readonly upload = new EventTarget()
  open() {}
  setRequestHeader() {}
  send() {
    Upload.last = this
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
    this.dispatchEvent(new Event('loadend'))
  }
  move() {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }))
  }
}

test('an upload that stands still is given up, a slow one is not', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', Upload)
  const ended: unknown[] = []
  const upload = uploadWith(() => {})('/api/image/skill', { method: 'PUT' })
  upload.catch((cause: unknown) => ended.push(cause))
  for (let moves = 0; moves < 3; moves++) {
    await vi.advanceTimersByTimeAsync(writeWithinMs - 1)
    Upload.last.move()
  }
  await vi.advanceTimersByTimeAsync(writeWithinMs - 1)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toEqual([expect.any(TypeError)])
})
