import { hiddenField } from '#contract/entries/hidden.ts'
import { outboxPlace } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { Hearing } from './hear.ts'
import type { Ledger } from './ledger.ts'
import type { Choice } from './steps.ts'
import type { Device } from './world/device.ts'
import type { OpenTab } from './world/open-tab.ts'
import { accounts } from './world/site.ts'
import type { World } from './world/world.ts'

export type Person = ReturnType<typeof createPerson>

interface PersonOptions {
  readonly world: World
  readonly ledger: Ledger
  readonly hearing: Hearing
}

/** What an owner and her visitors do with a tab: each act takes as long as hands take. */
export function createPerson({ world, ledger, hearing }: PersonOptions) {
  const { clock, devices, site, deviceOf } = world
  let doings = 0

  async function someTab(number: number): Promise<OpenTab> {
    const tabs = world.tabs()
    const [first] = devices
    const tab = tabs[number % Math.max(1, tabs.length)] ?? first?.open('/projects')
    if (!tab) throw new Error('there is no device')
    if (tabs.length === 0) await clock.pass(300)
    return tab
  }

  async function signIn(tab: OpenTab): Promise<boolean> {
    const { token, isExpired } = tab.does.session()
    if (token !== undefined && !isExpired) return true
    const { password } =
      accounts.find(({ userName }) => userName === site.ownerName()) ?? accounts[0]
    void tab.does.signIn({ userName: site.ownerName(), password, isKept: false })
    await clock.pass(200)
    return tab.does.session().token !== undefined
  }

  /** A signed-in tab; undefined where nobody can sign in now. */
  async function ownerTab(number: number): Promise<OpenTab | undefined> {
    const tab = await someTab(number)
    return (await signIn(tab)) ? tab : undefined
  }

  async function go(tab: OpenTab, path: string): Promise<void> {
    void tab.does.go(path)
    await clock.pass(60)
  }

  /** The entry that is meant, on the list that the tab shows. */
  async function pick(tab: OpenTab, entry: number) {
    if (tab.place() !== '/projects') await go(tab, '/projects')
    const list = tab.does.list() ?? []
    return list[entry % Math.max(1, list.length)]
  }

  async function put(tab: OpenTab, field: string, text: string): Promise<void> {
    tab.does.type(field, text)
    await clock.pass(3)
  }

  /** Types one text, which nobody types again, into these fields. */
  async function type(tab: OpenTab, letter: 'w' | 'm', fields: readonly string[]): Promise<string> {
    const text = `${letter}${++doings}`
    hearing.typed(text, tab.does.formValues() ?? {})
    for (const field of fields) await put(tab, field, text)
    return text
  }

  /** A text that was handed over is no form's any more. */
  function lookAtDraft(tab: OpenTab): void {
    if (!tab.does.formState().startsWith(texts.draftBack)) return
    ledger.offers({ tab: tab.number, device: deviceOf(tab) }, tab.does.formValues() ?? {})
  }

  return {
    someTab,
    signIn,
    ownerTab,
    go,
    pick,
    pressBin: (tab: OpenTab, name: string): void => {
      hearing.pressedBin(tab, name)
      tab.does.pressBin(name)
    },
    /** Opens the form of a new entry and fills it in. */
    openNew: async (tab: OpenTab): Promise<boolean> => {
      await go(tab, '/projects')
      if (!tab.does.press(project.words.add)) return false
      await clock.pass(20)
      lookAtDraft(tab)
      await type(tab, 'w', ['name', 'description'])
      await put(tab, 'duration', '1 mes')
      for (const link of ['repo', 'demo']) await put(tab, link, 'https://ejemplo.test/')
      return true
    },
    /** Opens the form of an entry and changes one of its fields. */
    openEdit: async (tab: OpenTab, entry: number, field: string): Promise<boolean> => {
      const row = await pick(tab, entry)
      if (!row) return false
      await go(tab, `/editProj/${row.id}`)
      if (!tab.does.formValues()) return false
      lookAtDraft(tab)
      await type(tab, 'w', [field])
      return true
    },
    /** Opens the form of an entry and turns who sees it over. */
    openSwitch: async (tab: OpenTab, entry: number): Promise<boolean> => {
      const row = await pick(tab, entry)
      if (!row) return false
      await go(tab, `/editProj/${row.id}`)
      lookAtDraft(tab)
      const isThere = tab.does.turnOver(hiddenField)
      await clock.pass(3)
      return isThere
    },
    openProfile: async (tab: OpenTab): Promise<boolean> => {
      await go(tab, '/editProf/1')
      if (!tab.does.formValues()) return false
      await type(tab, 'w', ['name'])
      const values = tab.does.formValues() ?? {}
      for (const field of ['lastname', 'title']) {
        if (values[field] === '') await put(tab, field, 'x')
      }
      return true
    },
    writeMessage: async (tab: OpenTab): Promise<boolean> => {
      await go(tab, '/contact')
      // A form that was left before its answer came asks whether to leave it, and the answer leads elsewhere.
      const isThere = () => tab.place() === '/contact' && tab.does.formValues() !== undefined
      if (!isThere()) return false
      await put(tab, 'name', 'Ana')
      await put(tab, 'email', 'ana@ejemplo.test')
      const before = tab.does.formValues()?.['message'] ?? ''
      const text = await type(tab, 'm', ['message'])
      if (!isThere()) return false
      // What stood there, perhaps on its way already, she has made into this one.
      ledger.rewritten(before)
      ledger.add({
        id: '',
        tab: tab.number,
        device: deviceOf(tab),
        account: '',
        subject: `message ${text}`,
        verb: 'message',
        values: { message: text },
        seen: {},
      })
      return true
    },
    choosePicture: async (tab: OpenTab, picture: 'none' | 'good' | 'refused'): Promise<void> => {
      if (picture === 'none') return
      // Only the server looks into a picture, and it takes none with an entity in it.
      const head = picture === 'refused' ? '<!DOCTYPE svg [<!ENTITY a "b">]>' : ''
      const circle = `<circle cx="20" cy="20" r="${doings}"/>`
      const svg = `${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${circle}</svg>`
      tab.does.choose(new File([svg], `p${doings}.svg`, { type: 'image/svg+xml' }))
      await clock.pass(20)
    },
    /** Her word on what the tab asks her, or on the first change that waits for it. */
    answer: (tab: OpenTab, choice: Choice): void => {
      const label = choice === 'mine' ? ownerTexts.keepMine : ownerTexts.takeTheirs
      if (tab.does.press(label)) return ledger.pardonTab(tab.number)
      const operation = tab.does.queue().find(({ refusal }) => refusal)
      if (operation) answerOperation(tab, operation, choice)
    },
    answerOperation,
  }

  function answerOperation(tab: OpenTab, operation: Operation, choice: Choice): void {
    const { id, subject, refusal, values } = operation
    const name = subject.on === 'entry' ? `${subject.section}/${subject.id}` : subject.on
    const meant = subject.on === 'message' ? `message ${values['message']}` : name
    ledger.pardon(meant)
    if (choice === 'theirs') {
      ledger.takenBack(meant, deviceOf(tab))
      return tab.does.discard(id)
    }
    const version = refusal?.current?.version
    const again = subject.on === 'message' ? { madeAt: tab.does.now() } : {}
    return tab.does.retry(id, { ...again, ...(version !== undefined && { version }) })
  }
}

/** The operations on a device's disk. */
export function queueOf(device: Device | undefined): readonly Operation[] {
  const kept = device?.storage.peek(outboxPlace.database, outboxPlace.store)
  const lists = [...(kept?.values() ?? [])].filter((value) => Array.isArray(value))
  return lists.flat() as Operation[]
}
