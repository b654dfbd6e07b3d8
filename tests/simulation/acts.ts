import { dayMs } from '#contract/durations.ts'
import { fill } from '#contract/text.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { type Person } from './person.ts'
import type { Ledger } from './ledger.ts'
import type { Step } from './steps.ts'
import type { Device } from './world/device.ts'
import type { OpenTab } from './world/open-tab.ts'
import type { World } from './world/world.ts'

const yearMs = 365 * dayMs
/** A long while, though shorter than the server remembers what it answered. */
const weeksMs = 20 * dayMs

interface ActorOptions {
  readonly world: World
  readonly ledger: Ledger
  readonly person: Person
}

type Acts = {
  readonly [Is in Step['is']]: (step: Extract<Step, { is: Is }>) => Promise<void> | void
}

/** Carries steps out. What has no meaning at its time, such as removing from an empty list, does nothing. */
export function createActor({ world, ledger, person }: ActorOptions) {
  const { clock, devices, site, line, deviceOf } = world

  async function submit(tab: OpenTab, pause: number): Promise<void> {
    tab.does.submit()
    await clock.pass(pause)
  }

  /** Whatever these tabs began is no longer heard of. */
  function leave(tabs: readonly OpenTab[]): void {
    for (const { number } of tabs) ledger.unheard(number)
  }

  async function edit(step: Extract<Step, { is: 'rename' | 'describe' }>): Promise<void> {
    const tab = await person.ownerTab(step.tab)
    const field = step.is === 'rename' ? 'name' : 'description'
    if (!tab || !(await person.openEdit(tab, step.entry, field))) return
    await person.choosePicture(tab, step.picture)
    await submit(tab, step.pause)
  }

  async function kill(device: Device | undefined, withServer: boolean): Promise<void> {
    if (!device) return
    leave(device.tabs)
    device.kill()
    if (withServer) {
      await site.stop()
      await site.start()
    }
    device.open('/projects')
    await clock.pass(300)
  }

  const acts: Acts = {
    create: async ({ tab: number, picture, pause }) => {
      const tab = await person.ownerTab(number)
      if (!tab || !(await person.openNew(tab))) return
      await person.choosePicture(tab, picture)
      await submit(tab, pause)
    },
    rename: edit,
    describe: edit,
    remove: async ({ tab: number, entry, pause }) => {
      const tab = await person.ownerTab(number)
      const row = tab && (await person.pick(tab, entry))
      // One that is just leaving has no bin any more.
      if (!row || row.id === '') return
      person.pressBin(tab, row.name)
      await clock.pass(250 + pause)
    },
    hide: async ({ tab: number, entry, pause }) => {
      const tab = await person.ownerTab(number)
      if (tab && (await person.openSwitch(tab, entry))) await submit(tab, pause)
    },
    publish: async ({ tab: number, entry, pause }) => {
      const tab = await person.ownerTab(number)
      const row = tab && (await person.pick(tab, entry))
      if (!row) return
      tab.does.press(fill(hiddenTexts.publishName, { name: row.name }))
      await clock.pass(pause)
    },
    profile: async ({ tab: number, pause }) => {
      const tab = await person.ownerTab(number)
      if (tab && (await person.openProfile(tab))) await submit(tab, pause)
    },
    message: async ({ tab: number, pause }) => {
      const tab = await person.someTab(number)
      if (await person.writeMessage(tab)) await submit(tab, pause)
    },
    begin: async ({ tab: number, entry, pause }) => {
      const tab = await person.ownerTab(number)
      if (!tab) return
      await (entry === 'new' ? person.openNew(tab) : person.openEdit(tab, entry, 'name'))
      await clock.pass(pause)
    },
    finish: async ({ tab: number, pause }) => {
      const tab = await person.ownerTab(number)
      if (tab?.does.formValues() && tab.place() !== '/contact') await submit(tab, pause)
    },
    'read-only': async ({ tab: number, isOn, pause }) => {
      const tab = await person.ownerTab(number)
      void tab?.does.turn('maintenance_readonly', isOn)
      await clock.pass(pause)
    },
    answer: async ({ tab, choice, pause }) => {
      person.answer(await person.someTab(tab), choice)
      await clock.pass(pause)
    },
    reload: async ({ tab: number, pause }) => {
      const tab = await person.someTab(number)
      leave([tab])
      devices[deviceOf(tab)]?.reload(tab)
      await clock.pass(100 + pause)
    },
    'close tab': async ({ tab: number }) => {
      const tab = await person.someTab(number)
      leave([tab])
      devices[deviceOf(tab)]?.close(tab)
    },
    'sign in': async ({ tab }) => void (await person.ownerTab(tab)),
    'sign out': async ({ tab: number, pause }) => {
      const tab = await person.someTab(number)
      leave([tab])
      tab.does.signOut()
      await clock.pass(2_000 + pause)
    },
    wait: ({ seconds }) => clock.pass(seconds * 1_000),
    line: ({ fate, calls, isOfAll }) => line.befall({ fate, left: calls, isOfAll }),
    'line is well': () => line.befall(undefined),
    clock: ({ of, years }) => (of === 'server' ? site : devices[of])?.moveClock(years * yearMs),
    offline: ({ device }) => devices[device]?.setOnline(false),
    online: ({ device }) => devices[device]?.setOnline(true),
    'open tab': async ({ device: number }) => {
      const device = devices[number]
      if (!device || device.tabs.length > 1) return
      device.open('/projects')
      await clock.pass(100)
    },
    'kill browser': ({ device }) => kill(devices[device], false),
    'kill browser and server': ({ device }) => kill(devices[device], true),
    'server stops': () => site.stop(),
    'server starts': () => site.start(),
    'sessions end': () => site.endSessions(),
    'another owner': () => site.changeOwner(),
    'weeks pass': async () => {
      for (const device of devices) {
        leave(device.tabs)
        device.closeAll()
        device.moveClock(weeksMs)
      }
      site.moveClock(weeksMs)
      await site.sweep()
    },
    'back up': () => site.backUp(),
    restore: async () => {
      if (await site.restore()) ledger.restored(await site.content())
    },
  }

  // Each function is reached by the name of its own kind of step.
  return (step: Step) => (acts[step.is] as (one: Step) => Promise<void> | void)(step)
}
