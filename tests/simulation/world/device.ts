import type { Script } from 'node:vm'
import type { Operation } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import type { Clock } from './clock.ts'
import { createStorage } from './device-storage.ts'
import type { Line } from './line.ts'
import type { Random } from '#tests/support/random.ts'
import { openTab, type OpenTab } from './open-tab.ts'

interface DeviceOptions {
  readonly clock: Clock
  readonly random: Random
  readonly line: Line
  readonly scripts: { readonly tab: Script; readonly storage: Script }
  /** Told of everything a tab says. */
  readonly hears: TabEvents
  /** Numbers the tabs of all devices. */
  readonly nextTab: () => number
}

export interface TabEvents {
  readonly told: (tab: OpenTab, kind: string, text: string) => void
  readonly failed: (tab: OpenTab, error: unknown) => void
  /** A form hands a change over; what is returned is told what became of it. */
  readonly submitted: (
    tab: OpenTab,
    change: Operation,
    picture: Blob | undefined,
  ) => (result: ChangeResult) => void
}

export type Device = ReturnType<typeof createDevice>

/** A browser profile on a disk, with the tabs that are open in it. */
export function createDevice({ clock, random, line, scripts, hears, nextTab }: DeviceOptions) {
  const storage = createStorage({ clock, random, script: scripts.storage })
  const locks = createLocks(clock)
  const channels = new Set<Channel>()
  const tabs: OpenTab[] = []
  let isOnline = true
  let clockOffMs = 0

  interface Channel {
    readonly name: string
    readonly hear: (data: unknown) => void
  }

  const room = {
    clock,
    random,
    line,
    storage,
    locks,
    isOnline: () => isOnline,
    now: () => clock.now() + clockOffMs,
    join: (channel: Channel) => {
      channels.add(channel)
      return () => void channels.delete(channel)
    },
    post: (from: Channel, data: unknown) => {
      const copy: unknown = structuredClone(data)
      for (const other of channels) {
        if (other === from || other.name !== from.name) continue
        clock.after(random.below(3), () => channels.has(other) && other.hear(copy))
      }
    },
  }

  function open(path: string, session?: Storage): OpenTab {
    const tab: OpenTab = openTab({
      number: nextTab(),
      room,
      script: scripts.tab,
      path,
      hears,
      session,
      // As the product asks for itself, after a new entry say.
      reload: () => reload(tab),
    })
    tabs.push(tab)
    return tab
  }

  /** The page goes, and another begins in the same tab. */
  function reload(tab: OpenTab): void {
    const index = tabs.indexOf(tab)
    if (index === -1) return
    tab.kill()
    const next = open(tab.place(), tab.session)
    tabs.splice(tabs.indexOf(next), 1)
    tabs.splice(index, 1, next)
  }

  function close(tab: OpenTab): void {
    tab.kill()
    const index = tabs.indexOf(tab)
    if (index !== -1) tabs.splice(index, 1)
  }

  function closeAll(): void {
    for (const tab of tabs.splice(0)) tab.kill()
  }

  return {
    tabs,
    storage,
    open,
    close,
    closeAll,
    reload,
    /** Ends the browser in the middle of everything. */
    kill: () => {
      closeAll()
      storage.loseUnwritten()
    },
    setOnline: (next: boolean) => {
      if (isOnline === next) return
      isOnline = next
      for (const tab of tabs) tab.dispatch(next ? 'online' : 'offline')
    },
    isOnline: () => isOnline,
    moveClock: (ms: number) => {
      clockOffMs += ms
    },
  }
}

type Ask = { readonly mode?: 'shared' | 'exclusive'; readonly ifAvailable?: boolean }

interface Holder {
  readonly name: string
  readonly isShared: boolean
  readonly owner: object
}

interface Waiting extends Holder {
  readonly grant: () => void
}

export type Locks = ReturnType<typeof createLocks>

/** The browser's locks over all its tabs; who goes lets go. */
function createLocks(clock: Clock) {
  let held: Holder[] = []
  let waiting: Waiting[] = []

  const isFree = (asked: Holder) =>
    held.every(({ name, isShared }) => name !== asked.name || (isShared && asked.isShared))

  function look(): void {
    for (const next of waiting.slice()) {
      const isFirst = waiting.find(({ name }) => name === next.name) === next
      if (!isFirst || !isFree(next)) continue
      waiting = waiting.filter((other) => other !== next)
      held.push(next)
      clock.after(0, next.grant)
    }
  }

  function release(holder: Holder): void {
    held = held.filter((other) => other !== holder)
    look()
  }

  return {
    request: async (
      owner: object,
      name: string,
      { mode, ifAvailable = false }: Ask,
      run: (lock: object | null) => unknown,
    ): Promise<unknown> => {
      const asked = { name, owner, isShared: mode === 'shared' }
      const isTaken = !isFree(asked) || waiting.some((other) => other.name === name)
      if (ifAvailable && isTaken) return run(null)
      const holder = await new Promise<Holder>((resolve) => {
        const entry: Waiting = { ...asked, grant: () => resolve(entry) }
        waiting.push(entry)
        look()
      })
      try {
        return await run({ name })
      } finally {
        release(holder)
      }
    },
    drop: (owner: object) => {
      held = held.filter((other) => other.owner !== owner)
      waiting = waiting.filter((other) => other.owner !== owner)
      look()
    },
  }
}
