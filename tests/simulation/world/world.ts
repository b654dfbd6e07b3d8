import type { Script } from 'node:vm'
import { createRandom } from '#tests/support/random.ts'
import { createClock } from './clock.ts'
import { createDevice, type TabEvents } from './device.ts'
import { createLine } from './line.ts'
import type { OpenTab } from './open-tab.ts'
import { openSite } from './site.ts'

/** Where histories are played. */
export interface Stage {
  readonly scripts: { readonly tab: Script; readonly storage: Script }
  /** A data folder to start from. */
  readonly data: string
  /** Told of everything that happens, for whoever looks into one history. */
  readonly trace?: ((what: string) => void) | undefined
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** A server, two devices and the line between them, in a time of their own. */
export async function openWorld(seed: number, { scripts, data, trace }: Stage, hears: TabEvents) {
  const clock = createClock()
  const random = createRandom(seed)
  const site = await openSite(clock, data)
  const log = trace && ((what: string) => trace(`${String(clock.now()).padStart(8)} ${what}`))
  const line = createLine({ clock, site, random, trace: log })
  let tabsOpened = 0
  const nextTab = () => ++tabsOpened
  const devices = [0, 1].map(() => createDevice({ clock, random, line, scripts, hears, nextTab }))
  return {
    clock,
    random,
    site,
    line,
    devices,
    trace: log ?? (() => undefined),
    tabs: () => devices.flatMap(({ tabs }) => tabs),
    deviceOf: (tab: OpenTab) => devices.findIndex(({ tabs }) => tabs.includes(tab)),
    close: async () => {
      for (const device of devices) device.closeAll()
      await clock.pass(0)
      await site.close()
    },
  }
}
