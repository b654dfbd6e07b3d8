import { setImmediate } from 'node:timers/promises'
import { isHidden } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { parseDraft } from '#client/outbox/saved-draft.ts'
import { createActor } from './acts.ts'
import { createHearing } from './hear.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createPerson, queueOf, type Person } from './person.ts'
import { inWords, type Step } from './steps.ts'
import type { Device } from './world/device.ts'
import { openWorld, type Stage, type World } from './world/world.ts'

export interface History {
  /** Decides how long everything takes. */
  readonly seed: number
  readonly steps: readonly Step[]
}

interface Played {
  readonly wrong: readonly string[]
  /** How many changes and messages were handed over: a step that has no meaning at its time does nothing. */
  readonly done: number
}

/** Plays a history on two devices and a server, and lets everything come to rest. */
export async function play({ seed, steps }: History, stage: Stage): Promise<Played> {
  const ledger = createLedger({
    waiting: (device) => textsOn(world.devices[device]),
    drafted: (device) => draftsOn(world.devices[device]),
  })
  const hearing = createHearing({ world: () => world, ledger })
  const world = await openWorld(seed, stage, hearing.events)
  const { site, clock, random } = world
  site.follow(ledger)
  const person = createPerson({ world, ledger, hearing })
  const act = createActor({ world, ledger, person })
  try {
    world.devices[0]?.open('/projects')
    await clock.pass(300)
    for (const step of steps) {
      stage.trace?.(inWords(step))
      await act(step)
      await clock.pass(random.below(30))
      lookAtQueues(world, ledger)
      lookAtLists(world, ledger)
      if (ledger.wrong.length > 0) return playedIn(ledger)
    }
    await settle({ world, ledger, person })
    ledger.atRest(await site.content())
    return playedIn(ledger)
  } finally {
    await world.close()
    // What pages refer to weakly is held until the present task ends, and their realms with it.
    await setImmediate()
  }
}

function playedIn({ wrong, hands }: Ledger): Played {
  return { wrong, done: hands.length }
}

/** The texts that wait on a device's disk. */
function textsOn(device: Device | undefined): ReadonlySet<string> {
  return new Set(queueOf(device).flatMap(({ values }) => Object.values(values)))
}

/** The texts that a device's disk holds as drafts of forms. */
function draftsOn(device: Device | undefined): ReadonlySet<string> {
  const kept = [...(device?.storage.peek('tintero-drafts', 'pictures').values() ?? [])]
  const drafts = kept.map(parseDraft).filter((draft) => draft && !draft.isQueued)
  return new Set(drafts.flatMap((draft) => Object.values(draft?.fields ?? {})))
}

function lookAtLists({ tabs }: World, ledger: Ledger): void {
  for (const tab of tabs()) {
    if (tab.place() !== '/projects' || tab.does.session().token === undefined) continue
    const list = tab.does.list()
    // Without its tools an entry cannot be told from another.
    if (list?.every(({ id }) => id !== '')) {
      ledger.shows({ tab: tab.number, account: tab.does.session().userName }, list)
    }
  }
}

function lookAtQueues({ devices }: World, ledger: Ledger): void {
  for (const device of devices) ledger.keeps(queueOf(device))
}

interface Settling {
  readonly world: World
  readonly ledger: Ledger
  readonly person: Person
}

/** Nothing fails any more: each account in turn signs in on each device, and what waits goes or is answered. */
async function settle({ world, ledger, person }: Settling): Promise<void> {
  const { line, site, devices } = world
  line.befall(undefined)
  await site.start()
  for (const device of devices) {
    device.setOnline(true)
    for (const { number } of device.tabs) ledger.unheard(number)
    device.closeAll()
  }
  const owner = site.ownerName()
  const hasFormer = ledger.hands.some(({ account }) => account !== '' && account !== owner)
  for (let turn = hasFormer ? 0 : 1; turn < 2; turn++) {
    if (hasFormer) await site.changeOwner()
    for (const device of devices) await drain(device, { world, ledger, person })
  }
  for (const device of devices) await compare(device, { world, ledger, person })
}

/** How often it is looked whether a queue has come to rest. */
const patience = 60

async function drain(device: Device, { world, ledger, person }: Settling): Promise<void> {
  const { clock, site, random } = world
  const tab = device.open('/projects')
  await clock.pass(1_000)
  const own = () =>
    queueOf(device).filter(({ owner }) => !owner || owner.userName === site.ownerName())
  for (let turn = 0; turn < patience && (turn === 0 || own().length > 0); turn++) {
    await clock.pass(turn > 5 ? 60_000 : 3_000)
    if (!(await person.signIn(tab))) continue
    // The way out of read-only mode is her own, through the queue.
    if (await site.isReadOnly()) void tab.does.turn('maintenance_readonly', false)
    await clock.pass(2_000)
    lookAtQueues(world, ledger)
    const refused = tab.does.queue().find(({ refusal }) => refusal)
    const isLost = turn > patience / 2 || refused?.refusal?.code === 'no-encontrado'
    const choice = isLost || random.below(2) === 0 ? 'theirs' : 'mine'
    if (refused) person.answerOperation(tab, refused, choice)
    else tab.does.drain()
  }
  const number = world.devices.indexOf(device)
  const left = own().map(
    ({ verb, subject, refusal }) => `${verb} ${subject.on} ${refusal?.code ?? ''}`,
  )
  if (left.length > 0) ledger.say(`device ${number} still holds ${left.join(', ')}`)
  device.closeAll()
}

/** What is shown and what the server has are the same. */
async function compare(device: Device, { world, ledger, person }: Settling): Promise<void> {
  const tab = device.open('/projects')
  await person.signIn(tab)
  await world.clock.pass(2_000)
  void tab.does.go('/projects')
  await world.clock.pass(5_000)
  const { rows } = await world.site.content()
  const there = [...rows].filter(([subject]) => subject !== 'person').toReversed()
  const onServer = there.map(([subject, { name }]) => `${subject} ${name}`).join(', ')
  if (queueOf(device).length > 0) return
  const shown = tab.does.list()?.map(({ id, name }) => `${project.key}/${id} ${name}`)
  const onScreen = shown?.join(', ')
  if (onScreen !== onServer) {
    ledger.say(`the screen shows [${onScreen}], the server has [${onServer}]`)
  }
  const kept = JSON.stringify([...device.storage.peek('tintero-cache', 'kv').values()])
  for (const [subject, fields] of rows) {
    if (isHidden({ fields }) && kept.includes(`"${fields['name']}"`)) {
      ledger.say(
        `${subject} is hidden, and what everybody reads on the device has «${fields['name']}»`,
      )
    }
  }
}
