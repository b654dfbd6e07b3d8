import { v7 as newId } from 'uuid'
import { vi } from 'vitest'
import type { Draft } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import { memoryStore } from '#client/data/outbox/steady-store.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import type { Settled } from '#client/data/outbox/waiters.ts'
import { logIn } from '#client/data/session.ts'
import { createFakeApi, refusedMark, type FakeApi } from './fake-api.ts'
import { installBrowser, TextPicture } from './fake-browser.ts'
import { openPage, type HistoryPage } from './history-page.ts'
import { correctionOf, createLedger, plain, subjectOf, type Made } from './ledger.ts'
import type { Random } from './random.ts'

/** How often each thing happens, against the others. */
const weights = {
  create: 14,
  update: 30,
  remove: 6,
  person: 10,
  wait: 20,
  network: 8,
  server: 5,
  session: 3,
  signIn: 4,
  reload: 5,
  open: 3,
  closeTab: 2,
  elsewhere: 3,
  refusals: 6,
} as const

/** The owner of some pages, a server, and everything that may go wrong between them; runs on the vitest clock. */
export function createHistory(random: Random) {
  const api = createFakeApi()
  const durable = memoryStore()
  const ledger = createLedger({ durable, api })
  const { line, device, whileOpening } = installBrowser({ api, random })
  const kept = new Map<string, string>()
  const getItem = (name: string) => kept.get(name) ?? null
  vi.stubGlobal('sessionStorage', { getItem, setItem: kept.set.bind(kept) })
  const untold = new Map<HistoryPage, Set<Made>>()
  const faults: unknown[] = []
  let tokens = 0
  const signIn = () => {
    const token = `token-${++tokens}`
    api.setToken(token)
    logIn({ token, userName: 'a', authorities: [] })
  }
  const open = () => untold.set(openPage({ durable, random, whileOpening }), new Set())
  const pages = () => [...untold.keys()]
  signIn()
  open()

  async function close(page: HistoryPage): Promise<void> {
    const changes = untold.get(page) ?? []
    page.close()
    untold.delete(page)
    await ledger.dropUnkept([...changes])
  }

  function make(page: HistoryPage, change: Omit<Operation, 'madeAt' | 'tries' | 'label'>): void {
    const number = ledger.made.length
    const operation = { ...change, label: '', madeAt: '', tries: 0 }
    const picture = change.image && new TextPicture(`p${number}`)
    const made: Made = {
      number,
      id: change.id,
      subject: subjectOf(operation),
      verb: change.verb,
      values: { ...change.values, ...(picture && { image: `/media/${picture.shows}` }) },
      isDropped: false,
    }
    ledger.made.push(made)
    untold.get(page)?.add(made)
    void hear(page, made, page.outbox.add(operation, { picture }))
  }

  async function hear(page: HistoryPage, made: Made, adding: Promise<Settled>): Promise<void> {
    try {
      const { is } = await adding
      untold.get(page)?.delete(made)
      await ledger.told(made, is)
    } catch (fault) {
      // A page that is gone says nothing.
      if (untold.has(page)) faults.push(fault)
    }
  }

  const textsFor = (names: readonly string[]) => {
    const bad = random.chance(4) ? refusedMark : ''
    return Object.fromEntries(names.map((name) => [name, `${name}-${ledger.made.length}${bad}`]))
  }
  const some = <T>(items: readonly T[]) => items.filter(() => random.chance(50))
  const withPicture = () => (random.chance(20) ? { image: { field: 'image', name: 'p.png' } } : {})

  const acts: Record<keyof typeof weights, (page: HistoryPage) => Promise<void> | void> = {
    create: (page) => {
      const subject = { on: 'entry', section: project.key, id: newId() } as const
      const values = textsFor(['name', 'repo', 'demo'])
      make(page, { id: newId(), subject, verb: 'create', values, ...withPicture() })
    },
    update: (page) => {
      const row = random.pick(page.shown())
      if (!row) return
      const subject = { on: 'entry', section: project.key, id: row.id } as const
      const values = textsFor(['name', ...some(['repo', 'demo'])])
      make(page, {
        id: newId(),
        subject,
        verb: 'update',
        values,
        version: row.version,
        ...withPicture(),
      })
    },
    remove: (page) => {
      const row = random.pick(page.shown())
      if (!row) return
      const subject = { on: 'entry', section: project.key, id: row.id } as const
      make(page, { id: newId(), subject, verb: 'remove', values: {}, version: row.version })
    },
    person: (page) => {
      const person = page.person()
      if (!person) return
      const values = textsFor(random.chance(50) ? ['name'] : ['description'])
      make(page, {
        id: newId(),
        subject: { on: 'person' },
        verb: 'update',
        values,
        version: person.version,
      })
    },
    wait: async () => void (await vi.advanceTimersByTimeAsync(random.below(3_000))),
    network: () => setOnline(!navigator.onLine),
    server: () => {
      line.isUp = !line.isUp
    },
    session: () => api.setToken(`token-${++tokens}`),
    signIn,
    reload: async (page) => {
      await close(page)
      open()
    },
    open: () => void (untold.size < 3 && open()),
    closeTab: async (page) => {
      if (untold.size > 1) await close(page)
    },
    elsewhere: () => {
      const subject = random.pick(api.subjects())
      if (subject !== undefined)
        api.changeElsewhere(subject, { duration: `d-${ledger.made.length}` })
    },
    refusals: (page) => answerRefusals(page, (refused) => random.pick(refused)),
  }

  function setOnline(isOnline: boolean): void {
    device.onLine = isOnline
    if (isOnline) for (const page of pages()) page.outbox.wake()
  }

  /** The owner's word on what the server refused: put right and sent again, or taken back. */
  async function answerRefusals(
    page: HistoryPage,
    choose: (refused: readonly Operation[]) => Operation | undefined,
  ): Promise<void> {
    // She reads before she answers, and what she did before is kept by then.
    await vi.advanceTimersByTimeAsync(100)
    const operation = choose(page.outbox.getState().operations.filter(({ refusal }) => refusal))
    if (!operation) return
    const { id, refusal, values } = operation
    const isLost = refusal?.code === 'no-encontrado' || random.chance(40)
    const version = refusal?.current?.version
    if (isLost) ledger.takesBack(subjectOf(operation))
    const isAnswered = isLost
      ? page.outbox.discard(id)
      : page.outbox.retry(id, {
          values: correctionOf(values),
          ...(version !== undefined && { version }),
        })
    await Promise.all([isAnswered, vi.advanceTimersByTimeAsync(200)])
    if (!isLost) return
    await ledger.discarded(subjectOf(operation))
  }

  return {
    made: () => ledger.made.length,
    act: () => acts[random.weighted(weights)](random.pick(pages()) ?? fail()),
    /** Everything works again; what is queued goes out, and what is refused is answered. */
    settle: async () => {
      line.isUp = true
      line.isBad = false
      setOnline(true)
      signIn()
      const [page = fail(), ...others] = pages()
      for (const other of others) await close(other)
      for (let turn = 0; turn < 200 && (await durable.read()).length > 0; turn++) {
        await vi.advanceTimersByTimeAsync(2_000)
        await answerRefusals(page, ([first]) => first)
        page.outbox.kick()
      }
      page.read()
      await vi.advanceTimersByTimeAsync(5_000)
    },
    end: () => {
      for (const page of pages()) page.close()
    },
    /** What came of it all, to be held against what should have. */
    outcome: () => {
      const [page = fail()] = pages()
      const expected = [...ledger.expected()]
      return {
        faults,
        queued: page.outbox.getState().operations,
        expected,
        stored: expected.map(([subject, fields]) => [subject, sameFields(api, subject, fields)]),
        shown: page.shown().map(({ id, fields }) => [`${project.key}/${id}`, fields['name']]),
        listed: api
          .subjects()
          .filter((subject) => subject !== 'person')
          .map((subject) => [subject, api.fieldsOf(subject)?.['name']]),
        ...readLog(api.log),
      }
    },
  }
}

/** A stored row's fields as far as anything is expected of them; undefined when there is no row. */
function sameFields(api: FakeApi, subject: string, fields: Draft | undefined): Draft | undefined {
  const there = api.fieldsOf(subject)
  if (!there || !fields) return there
  return Object.fromEntries(Object.keys(fields).map((name) => [name, there[name] ?? '']))
}

/** The texts that were applied twice, and the things that were changed in another order than by their owner. */
function readLog(log: FakeApi['log']) {
  const seen = new Set<string>()
  const latest = new Map<string, number>()
  const twice: string[] = []
  const disordered: string[] = []
  for (const { subject, verb, values } of log) {
    const texts = Object.values(values).map((text) => `${subject} ${plain(text)}`)
    twice.push(...texts.filter((text) => seen.has(text)))
    for (const text of texts) seen.add(text)
    const numbers = texts.map((text) => Number(/\d+$/.exec(text)?.[0]))
    const before = latest.get(subject) ?? -1
    if (Math.min(Infinity, ...numbers) <= before) disordered.push(subject)
    latest.set(subject, verb === 'remove' ? Infinity : Math.max(before, ...numbers))
  }
  return { twice, disordered }
}

function fail(): never {
  throw new Error('no page is open')
}
