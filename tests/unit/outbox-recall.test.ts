import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createOutbox } from '#client/outbox/outbox.ts'
import { fallbackStore } from '#client/outbox/fallback-store.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { Answer, OutboxPorts } from '#client/outbox/ports.ts'
import type { TabNews } from '#client/outbox/other-tabs.ts'
import { openMarkedStore } from '#client/owner/changes/marked-store.ts'
import { followSettled, isRescued, recallingStore } from '#client/owner/changes/recall.ts'
import { openOutboxStore } from '#client/outbox/store.ts'
import { toStored } from '#client/browser/stored-file.ts'
import { outboxPlace } from '#contract/offline/offline.ts'
import { keepingDevice, refuseWrites } from '#tests/support/page-storage.ts'

beforeEach(() => keepingDevice())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const operation = (id: string, change: Partial<Operation> = {}): Operation => ({
  id,
  subject: { on: 'entry', section: 'proyect', id: `entry-${id}` },
  verb: 'create',
  values: { name: id },
  label: id,
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
  ...change,
})

interface Tab {
  /** The pictures that the page shows. */
  readonly held?: ReadonlyMap<string, Blob>
  readonly send?: OutboxPorts['send']
}

/** A page of the browser with the queue that all of them keep; none of them has a connection. */
function openTab({ held = new Map(), send }: Tab = {}) {
  const device = openMarkedStore(() => {})
  const rescued: string[] = []
  const sent: Operation[] = []
  const connection = { isOnline: false }
  const recalling = recallingStore({
    device,
    pictureInMemory: (id) => held.get(id),
    onRescued: (operations) => {
      rescued.push(...operations.map(({ id }) => id))
      void outbox.showEverywhere()
    },
    log: () => {},
  })
  const store = fallbackStore({
    open: () => recalling,
    onTrouble: () => {},
  })
  const outbox = createOutbox({
    store,
    send: async (change, sending) => {
      sent.push(change)
      return send ? send(change, sending) : { is: 'applied' }
    },
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => connection.isOnline,
    isKept: store.isKept,
    isLeft: store.isLeft,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  followSettled(recalling.forget)
  const shown = () =>
    outbox.getState().operations.map((one) => [one.id, isRescued(one), one.tries] as const)
  return { outbox, store, rescued, sent, connection, shown, device }
}

/** The browser throws away what it keeps of the site. */
async function throwAway(): Promise<void> {
  const deleting = indexedDB.deleteDatabase(outboxPlace.database)
  await new Promise((resolve) => deleting.addEventListener('success', resolve))
}

function openChannel(): BroadcastChannel {
  const channel = new BroadcastChannel('tintero-outbox')
  onTestFinished(() => channel.close())
  return channel
}

/** Says it as a tab does that has nothing more to say. */
function tellTabs(news: TabNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  openChannel().postMessage(news)
}

/** What is on the device, whoever reads it. */
const kept = () => openOutboxStore().read()
const keptIds = async () => (await kept()).map(({ id }) => id)

test('what the browser throws away under a page is put back and waits for her word', async () => {
  const { outbox, rescued, shown, sent, connection } = openTab()
  await outbox.add(operation('a'))
  await outbox.add(operation('b'))
  await throwAway()
  connection.isOnline = true
  await outbox.drain({ force: true })
  expect(shown()).toEqual([
    ['a', true, 1],
    ['b', true, 1],
  ])
  expect(await keptIds()).toEqual(['a', 'b'])
  expect(rescued).toEqual(['a', 'b'])
  expect(sent).toEqual([])
  await outbox.retry('a')
  await expect.poll(keptIds).toEqual(['b'])
  expect(sent).toMatchObject([{ id: 'a', tries: 2 }])
})

test('a page that only looks finds it missing, too', async () => {
  const { outbox, shown } = openTab()
  await outbox.add(operation('a'))
  await throwAway()
  await outbox.showEverywhere()
  expect(shown()).toEqual([['a', true, 1]])
  expect(await keptIds()).toEqual(['a'])
})

test('it comes back with its key and the address of its upload', async () => {
  const image = { field: 'image', name: 'a.png', address: '/media/a.webp' }
  const { outbox } = openTab()
  await outbox.add(operation('a', { image, tries: 3 }))
  await throwAway()
  await outbox.showEverywhere()
  expect(await kept()).toMatchObject([{ id: 'a', image, tries: 3 }])
})

test('every tab knows the address of an upload before the change has left', async () => {
  const image = { field: 'image', name: 'a.png' }
  const { promise: answer, resolve: say } = Promise.withResolvers<Answer>()
  const [here, there] = [
    openTab({
      send: async (_, { keepAddress }) => {
        await keepAddress('/media/a.webp')
        return answer
      },
    }),
    openTab(),
  ]
  for (const { outbox } of [here, there]) await outbox.start()
  await here.outbox.add(operation('a', { image }), { picture: new Blob(['a']) })
  here.connection.isOnline = true
  const draining = here.outbox.drain()
  await expect
    .poll(() => there.outbox.getState().operations)
    .toMatchObject([{ image: { address: '/media/a.webp' } }])
  say({ is: 'applied' })
  await draining
})

test('a form that waits for what was thrown away hears that it is not saved', async () => {
  const { outbox, connection } = openTab({ send: async () => ({ is: 'login' }) })
  connection.isOnline = true
  const adding = outbox.add(operation('a'))
  await expect.poll(() => outbox.getState().needsLogin).toBe(true)
  await throwAway()
  outbox.answerLogin(true)
  await expect(adding).resolves.toEqual({ state: 'queued', because: 'trouble' })
})

test('what was refused stays refused for the same reason', async () => {
  const { outbox } = openTab()
  const refusal = { code: 'datos-no-validos', reason: 'No.' }
  await outbox.add(operation('a', { refusal, tries: 1 }))
  await throwAway()
  await outbox.showEverywhere()
  expect(await kept()).toMatchObject([{ id: 'a', refusal }])
})

test('what left the queue by anybody’s word does not come back', async () => {
  const { outbox, shown } = openTab()
  await outbox.start()
  for (const id of ['applied', 'discarded', 'left']) await outbox.add(operation(id))
  // Another tab, which is gone before it has this one look at the queue again.
  const isLeft = ({ id }: Operation) => id === 'left'
  await openOutboxStore().update((found) => ({
    operations: found.filter(isLeft),
    result: undefined,
  }))
  tellTabs({ discarded: ['discarded'], because: 'trouble' })
  tellTabs({ operation: operation('applied'), answer: { is: 'applied' } })
  await expect.poll(() => outbox.isTaken('applied')).toBe(true)
  await throwAway()
  await outbox.showEverywhere()
  expect(shown()).toEqual([['left', true, 1]])
  expect(await keptIds()).toEqual(['left'])
})

test('what another tab tells is known before anything of it is shown', async () => {
  const { outbox, device, shown } = openTab()
  await outbox.start()
  await outbox.add(operation('a'))
  const { promise: isLooking, resolve: go } = Promise.withResolvers<undefined>()
  const { read } = device
  vi.spyOn(device, 'read').mockImplementationOnce(() => isLooking.then(read))
  const heard = vi.fn<() => void>()
  const last = openChannel()
  last.addEventListener('message', heard)
  tellTabs('changed')
  tellTabs({ operation: operation('a'), answer: { is: 'applied' } })
  await expect.poll(() => heard).toHaveBeenCalledTimes(2)
  await throwAway()
  go(undefined)
  await expect.poll(() => outbox.isTaken('a')).toBe(true)
  await outbox.showEverywhere()
  expect(shown()).toEqual([])
  expect(await keptIds()).toEqual([])
})

test('a queue that was emptied by sending it is no loss', async () => {
  const [here, there] = [openTab(), openTab()]
  await here.outbox.add(operation('a'))
  await there.store.read()
  here.connection.isOnline = true
  await here.outbox.drain()
  expect(here.sent).toMatchObject([{ id: 'a' }])
  await there.store.read()
  expect(await keptIds()).toEqual([])
  expect([...here.rescued, ...there.rescued]).toEqual([])
})

test('what this page never had on the device is no loss', async () => {
  const { outbox, store, rescued } = openTab()
  await outbox.add(operation('a'))
  const refusing = refuseWrites(outboxPlace.database)
  await outbox.add(operation('b'))
  expect(store.isKept()).toBe(false)
  refusing.mockRestore()
  await throwAway()
  await outbox.add(operation('c'))
  expect(store.isKept()).toBe(true)
  // The first comes back from what it remembers of the device, the second from its memory.
  expect(await kept()).toMatchObject([
    { id: 'a', tries: 1 },
    { id: 'b', tries: 0 },
    { id: 'c', tries: 0 },
  ])
  expect(rescued).toEqual(['a'])
})

test('of two tabs the first writes, and the other adds only what is not there', async () => {
  const [here, there] = [openTab(), openTab()]
  await here.outbox.add(operation('a'))
  await there.store.read()
  await there.outbox.add(operation('b'))
  // The one tab does not know of the second change.
  await throwAway()
  await Promise.all([here.store.read(), there.store.read()])
  await here.store.read()
  expect((await keptIds()).toSorted()).toEqual(['a', 'b'])
  expect([...here.rescued, ...there.rescued].toSorted()).toEqual(['a', 'b'])
})

test('what another tab did on the new device stays below what is put back', async () => {
  const [here, there] = [openTab(), openTab()]
  await here.outbox.add(operation('a'))
  await throwAway()
  await there.outbox.add(operation('c'))
  await here.store.read()
  expect(await kept()).toMatchObject([
    { id: 'a', tries: 1 },
    { id: 'c', tries: 0 },
  ])
  expect((await kept()).map(isRescued)).toEqual([true, false])
})

test('edits of what was put back stand behind it, and discarding it has the server remove it', async () => {
  const { outbox } = openTab()
  const made = operation('a')
  await outbox.add(made)
  await throwAway()
  const edit = { subject: made.subject, verb: 'update' } as const
  await outbox.add(operation('b', { ...edit, seen: ['a'] }))
  await outbox.add(operation('c', { ...edit, seen: ['a', 'b'] }))
  expect(await kept()).toMatchObject([{ id: 'a' }, { id: 'b', changes: ['b', 'c'] }])
  expect((await kept())[0]).not.toHaveProperty('changes')
  await outbox.discard('a')
  expect(await kept()).toMatchObject([{ verb: 'remove', subject: made.subject }])
})

test('where the device takes nothing any more the page keeps what it remembers', async () => {
  const { outbox, store, shown } = openTab()
  await outbox.add(operation('a'))
  await throwAway()
  const refusing = refuseWrites(outboxPlace.database)
  await outbox.showEverywhere()
  expect(store.isKept()).toBe(false)
  expect(shown()).toEqual([['a', true, 1]])
  refusing.mockRestore()
  await outbox.add(operation('b'))
  expect(await keptIds()).toEqual(['a', 'b'])
})

test('a device that cannot even be read leaves the page what it remembers', async () => {
  const { outbox, store, shown, device } = openTab()
  await outbox.add(operation('a'))
  const closed = vi.spyOn(device, 'read').mockRejectedValue(new Error('closed'))
  await outbox.showEverywhere()
  expect(store.isKept()).toBe(false)
  expect(shown()).toEqual([['a', true, 1]])
  closed.mockRestore()
  await outbox.add(operation('b'))
  // It had the first all the time, as it was.
  expect(await kept()).toMatchObject([
    { id: 'a', tries: 0 },
    { id: 'b', tries: 0 },
  ])
  expect((await kept()).some(isRescued)).toBe(false)
})

test('pictures that the page holds are put back one after the other, only where they are missing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const held = new Map(['a', 'b', 'c', 'd'].map((id) => [id, new Blob([id])]))
  vi.spyOn(held.get('b') ?? new Blob(), 'arrayBuffer').mockRejectedValue(new Error('unreadable'))
  const { outbox, store, device } = openTab({ held })
  const image = { field: 'image', name: 'a.png' }
  const ids = ['a', 'b', 'c', 'd', 'unseen']
  for (const id of ids) await outbox.add(operation(id, { image }), { picture: new Blob([id]) })
  await throwAway()
  await outbox.showEverywhere()
  expect(await (await store.picture('b'))?.text(), 'from memory').toBe('b')
  const theirs = await toStored(new Blob(['of another tab']))
  await openOutboxStore().update((operations) => ({
    operations,
    pictures: { c: theirs },
    result: undefined,
  }))
  const writes = vi.spyOn(device, 'update')
  for (const written of [0, 1, 1, 1, 2]) {
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    expect(writes).toHaveBeenCalledTimes(written)
    await vi.advanceTimersToNextTimerAsync()
  }
  const onDevice = () =>
    Promise.all(ids.map(async (id) => (await openOutboxStore().picture(id))?.text()))
  expect(await onDevice()).toEqual(['a', undefined, 'of another tab', 'd', undefined])
})

test('the page hears when its database is taken away', async () => {
  const onClosed = vi.fn<() => void>()
  await openMarkedStore(onClosed).read()
  expect(onClosed).not.toHaveBeenCalled()
  await throwAway()
  await expect.poll(() => onClosed).toHaveBeenCalledOnce()
})
