import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { values } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { share, type SharedItem } from '#contract/offline/offline.ts'
import { openStore } from '#client/browser/database.ts'
import { takeIn } from '#sw/share.ts'

const origin = 'https://portafolio.test'

beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A share of a title and a picture of so many bytes. */
function shared(bytes: number): Request {
  const body = new FormData()
  body.set(share.fields.title, 'Faro')
  body.set(share.fields.photo, new File([new Uint8Array(bytes)], 'faro.png'))
  return new Request(`${origin}${share.path}`, { method: 'POST', body, referrer: '' })
}

const kept = () => values<SharedItem>(openStore(share))

test('what was shared is on disk, the picture as bytes, before the person goes on to the form', async () => {
  const begun: unknown[] = []
  const begin = IDBDatabase.prototype.transaction
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...asked
  ) {
    begun.push(asked.slice(1))
    return begin.apply(this, asked)
  })
  expect(await takeIn(shared(3), origin)).toBe(share.landing)
  expect(begun.at(-1)).toEqual(['readwrite', { durability: 'strict' }])
  const [item] = await kept()
  expect(item).toMatchObject({ title: 'Faro', photo: { name: 'faro.png' } })
  expect(Object.prototype.toString.call(item?.photo?.bytes)).toBe('[object ArrayBuffer]')
})

const sizes = Array.from({ length: share.most }, (_, n) => n + 1)

test.each([
  ['the clock goes on', sizes.length + 1],
  ['it was set back', 0],
])(
  'what is shared takes no other’s place, and is said not to be kept where there is no room: %s',
  async (_, last) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    for (const size of sizes) {
      vi.setSystemTime(size)
      expect(await takeIn(shared(size), origin)).toBe(share.landing)
    }
    vi.setSystemTime(last)
    expect(await takeIn(shared(9), origin)).toBe(share.full)
    vi.useRealTimers()
    expect(told).toHaveBeenCalledOnce()
    const left = await kept()
    expect(left.map(({ photo }) => photo?.bytes.byteLength)).toEqual(sizes)
  },
)

test.each([
  ['it is too much', () => undefined],
  ['storage is closed', () => vi.stubGlobal('indexedDB', { open: closed })],
  ['the write fails', () => vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(closed)],
])('a share that cannot be kept leads to the form that says so: %s', async (why, close) => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  close()
  const request = shared(why === 'it is too much' ? share.mostBytes : 3)
  expect(await takeIn(request, origin)).toBe(share.notKept)
  expect(told).toHaveBeenCalledOnce()
})

function closed(): never {
  throw new DOMException('closed', 'SecurityError')
}
