import { expect, test, vi } from 'vitest'
import { fold } from '#client/outbox/fold.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import { pictureId, type Operation } from '#client/outbox/operation.ts'
import { freeAddresses, pictureAddress } from '#client/outbox/picture-addresses.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'

const image = { field: 'image', name: 'a.png' }
function operation(id: string, change: Partial<Operation> = {}): Operation {
  return {
    id,
    subject: { on: 'entry', section: 'proyect', id: 'a' },
    verb: 'update',
    values: {},
    image,
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}

/** The address once the picture that was asked for has been read. */
async function readyAddress(shown: Operation, read: () => Promise<Blob>) {
  const onReady = vi.fn<() => void>()
  pictureAddress(shown, { read, onReady })
  await expect.poll(() => onReady).toHaveBeenCalledOnce()
  return pictureAddress(shown, { read, onReady })
}

test('another picture for an unsent change takes the place of the first, which is forgotten', async () => {
  const store = memoryStore()
  const outbox = createOutbox({
    store,
    send: () => Promise.resolve({ is: 'applied' }),
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => false,
    onApplied: () => Promise.resolve(),
    onIdle: () => {},
    log: () => {},
  })
  const [first, second] = [operation('kept-1'), operation('kept-2')]
  const chosen = new Blob(['b'])
  await outbox.add(first, { picture: new Blob(['a']) })
  await outbox.add(second, { picture: chosen })
  const [carrier] = await store.read()
  expect(carrier?.id).toBe(first.id)
  expect(await store.picture(carrier ? pictureId(carrier) : '')).toBe(chosen)
  expect(await store.picture(first.id)).toBeUndefined()
})

test('whoever takes the picture of an unsent change away takes it out of the queue', () => {
  const { image: _, ...rest } = operation('without', { values: { image: '' } })
  const first = operation('with')
  const folded = fold([first], rest)
  expect(folded.carrier).toMatchObject({ id: first.id, values: { image: '' } })
  expect(folded.carrier?.image).toBeUndefined()
  expect(folded.orphans).toEqual([first.id])
  const again = folded.carrier && fold([folded.carrier], operation('again'))
  expect(again?.carrier?.image).toMatchObject({ field: 'image', broughtBy: 'again' })
  const refused = { ...first, refusal: { code: 'x', reason: 'x' } }
  const gathered = fold([refused, rest], operation('more', { values: { name: 'n' }, image }))
  expect(gathered.orphans).toEqual([first.id])
})

test('another picture for an unsent change is the one that is shown', async () => {
  const first = operation('shown-1')
  const before = await readyAddress(first, async () => new Blob(['a']))
  const { operations } = fold([first], operation('shown-2'))
  freeAddresses(operations)
  const [carrier = first] = operations
  const after = await readyAddress(carrier, async () => new Blob(['b']))
  expect(after).toEqual(expect.stringMatching(/^blob:/))
  expect(after).not.toBe(before)
})

test('a picture that could not be read is asked for again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const shown = operation('unread')
  const onReady = () => undefined
  pictureAddress(shown, { read: () => Promise.reject(new Error('busy')), onReady })
  await expect.poll(() => logged).toHaveBeenCalledOnce()
  logged.mockRestore()
  const address = await readyAddress(shown, async () => new Blob(['a']))
  expect(address).toEqual(expect.stringMatching(/^blob:/))
})
